import { describe, expect, test } from 'vitest'
import { family, marked, meets } from './verdict-harness.ts'

/** Tools of every session, which run unmarked, and what looks alike. */

const COMPOSE = 'docker compose'

marked('small tools', {
  rule: 'unknown-program',
  commands: ['ast-grap run -p x src', 'wasm-pac build'],
  silent: [
    'ctags -R src',
    'cscope -Rb',
    "ast-grep run -p 'console.log($A)' -l ts src",
    'commitlint --from HEAD~3',
    'buf lint && buf generate',
    'wasm-pack build --target web',
    'tesseract scan.png stdout -l eng | head',
    'typst compile paper.typ',
    'compare -metric AE a.png b.png diff.png',
    'pdftoppm -r 150 -png report.pdf page',
    'gron data.json | grep email',
    "htmlq --text 'h1' < index.html",
    'choose 1 < a.txt',
    'act -l',
    'doit list',
    'nix build .#app && nix flake check',
    'nix run .#app -- --help',
    'nix develop -c make test',
    'cat /sys/class/thermal/thermal_zone0/temp',
  ],
})

family('small tools that reach out', {
  meets: 'ask publish',
  commands: ['buf push', 'wasm-pack publish', 'wasm-pack publish --target web'],
  run: ['buf format -w', 'wasm-pack test --node', 'lychee README.md', 'ncu -u'],
})

family('flakes of others', {
  meets: 'ask system-package',
  commands: ['nix run github:x/y', 'nix build ./../../evil#x', 'nix profile install .#app', 'nix shell nixpkgs#hello -c hello'],
  run: ['nix build', 'nix build ./pkgs/a#b', 'nix develop'],
})

family('settings of the machine that not everybody is told', {
  meets: 'ask read-system',
  commands: ['cat /etc/fstab', 'cat /proc/net/tcp', 'cat /sys/firmware/efi/efivars/x', 'cat /etc/resolv.conf.d/../shadow-'],
  run: ['cat /etc/hosts', 'cat /proc/loadavg'],
})

family('containers of a project that is not known', {
  meets: 'ask containers',
  commands: [`${COMPOSE} stop`, `${COMPOSE} kill web`, `${COMPOSE} -p prod down`],
  run: [`${COMPOSE} ps`],
})

describe('containers of a project whose file is at hand', () => {
  const files = { '/home/user/shop/docker-compose.yml': 'services:\n  web:\n    build: .\n    ports: ["3000:3000"]\n' }
  for (const command of [`${COMPOSE} stop`, `${COMPOSE} kill -s SIGTERM web`, `${COMPOSE} pause web`, `${COMPOSE} rm -f`])
    test(`marks: ${command}`, () => expect(meets(command, files)).toEqual(['flag contained']))
  for (const command of [`${COMPOSE} -p prod stop`, `${COMPOSE} -p prod down`, `${COMPOSE} -p prod rm -f`])
    test(`asks: ${command}`, () => expect(meets(command, files)).toContain('ask containers'))
})

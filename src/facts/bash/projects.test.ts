import { describe, expect, test } from 'vitest'
import { lines } from './harness.ts'

/** What files of a project make a plain command run: life-cycle scripts, makefiles with what they include, tasks, hooks. */

const SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublishOnly', 'prepack', 'publish', 'preversion', 'version', 'test']

const WORLD = {
  files: {
    '/repo/package.json': JSON.stringify({ name: 'p', scripts: Object.fromEntries(SCRIPTS.map((name) => [name, `touch /tmp/${name}`])) }),
    '/repo/sub/package.json': '{"scripts":{"prepack":"touch here"}}',
    '/repo/Makefile': [
      'include inc.mk',
      '-include local.mk',
      'D = build',
      'all: dep o.x',
      '\t@touch /tmp/all',
      'clean:',
      '\trm -rf $(D)',
      '%.x: %.y',
      '\ttouch /tmp/$@',
      'down:',
      '\t$(MAKE) -C sub $$X',
      'told:',
      '\techo $(shell touch /tmp/told)',
      '',
    ].join('\n'),
    '/repo/inc.mk': 'KIND := one\ndep:\n\ttouch /tmp/dep\n',
    '/repo/early.mk': 'V := $(shell touch /tmp/early; echo $$(date))\nB != touch /tmp/bang\nL = $(shell touch /tmp/late)\nall:\n\ttrue\n',
    '/repo/justfile':
      'dir := "out"\nat := `touch /tmp/at`\n\ndefault: build\n  @touch /tmp/default\n\nbuild target="x":\n  -rm -rf {{dir}}\n\npy:\n  #!/usr/bin/env python3\n  import os; os.system("touch /tmp/py")\n\nsh:\n  #!/bin/bash\n  touch /tmp/sh\n\nuses:\n  echo {{at}}\n',
    '/repo/Taskfile.yml':
      "version: '3'\ntasks:\n  default:\n    deps: [build]\n    cmds:\n      - touch /tmp/default\n      - task: other\n  build: touch /tmp/build\n  other:\n    cmds:\n      - cmd: rm -rf {{.DIR}}/x out\n        silent: true\n",
    '/repo/tox.ini':
      '[tox]\nenvlist = py\n[testenv]\ndeps = x\ncommands =\n    touch /tmp/tox {posargs}\n    rm -rf {toxinidir}/out\n[testenv:lint]\ncommands = touch /tmp/lint\n',
    '/repo/noxfile.py':
      "import nox\n@nox.session\ndef tests(session):\n    session.install('pytest')\n    session.run('touch', '/tmp/nox', external=True)\n",
    '/repo/tasks.py': "from invoke import task\n@task\ndef build(c):\n    c.run('touch /tmp/invoked')\n",
    '/repo/.pre-commit-config.yaml':
      'repos:\n- repo: https://h.example/r\n  rev: v1\n  hooks: [{id: far, entry: touch /tmp/far}]\n- repo: local\n  hooks:\n  - id: own\n    language: system\n    entry: touch\n    args: [/tmp/own]\n  - id: grep\n    language: pygrep\n    entry: touch /tmp/grep\n',
    '/repo/.envrc': 'touch /tmp/envrc\n',
    '/work/README': '',
  },
}

const touched = (...names: readonly string[]): readonly string[] => names.map((name) => `write fs:touch /tmp/${name}`)

const INSTALL = touched('preinstall', 'install', 'postinstall', 'prepare')

type Case = readonly [command: string, expected: readonly string[]]

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'life-cycle scripts': [
    ['npm install', INSTALL],
    ['npm i', INSTALL],
    ['npm ci', INSTALL],
    ['npm --prefix /repo install', INSTALL],
    ['cd sub/.. && npm install', INSTALL],
    ['yarn', INSTALL],
    ['yarn install', INSTALL],
    ['pnpm i', INSTALL],
    ['bun install', INSTALL],
    ['npm link', INSTALL],
    ['npm rebuild', INSTALL],
    ['npm publish', touched('prepublishOnly', 'prepack', 'prepare', 'publish')],
    ['npm pack', touched('prepack', 'prepare')],
    ['npm version patch', touched('preversion', 'version')],
    ['npm pack ./sub', ['write fs:touch /repo/sub/here']],
    ['npm pack sub', ['write fs:touch /repo/sub/here']],
    ['npm install left-pad', []],
    ['npm i ./x.tgz', []],
    ['yarn add left-pad', []],
    ['npm install --ignore-scripts', []],
    ['npm install -g left-pad', []],
    ['npm install --help', []],
    ['npm version', []],
    ['npm publish x.tgz', []],
    ['npm view left-pad', []],
    ['npm ls', []],
    ['cd /work && npm install', []],
  ],
  makefiles: [
    ['make all', touched('all', 'dep', 'o.x')],
    ['make', touched('dep')],
    ['make dep', touched('dep')],
    ['make clean', ['delete /repo/build']],
    ['make clean D=/srv/data', ['delete /srv/data']],
    ['make clean D:=/srv/data', ['delete /srv/data']],
    ['make a.x', touched('a.x')],
    ['make told', touched('told')],
    ['make -n clean', []],
    ['make --dry-run', []],
    ['make -f early.mk', touched('early', 'bang')],
    ['make --help', []],
    ["make --eval='new:;touch /tmp/new' new", touched('new')],
    ["make -E '$(shell touch /tmp/new)' dep", touched('new', 'dep')],
    ["printf 'x:\\n\\ttouch /tmp/x\\n' | make -f -", touched('x')],
    ['make -f - <<E\nx:\n\ttouch /tmp/x\nE', touched('x')],
    ['make nothing', []],
  ],
  tasks: [
    ['just', [...touched('at'), ...['delete /repo/out'], ...touched('default')]],
    ['just build', [...touched('at'), 'delete /repo/out']],
    ['just build y', [...touched('at'), 'delete /repo/out']],
    ['just dir=in build', [...touched('at'), 'delete /repo/in']],
    ['just py', [...touched('at', 'py')]],
    ['just sh', [...touched('at'), ...touched('sh')]],
    ['just uses', [...touched('at'), ...touched('at')]],
    ['just --list', []],
    ['cd sub && just sh', [...touched('at'), ...touched('sh')]],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell
    ['task', [...touched('default', 'build'), 'delete ${DIR}/x', 'delete /repo/out']],
    ['task build', touched('build')],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell
    ['go-task other', ['delete ${DIR}/x', 'delete /repo/out']],
    ['task --list', []],
    ['tox', [...touched('tox'), 'delete /repo/out']],
    ['tox -e lint', [...touched('tox'), 'delete /repo/out', ...touched('lint')]],
    ['nox -s tests', touched('nox')],
    ['inv build', touched('invoked')],
    ['pre-commit run', touched('own')],
    ['pre-commit run --all-files', touched('own')],
    ['pre-commit run own', touched('own')],
    ['pre-commit run grep', []],
    ['pre-commit install', []],
    ['direnv allow', touched('envrc')],
    ['direnv allow .', touched('envrc')],
    ['direnv status', []],
  ],
}

for (const [title, cases] of Object.entries(CASES))
  describe(title, () => {
    for (const [command, expected] of cases)
      test(command, () => {
        const seen = lines(command, WORLD).filter((line) => /^(?:write fs:touch|delete) /.test(line))
        expect(seen).toEqual(expected)
      })
  })

describe('what cannot be read is said', () => {
  for (const [command, said] of [
    ['make --eval "$X"', 'opaque `make` evaluates text that is not known'],
    ['just nothing', 'opaque `/repo/justfile` does not say plainly what `just nothing` runs'],
    ['tox -e py', 'execute dev:task tox py'],
    ['cd /work && task build', 'likely execute dev:task task build'],
    ['npm install', 'execute script:project /repo/package.json'],
  ] as const)
    test(command, () => expect(lines(command, WORLD)).toContain(said))
})

describe('files that nobody would write', () => {
  const deep = '['.repeat(20_000)
  for (const [command, path, text] of [
    ['task x', '/repo/Taskfile.yml', deep],
    ['task x', '/repo/Taskfile.yml', `tasks:\n  x: &a [*a, *a]\n${'a: &b [*b]\n'.repeat(50)}`],
    ['pre-commit run', '/repo/.pre-commit-config.yaml', '- : [}'],
    ['make', '/repo/Makefile', `A=${'$(A)$(A)'.repeat(500)}\nall:\n\t$(A)\n`],
    ['make', '/repo/Makefile', `all:\n\techo ${'$(shell '.repeat(3_000)}`],
    ['make', '/repo/Makefile', `V := ${'$(shell '.repeat(3_000)}`],
    ['make', '/repo/Makefile', 'include Makefile\nall: all\n\ttrue\n'],
    ['just', '/repo/justfile', 'a: a\n'.repeat(500)],
    ['npm install', '/repo/package.json', '{"scripts":{"prepare":"npm install"}}'],
    ['npm install', '/repo/package.json', '{"scripts":{"prepare":["x"],"__proto__":1}}'],
  ] as const)
    test(`${command} with ${text.slice(0, 20)}`, () => {
      expect(lines(command, { files: { [path]: text } }).length).toBeGreaterThan(0)
    })
})

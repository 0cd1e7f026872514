import { describe, expect, test } from 'vitest'
import { lines } from '../harness.ts'

describe('code that the shell runs again and again', () => {
  for (const [text, expected] of [
    ["trap 'rm a' DEBUG", ['persist shell:hook trap DEBUG', 'possible delete /repo/a']],
    ["trap 'rm a' EXIT", ['delete /repo/a']],
    ['trap "" INT', ['change shell:deaf the shell']],
    ['trap - EXIT', []],
    ['bind -x \'"\\C-j": "rm a"\'', ['persist shell:hook bind -x', 'possible delete /repo/a']],
    ['bind "set show-all-if-ambiguous on"', []],
    ['bind -p', []],
    ['complete -C ./words acme', ['persist shell:hook complete -C', 'possible execute script:unseen /repo/words']],
    ['complete -F _words acme', []],
    ['complete -W "a b" acme', []],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }
})

const dynamic = (found: string) => (found.startsWith('opaque') ? 'opaque' : found.endsWith('code:dynamic') ? 'execute' : found)

describe('code that comes from elsewhere', () => {
  for (const [text, expected] of [
    ['enable -f ./x.so words', ['execute code:load /repo/x.so']],
    ['enable -n echo', []],
    ['enable', []],
    ['mapfile -C eval -c 1 < f', ['read /repo/f', 'opaque', 'execute']],
    ['mapfile lines < f', ['read /repo/f']],
    ['declare -n r=x; eval "$r"', ['opaque', 'execute']],
    ['declare r=ls; eval "$r"', []],
    ['typeset -n x=y; $x', ['opaque', 'execute']],
  ] as const) {
    test(text, () => expect(lines(text).map(dynamic)).toEqual(expected))
  }
})

describe('a shell that keeps no record', () => {
  for (const [text, expected] of [
    ['export HISTFILE=/dev/null', ['change history:clear HISTFILE']],
    ['HISTFILE=', ['change history:clear HISTFILE']],
    ['unset HISTFILE', ['change history:clear HISTFILE']],
    ['HISTSIZE=0', ['change history:clear HISTSIZE']],
    ['export HISTIGNORE="*"', ['change history:clear HISTIGNORE']],
    ['HISTSIZE=10000', []],
    ['HISTFILE=~/.history', []],
    ['HISTIGNORE=ls', []],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }
})

describe('checks of identity that are switched off', () => {
  for (const [text, expected] of [
    ['GONOSUMCHECK=1 go build', true],
    ["export GOINSECURE='*'", true],
    ['export NODE_TLS_REJECT_UNAUTHORIZED=0', true],
    ['npm_config_strict_ssl=false npm ci', true],
    ['export NODE_TLS_REJECT_UNAUTHORIZED=1', false],
    ['export GOFLAGS=-mod=mod', false],
  ] as const) {
    test(text, () => expect(lines(text).some((found) => found.includes('security:insecure'))).toBe(expected))
  }
})

describe('functions in the place of programs', () => {
  for (const [text, expected] of [
    ['sudo() { :; }', ['change shell:shadow sudo']],
    ['function ssh { command ssh "$@"; }', ['change shell:shadow ssh']],
    ['ps() { :; }; ps', ['change shell:shadow ps']],
    ['command_not_found_handle() { :; }', ['change shell:shadow command_not_found_handle']],
    ['build() { :; }', []],
    ['main() { :; }; main', []],
  ] as const) {
    test(text, () => expect(lines(text)).toEqual(expected))
  }
})

describe('programs named by a variable', () => {
  for (const [text, expected] of [
    ['export PAGER=./x', true],
    ['EDITOR=/tmp/x crontab -l', true],
    ['PAGER=less man ls', false],
    ['export EDITOR=/usr/bin/vim', false],
    ['export EDITOR="code --wait"', false],
  ] as const) {
    test(text, () => expect(lines(text).some((found) => found.includes('env:inject'))).toBe(expected))
  }
})

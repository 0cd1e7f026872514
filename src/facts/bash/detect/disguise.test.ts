import { describe, expect, test } from 'vitest'
import { facts } from '../harness.ts'

/** Reasons of every disguise that is found in a script. */
function disguises(text: string): readonly (string | null)[] {
  return facts(text)
    .effects.filter((found) => found.action === 'code:disguised')
    .map((found) => found.reason)
}

const LIST = 'the command is a list of alternatives'
const BLANK = 'the field separator stands for a blank'
const NUMBERS = 'plain characters are written as numbers'
const NAME = 'the name is written as numbers'
const PRINTED = 'the name is printed by another command'
const ESCAPED = 'letters of the name are escaped'
const PIECES = 'the name is put together from pieces'
const CUT = 'characters are cut out of other variables'

describe('a hidden spelling is told from a plain one', () => {
  for (const [text, expected] of [
    ['i\\d', ESCAPED],
    ['\\i\\d', ESCAPED],
    ['/us\\r/bin/id', ESCAPED],
    ['r\\x6d -f a', ESCAPED],
    ['i"d"', PIECES],
    ["i''d", PIECES],
    ["'i''d'", PIECES],
    ['/usr/b"i"n/id', PIECES],
    ['{id,-u}', LIST],
    ['{,id}', LIST],
    ['{l,-l}s', LIST],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['ls${IFS}-l', BLANK],
    ['ls$IFS-l', BLANK],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['ls -l${IFS}/srv/data', BLANK],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['ls${IFS:0:1}-l', BLANK],
    ["$'\\x6c\\x73\\x70' -l", NAME],
    ["cat $'\\x6e\\x6f\\x74\\x65'", NUMBERS],
    ["cat $'\\156\\157\\164\\145'", NUMBERS],
    ['$(printf id) -u', PRINTED],
    ['i$()d', PRINTED],
    ['`echo id` -u', PRINTED],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['ls ${PWD:0:1}srv', CUT],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['p=HOME; ls ${!p:0:1}srv', CUT],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    ['v=IFS; ls${!v}-l', CUT],
    ['true; (cd x && i\\d)', ESCAPED],
    ['bash -c \'i"d"\'', PIECES],
    ['echo $(i\\d)', ESCAPED],
  ] as const) {
    test(text, () => expect(disguises(text)).toEqual([expected]))
  }
})

describe('everyday spellings are plain', () => {
  for (const text of [
    'id',
    '\\ls -l',
    '"id" -u',
    "'id' -u",
    '"/opt/my tool/run" x',
    './"my tool" x',
    './my\\ tool x',
    '"$HOME/bin/tool" x',
    '"$TOOL"/bin/run',
    '$TOOL x',
    'X=ls; $X -l',
    'echo {a,b}',
    'cp file{,.bak}',
    'mkdir -p src/{a,b}',
    "IFS=$'\\n'",
    'OLD=$IFS',
    'echo "$IFS"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    'echo ${SHA:0:7}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    'echo "${PATH:0:1}x"',
    "grep $'\\t' f",
    "printf '\\x41\\x42\\x43\\x44'",
    'grep "a\\.b" f',
    'find . -name \\*.ts',
    'sed s/a\\\\b/c/ f',
    "git commit -m 'use {a,b}'",
    '$(which node) x.js',
    'command ls',
    '{ ls; }',
    'x+=1',
  ]) {
    test(text, () => expect(disguises(text)).toEqual([]))
  }
})

test('what a hidden command does is found as well', () => {
  const { effects } = facts('{rm,-rf,notes}')
  expect(effects.some((found) => found.verb === 'delete' && found.target.value === 'notes')).toBe(true)
})

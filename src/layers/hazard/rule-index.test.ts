import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VERBS, type Verb } from '../../core/effect.ts'
import { type Effect, effect, target } from '../../facts/effect.ts'
import { call, facts, policy } from '../../policy/testing/compiled.ts'
import { emptySession } from '../../session/state.ts'
import { HAZARD_RULES, hazard } from './index.ts'
import { PACKS } from './packs/index.ts'
import type { HazardRule } from './rule.ts'
import { type ActiveRule, admits, indexRules } from './rule-index.ts'

/** In the order of the packs, as a policy that switches all of them on has them. */
const ACTIVE: readonly ActiveRule[] = HAZARD_RULES.map((rule, place) => ({ rule, level: rule.level, place }))
const ACTIONS = [...new Set(HAZARD_RULES.flatMap(({ actions }) => actions ?? []))]
const on = (verb: Verb, action: string | null): Effect => effect(verb, target('unknown', 'x'), { action })

describe('which effects a rule is about', () => {
  for (const [said, verb, action, expected] of [
    [{}, 'read', null, true],
    [{}, 'opaque', 'a:b', true],
    [{ verbs: ['read'] }, 'read', null, true],
    [{ verbs: ['read'] }, 'read', 'a:b', true],
    [{ verbs: ['read'] }, 'write', null, false],
    [{ verbs: ['read', 'write'] }, 'write', null, true],
    [{ verbs: [] }, 'write', null, false],
    [{ actions: ['a:b'] }, 'read', 'a:b', true],
    [{ actions: ['a:b'] }, 'read', 'a:c', false],
    [{ actions: ['a:b'] }, 'read', 'a', false],
    [{ actions: ['a:b'] }, 'read', 'a:b:c', false],
    [{ actions: ['a:b'] }, 'read', null, false],
    [{ actions: ['a'] }, 'read', 'a', true],
    [{ actions: ['a'] }, 'read', 'a:b', true],
    [{ actions: ['a'] }, 'read', 'a:b:c', true],
    [{ actions: ['a'] }, 'read', 'ab:c', false],
    [{ actions: ['a'] }, 'read', '', false],
    [{ actions: ['a', 'c:d'] }, 'read', 'c:d', true],
    [{ actions: ['a', 'c:d'] }, 'read', 'c:e', false],
    [{ verbs: ['read'], actions: ['a'] }, 'read', 'a:b', true],
    [{ verbs: ['read'], actions: ['a'] }, 'write', 'a:b', false],
    [{ verbs: ['read'], actions: ['a'] }, 'read', 'b:a', false],
    [{ actions: ['constructor'] }, 'read', 'constructor:x', true],
  ] as const) {
    test(`${JSON.stringify(said)}: ${verb} ${action} ${expected}`, () => {
      expect(admits({ ...(HAZARD_RULES[0] as (typeof HAZARD_RULES)[number]), verbs: VERBS, ...said }, verb, action)).toBe(expected)
    })
  }
})

describe('the index', () => {
  test('answers every rule that admits an effect, in the order of the rules, also when asked again', () => {
    const rulesFor = indexRules(ACTIVE)
    const action = fc.oneof(
      fc.constant(null),
      fc.constantFrom(...ACTIONS),
      fc.constantFrom(...ACTIONS).map((each) => `${each}:x`),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.constantFrom(...VERBS), action, (verb, name) => {
        const expected = ACTIVE.filter(({ rule }) => admits(rule, verb, name))
        expect(rulesFor(on(verb, name))).toEqual(expected)
        expect(rulesFor(on(verb, name))).toEqual(expected)
      }),
      { numRuns: 1_000, seed: 3 },
    )
  })

  test('more actions than it remembers change no answer', () => {
    const rulesFor = indexRules(ACTIVE)
    const before = rulesFor(on('delete', 'fs:shred'))
    for (let i = 0; i < 10_000; i++) rulesFor(on('send', `x:${i}`))
    expect(rulesFor(on('delete', 'fs:shred'))).toEqual(before)
  })

  test('an effect that only reads is asked of few rules', () => {
    expect(indexRules(ACTIVE)(on('read', null)).length).toBeLessThan(HAZARD_RULES.length / 4)
  })
})

describe('the layer over the index finds what asking every rule of every effect finds', () => {
  const compiled = policy('')
  const everything = { ...compiled, hazards: { ...compiled.hazards, packs: new Set(PACKS.map(({ name }) => name)) } }
  const SPECIFIC = PACKS.filter(({ name }) => name !== 'review').flatMap(({ rules }) => rules.filter(({ otherwise }) => otherwise !== true))
  const classes = ['credential', 'system', 'device', 'home-root', 'vcs', 'ci', 'shell-startup', 'other-user', 'agent-instructions'] as const
  const anyEffect = fc.record({
    verb: fc.constantFrom(...VERBS),
    action: fc.oneof(fc.constant(null), fc.constantFrom(...ACTIONS), fc.constantFrom('secret:read', 'git:config', 'store:certificates')),
    target: fc.record({
      kind: fc.constantFrom('path', 'url', 'host', 'database', 'script', 'account', 'unknown'),
      value: fc.constantFrom('/etc/passwd', './-rf', '/dev/tty1', 'http://10.0.0.1', ''),
      real: fc.constantFrom(null, '/etc/cron.d/x', '10.0.0.1'),
      scope: fc.constantFrom('workspace', 'home', 'system', 'elsewhere', 'public', 'private', 'metadata', 'unknown'),
      classes: fc.subarray([...classes], { maxLength: 2 }),
    }),
    reversible: fc.boolean(),
    certainty: fc.constantFrom('certain', 'likely', 'possible'),
    span: fc.constant(null),
    reason: fc.constantFrom(null, 'x'),
    attributes: fc.dictionary(fc.constantFrom('recursive', 'mass', 'force', 'global', 'insecure', 'runs_code', 'ungated'), fc.boolean(), {
      maxKeys: 3,
    }),
  }) as fc.Arbitrary<Effect>

  test('same rules, same order, the first effect of each', () => {
    fc.assert(
      fc.property(fc.array(anyEffect, { maxLength: 5 }), (effects) => {
        const known = facts({ effects })
        const isAbout = (rule: HazardRule, each: Effect): boolean =>
          admits(rule, each.verb, each.action) && (rule.when?.(each, known, emptySession(0)) ?? true)
        // Of a rule about the rest: whatever a rule of another pack than `review` speaks of is not the rest.
        const isRest = (rule: HazardRule, each: Effect): boolean =>
          rule.otherwise !== true || !SPECIFIC.some((other) => isAbout(other, each))
        const expected = ACTIVE.flatMap(({ rule }) => {
          const hit = effects.find((each) => isAbout(rule, each) && isRest(rule, each))
          return hit === undefined ? [] : [[rule.id, hit.verb, hit.action, hit.target.value]]
        })
        const found = hazard.evaluate({ call: call('x'), facts: known, policy: everything, state: emptySession(0) })
        expect(found.map(({ rule, evidence }) => [rule, evidence.verb, evidence.action, evidence.target])).toEqual(expected)
      }),
      { numRuns: 2_000, seed: 5 },
    )
  })
})

/** What a form may offer beside one yes: from the effects alone, never wider than they are. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Effect, Target } from '../core/effect.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import { outside } from '../grants/grant.ts'
import { type GrantProposal, isDefinite, proposalsFor, widestGrant } from './proposals.ts'

const BINDING = { agent: 'a', role: null, user: null, tenant: null, session: null }
const NOW = 1_767_225_600_000

function effect(
  action: string | null,
  value: string,
  attributes: JsonObject = {},
  more: Partial<Effect> & { target?: Target } = {},
): Effect {
  const target: Target = { kind: 'repository', value, real: null, scope: 'unknown', classes: [] }
  return { verb: 'publish', action, target, reversible: true, certainty: 'certain', span: null, reason: null, attributes, ...more }
}

function askAbout({ action, target }: Effect, changes: Partial<Finding> = {}): Finding {
  const evidence = { action, target: target.value }
  return {
    layer: 'hazard',
    rule: 'r',
    verdict: 'ask',
    code: 'hazard.publish',
    message: '',
    advice: null,
    evidence,
    resolvers: ['grant', 'human'],
    ...changes,
  }
}

function grantsFor(effects: readonly Effect[], asks: readonly Finding[] = effects.map((each) => askAbout(each))): readonly GrantProposal[] {
  const reach = { session: null, grant: { within: 60_000, uses: 3 } }
  return proposalsFor({ acts: acts(effects), asks, ...reach, binding: BINDING, now: NOW }).offers.filter(
    (each): each is GrantProposal => each.kind === 'grant',
  )
}

const acts = (effects: readonly Effect[]) => effects.map((each, index) => ({ index, effect: each }))

const URL = 'https://git.example/a/b'
const push = effect('git:push', 'origin', { remote: 'origin', url: URL, branch: 'main', force: false, tags: false })

describe('a grant is proposed', () => {
  const cases: readonly (readonly [title: string, effect: Effect, scope: object | null])[] = [
    ['for a push', push, { target: 'origin', remote: 'origin', branch: 'main', details: { url: URL } }],
    ['for a package', effect('npm:publish', '@acme/x', { package: '@acme/x' }), { target: '@acme/x', package: '@acme/x', details: {} }],
    ['for a host', effect('deploy:deploy', 'web', { host: 'web1.example.com' }), { target: 'web', host: 'web1.example.com', details: {} }],
    [
      'for an amount',
      effect('payment:transfer', 'acme', { amount: 5, currency: 'EUR', recipient: 'acme' }, { verb: 'pay' }),
      { target: 'acme', maxAmount: 5, currency: 'EUR', details: { recipient: 'acme' } },
    ],
    ['not for an amount without a currency', effect('payment:transfer', 'acme', { amount: 5 }, { verb: 'pay' }), null],
    ['not for an amount that is text', effect('payment:transfer', 'acme', { amount: '5', currency: 'EUR' }, { verb: 'pay' }), null],
    ['not for force', effect('git:push', 'origin', { remote: 'origin', url: URL, branch: 'main', force: true }), null],
    ['not for deletion', effect('git:push', 'origin', { remote: 'origin', url: URL, branch: 'main', delete: true }), null],
    ['not for a mirror', effect('git:push', 'origin', { remote: 'origin', url: URL, branch: 'main', mirror: true }), null],
    ['not for all branches', effect('git:push', 'origin', { remote: 'origin', url: URL, branch: 'main', all: true }), null],
    ['not for several branches', effect('git:push', 'origin', { remote: 'origin', url: URL, branch: 'a b' }), null],
    ['not for a branch that is not known', effect('git:push', 'origin', { remote: 'origin', url: URL, branch: null }), null],
    ['not for a target that is not known', effect('git:push', '(unknown)', { remote: 'origin', url: URL, branch: 'main' }), null],
    ['not for a part of a name', effect('npm:publish', 'pkg-*'), null],
    ['not for a variable', effect('npm:publish', '$PKG'), null],
    ['not for a pattern in an attribute', effect('git:push', 'origin', { remote: '*', branch: 'main' }), null],
    ['not for an empty name', effect('npm:publish', ''), null],
    ['not without an action', effect(null, 'x'), null],
    ['not for an action that nobody can grant', effect('Publish!', 'x'), null],
    ['not for what cannot be told', effect('git:push', 'origin', {}, { verb: 'opaque' }), null],
  ]
  for (const [title, each, scope] of cases) {
    proves('T23', title, () => {
      const [proposal] = grantsFor([each])
      expect(proposal?.scope ?? null).toEqual(scope)
      if (proposal !== undefined) expect(outside(widestGrant(proposal), each)).toBeNull()
    })
  }

  const asks: readonly (readonly [title: string, ask: Finding, proposed: number])[] = [
    ['where a grant answers the question', askAbout(push), 1],
    ['where the gate of capabilities asks', askAbout(push, { code: 'capability.not_granted', resolvers: ['human'] }), 1],
    ['not where only people can answer', askAbout(push, { resolvers: ['human'] }), 0],
    ['not for a finding that asks nothing', askAbout(push, { verdict: 'flag' }), 0],
    ['not for a denial', askAbout(push, { verdict: 'deny' }), 0],
    ['not for another action', askAbout(push, { evidence: { action: 'git:pull', target: 'origin' } }), 0],
    ['not for another target', askAbout(push, { evidence: { action: 'git:push', target: 'x' } }), 0],
    ['not for a question about no effect', askAbout(push, { evidence: {} }), 0],
  ]
  for (const [title, ask, proposed] of asks) test(title, () => expect(grantsFor([push], [ask])).toHaveLength(proposed))

  test('once for effects that are the same, each with its count and its end', () => {
    const proposals = grantsFor([push, push, effect('npm:publish', 'x', { package: 'x' })])
    expect(proposals.map(({ action, count, expires }) => [action, count, expires])).toEqual([
      ['git:push', 3, NOW + 60_000],
      ['npm:publish', 3, NOW + 60_000],
    ])
  })

  test('for nobody where nobody is named', () => {
    const reach = { session: null, grant: { within: 60_000, uses: 3 } }
    expect(proposalsFor({ acts: acts([push]), asks: [askAbout(push)], ...reach, binding: null, now: NOW })).toEqual({
      offers: [],
      withheld: [],
    })
  })

  proves('T23', 'and covers no other target, branch or action, whatever these are called', () => {
    const name = fc.string({ minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(name, name, name, name, (target, branch, otherTarget, otherBranch) => {
        const mine = effect('git:push', target, { remote: target, url: URL, branch })
        const [proposal] = grantsFor([mine])
        if (proposal === undefined || (target === otherTarget && branch === otherBranch)) return
        const other = effect('git:push', otherTarget, { remote: otherTarget, url: URL, branch: otherBranch })
        const covered = outside(widestGrant(proposal), other) === null
        expect(covered && (otherTarget !== target || otherBranch !== branch)).toBe(false)
      }),
    )
  })
})

describe('an effect tells all', () => {
  const path = (classes: Target['classes'], real: string | null = '/repo/a'): Target => ({
    kind: 'path',
    value: 'a',
    real,
    scope: 'workspace',
    classes,
  })
  const cases: readonly (readonly [title: string, effect: Effect, definite: boolean])[] = [
    ['a push', push, true],
    ['a file', effect(null, 'a', {}, { verb: 'write', target: path([]) }), true],
    ['a plain file', effect(null, 'a', {}, { verb: 'write', target: path(['plain']) }), true],
    ['reading a credential', effect(null, 'a', {}, { verb: 'read', target: path(['credential']) }), true],
    ['writing a credential', effect(null, 'a', {}, { verb: 'write', target: path(['credential']) }), false],
    ['writing a start-up file', effect(null, 'a', {}, { verb: 'write', target: path(['shell-startup']) }), false],
    ['writing a pipeline', effect(null, 'a', {}, { verb: 'write', target: path(['ci']) }), false],
    ['a script that was read', effect('script:run', 'a', {}, { verb: 'execute', target: { ...path([]), kind: 'script' } }), true],
    [
      'a script that was not',
      effect('script:run', 'b', {}, { verb: 'execute', target: { ...path([], '/repo/b'), kind: 'script' } }),
      false,
    ],
    ['a program', effect('program:unknown', 'x', {}, { verb: 'execute' }), false],
    ['a message', effect('mail:send', 'a@b.c', {}, { verb: 'send' }), false],
    ['a payment', effect('payment:transfer', 'a', {}, { verb: 'pay' }), false],
    ['something left behind', effect(null, 'a', {}, { verb: 'persist' }), false],
    ['what cannot be told', effect(null, 'a', {}, { verb: 'opaque' }), false],
    ['code from elsewhere', effect('code:remote', 'a'), false],
    ['many files', effect(null, 'a', { mass: true }, { verb: 'delete', target: path([]) }), false],
    ['a path that is not resolved', effect(null, 'a', { unresolved: true }, { verb: 'delete', target: path([]) }), false],
    ['an unknown target', effect(null, 'a', {}, { target: { ...push.target, kind: 'unknown' } }), false],
  ]
  for (const [title, each, definite] of cases)
    proves('T23', `${definite ? '' : 'not '}of ${title}`, () => expect(isDefinite(each, new Set(['/repo/a']))).toBe(definite))
})

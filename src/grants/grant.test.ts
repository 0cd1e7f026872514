import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { JsonObject } from '../core/json.ts'
import { effect, target } from '../facts/effect.ts'
import { capabilityOf, gatedBy, isGateName, overlap } from './actions.ts'
import { allocate } from './allocate.ts'
import { type Grant, type GrantScope, type HeldGrant, isNarrower, lapse, matches, outside } from './grant.ts'

const NOBODY = { session: null, role: null, user: null, agent: null }

function grant(parts: Partial<HeldGrant> = {}): HeldGrant {
  return {
    id: 'g',
    action: 'git:push',
    scope: {},
    binding: NOBODY,
    notBefore: null,
    expires: null,
    count: null,
    parent: null,
    reason: '',
    author: 'test',
    source: 'store',
    used: 0,
    revoked: false,
    ...parts,
  }
}

const push = (attributes: JsonObject = {}) =>
  effect('publish', target('repository', 'origin'), {
    action: 'git:push',
    attributes: { remote: 'origin', branch: 'main', force: false, url: 'https://git.example/a/b', ...attributes },
  })
const publish = (value = 'left-pad', attributes: JsonObject = {}) =>
  effect('publish', target('package', value), { action: 'npm:publish', attributes })
const mail = (value: string, attributes: JsonObject = {}) => effect('send', target('address', value), { action: 'mail:send', attributes })
const pay = (attributes: JsonObject) => effect('pay', target('account', 'DE1'), { action: 'payment:transfer', attributes })

describe('what a grant covers', () => {
  const CASES: readonly (readonly [string, string, GrantScope, ReturnType<typeof push>, boolean])[] = [
    ['anything of its action', 'git:push', {}, push(), true],
    ['not another action', 'npm:publish', {}, push(), false],
    ['a family', 'git:*', {}, push(), true],
    ['not a family that only begins alike', 'gi:*', {}, push(), false],
    ['the other acts of a capability', 'npm:publish', {}, effect('delete', target('package', 'x'), { action: 'npm:unpublish' }), true],
    ['no effect without an action', 'git:push', {}, effect('write', target('path', 'x')), false],
    ['its remote', 'git:push', { remote: 'origin' }, push(), true],
    ['no other remote', 'git:push', { remote: 'upstream' }, push(), false],
    ['no remote that is not known', 'git:push', { remote: 'origin' }, push({ remote: null }), false],
    ['its branch', 'git:push', { branch: 'main' }, push(), true],
    ['branches by pattern', 'git:push', { branch: 'agent/*' }, push({ branch: 'agent/fix-1' }), true],
    ['not main by that pattern', 'git:push', { branch: 'agent/*' }, push(), false],
    ['every branch of several', 'git:push', { branch: 'a*' }, push({ branch: 'a1 a2' }), true],
    ['not one of several that differs', 'git:push', { branch: 'a*' }, push({ branch: 'a1 main' }), false],
    ['no branch that is not known', 'git:push', { branch: 'main' }, push({ branch: null }), false],
    ['not all branches', 'git:push', { branch: '*' }, push({ all: true }), false],
    ['not tags beside a branch', 'git:push', { branch: 'main' }, push({ tags: true }), false],
    ['its repository by URL', 'git:push', { repository: 'https://git.example/a/*' }, push(), true],
    ['no other repository', 'git:push', { repository: 'https://git.example/c/*' }, push(), false],
    ['no force by default', 'git:push', {}, push({ force: true }), false],
    ['no deletion by default', 'git:push', {}, push({ delete: true }), false],
    ['no mirror by default', 'git:push', {}, push({ mirror: true }), false],
    ['force where it says so', 'git:push', { force: true }, push({ force: true }), true],
    ['its package', 'npm:publish', { package: 'left-pad' }, publish(), true],
    ['no other package', 'npm:publish', { package: 'left-pad' }, publish('right-pad'), false],
    ['the package that stands in the directory', 'npm:publish', { package: 'left-pad' }, publish('.', { package: 'left-pad' }), true],
    ['no package that is not known', 'npm:publish', { package: 'left-pad' }, publish('.'), false],
    ['any name by target', 'npm:publish', { target: 'left-*' }, publish(), true],
    ['not by part of a name', 'npm:publish', { target: 'left' }, publish(), false],
    ['recipients of its domain', 'mail:send', { recipientDomain: 'acme.test' }, mail('a@ACME.test'), true],
    ['no subdomain', 'mail:send', { recipientDomain: 'acme.test' }, mail('a@x.acme.test'), false],
    ['no name that ends alike', 'mail:send', { recipientDomain: 'acme.test' }, mail('a@notacme.test'), false],
    [
      'every recipient',
      'mail:send',
      { recipientDomain: 'acme.test' },
      mail('a@acme.test', { recipients: ['a@acme.test', 'b@evil.test'] }),
      false,
    ],
    ['no copy outside', 'mail:send', { recipientDomain: 'acme.test' }, mail('a@acme.test', { cc: 'b@evil.test' }), false],
    ['no blind copy outside', 'mail:send', { recipientDomain: 'acme.test' }, mail('a@acme.test', { bcc: ['b@evil.test'] }), false],
    [
      'no second name in one text',
      'mail:send',
      { recipientDomain: 'acme.test' },
      mail('a@acme.test', { recipients: 'a@acme.test, b@evil.test' }),
      false,
    ],
    [
      'copies inside',
      'mail:send',
      { recipientDomain: 'acme.test' },
      mail('a@acme.test', { cc: 'b@acme.test; c@ACME.test', bcc: [] }),
      true,
    ],
    ['nobody behind a display name', 'mail:send', { recipientDomain: 'acme.test' }, mail('"x@evil.test" <a@acme.test>'), false],
    ['no address with two signs', 'mail:send', { recipientDomain: 'acme.test' }, mail('a@evil.test@acme.test'), false],
    [
      'no recipient that is no text',
      'mail:send',
      { recipientDomain: 'acme.test' },
      mail('a@acme.test', { cc: [{ email: 'b@evil.test' }] }),
      false,
    ],
    ['nobody', 'mail:send', { recipientDomain: 'acme.test' }, mail(''), false],
    ['amounts up to its limit', 'payment', { maxAmount: 10, currency: 'EUR' }, pay({ amount: 10, currency: 'eur' }), true],
    ['no higher amount', 'payment', { maxAmount: 10, currency: 'EUR' }, pay({ amount: 10.01, currency: 'EUR' }), false],
    ['no negative amount', 'payment', { maxAmount: 10 }, pay({ amount: -1 }), false],
    ['no other currency', 'payment', { maxAmount: 10, currency: 'EUR' }, pay({ amount: 1, currency: 'USD' }), false],
    ['no amount that is not known', 'payment', { maxAmount: 10 }, pay({}), false],
    ['no amount written as text', 'payment', { maxAmount: 10 }, pay({ amount: '1' }), false],
  ]
  for (const [title, action, scope, made, expected] of CASES) {
    test(title, () => expect(outside(grant({ action, scope }), made) === null).toBe(expected))
  }
})

describe('when a grant holds', () => {
  const now = Date.parse('2026-06-08T00:00:00Z')
  const asking = { ...NOBODY, now, session: 's', role: 'coder' }
  const CASES: readonly (readonly [string, Partial<HeldGrant>, boolean])[] = [
    ['without limits', {}, true],
    ['until it ends', { expires: now + 1 }, true],
    ['not at its end', { expires: now }, false],
    ['from its beginning', { notBefore: now }, true],
    ['not before', { notBefore: now + 1 }, false],
    ['while uses are left', { count: 2, used: 1 }, true],
    ['not when used up', { count: 2, used: 2 }, false],
    ['not after it was revoked', { revoked: true }, false],
    ['for its session', { binding: { ...NOBODY, session: 's' } }, true],
    ['for no other session', { binding: { ...NOBODY, session: 't' } }, false],
    ['for its role', { binding: { ...NOBODY, role: 'coder' } }, true],
    ['for no caller without the user', { binding: { ...NOBODY, user: 'ann' } }, false],
    ['for no other agent', { binding: { ...NOBODY, agent: 'x' } }, false],
  ]
  for (const [title, parts, expected] of CASES) test(title, () => expect(lapse(grant(parts), asking) === null).toBe(expected))
})

describe('narrowing', () => {
  const parent = grant({ id: 'p', scope: { branch: 'agent/*' }, count: 3, expires: 100, binding: { ...NOBODY, session: 's' } })
  const child = (parts: Partial<Grant> = {}) =>
    grant({ id: 'c', parent: 'p', scope: { branch: 'agent/*' }, count: 3, expires: 100, binding: { ...NOBODY, session: 's' }, ...parts })
  const CASES: readonly (readonly [string, Partial<Grant>, boolean])[] = [
    ['the same', {}, true],
    ['one branch of a pattern', { scope: { branch: 'agent/a' } }, true],
    ['more fields', { scope: { branch: 'agent/*', remote: 'origin' } }, true],
    ['fewer uses', { count: 1 }, true],
    ['an earlier end', { expires: 50 }, true],
    ['another pattern', { scope: { branch: 'agent*' } }, false],
    ['a pattern inside of the pattern is not told apart', { scope: { branch: 'agent/a*' } }, false],
    ['a branch outside', { scope: { branch: 'main' } }, false],
    ['no scope', { scope: {} }, false],
    ['more uses', { count: 4 }, false],
    ['uses without end', { count: null }, false],
    ['a later end', { expires: 101 }, false],
    ['no end', { expires: null }, false],
    ['another session', { binding: { ...NOBODY, session: 't' } }, false],
    ['any session', { binding: NOBODY }, false],
    ['force', { scope: { branch: 'agent/*', force: true } }, false],
    ['another action', { action: 'npm:publish' }, false],
    ['the family of its action', { action: 'git:*' }, false],
  ]
  for (const [title, parts, expected] of CASES) test(title, () => expect(isNarrower(child(parts), parent)).toBe(expected))

  test('amounts', () => {
    const wide = grant({ action: 'payment', scope: { maxAmount: 10, currency: 'EUR' } })
    expect(isNarrower(grant({ action: 'payment', scope: { maxAmount: 5, currency: 'EUR' } }), wide)).toBe(true)
    expect(isNarrower(grant({ action: 'payment', scope: { maxAmount: 11, currency: 'EUR' } }), wide)).toBe(false)
    expect(isNarrower(grant({ action: 'payment', scope: { maxAmount: 5 } }), wide)).toBe(false)
  })

  test('a narrowed grant covers nothing that its parent does not', () => {
    const word = fc.constantFrom('a', 'b', 'a*', '*', 'ab')
    const scope = fc.record({
      branch: fc.option(word, { nil: undefined }),
      remote: fc.option(word, { nil: undefined }),
      force: fc.boolean(),
    })
    const clean = (parts: object) => Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as GrantScope
    fc.assert(
      fc.property(scope, scope, word, word, fc.boolean(), (outer, inner, branch, remote, force) => {
        const wide = grant({ scope: clean(outer) })
        const narrow = grant({ scope: clean(inner), parent: wide.id })
        const made = push({ branch, remote, force })
        if (isNarrower(narrow, wide) && outside(narrow, made) === null) expect(outside(wide, made)).toBeNull()
      }),
      { seed: 7 },
    )
  })
})

describe('giving each effect its own grant', () => {
  const asking = { ...NOBODY, now: 0 }
  const wanted = (...effects: ReturnType<typeof push>[]) => effects.map((each, index) => ({ index, effect: each }))
  const ids = (effects: ReturnType<typeof push>[], grants: HeldGrant[]) =>
    allocate(wanted(...effects), grants, asking).map((each) => each.grant?.id ?? null)

  proves(['ROS-33', 'ROS-W1'], 'every gated effect needs its own', () => {
    expect(ids([publish(), push()], [grant({ action: 'npm:publish', id: 'n' })])).toEqual(['n', null])
  })
  test('two effects take two uses', () => {
    expect(ids([push(), push()], [grant({ count: 1 })])).toEqual(['g', null])
    expect(ids([push(), push()], [grant({ count: 2 })])).toEqual(['g', 'g'])
  })
  test('the tightest is spent first', () => {
    const tight = grant({ id: 'tight', scope: { branch: 'main', remote: 'origin' } })
    expect(ids([push()], [grant({ id: 'wide' }), tight])).toEqual(['tight'])
    expect(ids([push()], [grant({ id: 'late', expires: 20 }), grant({ id: 'soon', expires: 10 })])).toEqual(['soon'])
  })
  test('uses of a narrowed grant count at its parent', () => {
    const parent = grant({ id: 'p', count: 1, binding: { ...NOBODY, session: 'never' } })
    const a = grant({ id: 'a', parent: 'p', count: 1 })
    expect(ids([push()], [parent, a])).toEqual([null])
    const open = grant({ id: 'p', count: 1 })
    expect(ids([push(), push()], [open, grant({ id: 'a', parent: 'p', scope: { branch: 'main' } })])).toEqual(['a', null])
  })
  test('a grant whose parent is gone, revoked or its own child covers nothing', () => {
    expect(ids([push()], [grant({ id: 'a', parent: 'gone' })])).toEqual([null])
    expect(ids([push()], [grant({ id: 'p', revoked: true }), grant({ id: 'a', parent: 'p' })])).toEqual([null])
    expect(ids([push()], [grant({ id: 'a', parent: 'b' }), grant({ id: 'b', parent: 'a' })])).toEqual([null])
  })
  test('says what stands in the way', () => {
    expect(allocate(wanted(push()), [grant({ expires: 0 })], asking)[0]?.obstacle).toBe('grant g: it expired')
    expect(allocate(wanted(push()), [], asking)[0]?.obstacle).toBeNull()
  })
})

describe('patterns', () => {
  for (const [pattern, text, expected] of [
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['a*b', 'ab', true],
    ['a*b', 'axxb', true],
    ['a*b', 'axxbc', false],
    ['*a*', 'bab', true],
    ['a.c', 'abc', false],
    ['[a]', '[a]', true],
    ['**', 'x', true],
  ] as const) {
    test(`${pattern} ${expected ? 'is' : 'is not'} ${text}`, () => expect(matches(pattern, text)).toBe(expected))
  }
  test('are linear on hostile text', () => expect(matches(`${'a*'.repeat(2_000)}b`, 'a'.repeat(20_000))).toBe(false))
})

test('names of what can be gated', () => {
  for (const name of ['git:push', 'k8s:*', 'payment', 'deploy', 'gh:pr-merge']) expect([name, isGateName(name)]).toEqual([name, true])
  for (const name of ['', 'git', '*', 'git:', ':push', 'Git:push', 'git:push x', 'git:p*'])
    expect([name, isGateName(name)]).toEqual([name, false])
  expect(capabilityOf('npm:unpublish')).toBe('npm:publish')
  expect(capabilityOf('fs:copy')).toBeNull()
  expect(gatedBy(new Set(['npm:publish']), 'npm:deprecate')).toBe('npm:publish')
  expect(gatedBy(new Set(['k8s:*']), 'k8s:scale')).toBe('k8s:*')
  expect(gatedBy(new Set(['k8s:apply']), 'k8s:delete')).toBeNull()
})

describe('names that cover a common action', () => {
  for (const [a, b, expected] of [
    ['git:push', 'git:push', true],
    ['git:*', 'git:push', true],
    ['npm:publish', 'npm:unpublish', true],
    ['npm:*', 'npm:publish', true],
    ['payment', 'payment:refund', true],
    ['payment', 'payment:*', true],
    ['deploy', 'gitops:apply', true],
    ['k8s:*', 'k8s:delete', true],
    ['db:migrate', 'sql:*', true],
    ['git:push', 'gh:release', false],
    ['git:*', 'gitops:apply', false],
    ['k8s:apply', 'k8s:delete', false],
    ['payment', 'mail:send', false],
    ['constructor', 'git:push', false],
  ] as const) {
    test(`${a} and ${b}: ${expected}`, () => expect([overlap(a, b), overlap(b, a)]).toEqual([expected, expected]))
  }
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOTE } from '../../test/support/records.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { opened, tamper, windBack } from '../../test/support/store.ts'
import type { Effect } from '../core/effect.ts'
import { effect, target } from '../facts/effect.ts'
import { loadKeys } from '../store/sqlite/keys.ts'
import { exactName, type Grant, type GrantBinding, type GrantScope, lapse, outside } from './grant.ts'
import { mintGrant } from './mint.ts'
import { findGrants, readGrants, revokeGrant, useCounter } from './store.ts'

const NOW = 1_000

const name = fc.constantFrom('a', 'b', 'a*', 'x y', 'acme.test', 'a\0b', 'é', 'https://git.example/a/b')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const scope = fc
  .record({
    target: maybe(name),
    package: maybe(name),
    remote: maybe(name),
    branch: maybe(name),
    recipientDomain: maybe(fc.constantFrom('acme.test', 'ACME.test', 'evil.test')),
    force: maybe(fc.boolean()),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as GrantScope)
const who = fc.option(fc.constantFrom('x', 'y', 'a\0b'), { nil: null, freq: 2 })
const binding: fc.Arbitrary<GrantBinding> = fc.record({ session: who, agent: who, user: who, role: who, tenant: who })
const ACTIONS = ['git:push', 'npm:publish', 'npm:unpublish', 'mail:send', 'k8s:delete'] as const
const granted = fc.record({
  action: fc.constantFrom(...ACTIONS, 'git:*', 'k8s:*', 'npm:*'),
  scope,
  binding,
  notBefore: fc.option(fc.constantFrom(NOW - 1, NOW + 1), { nil: null }),
  expires: fc.option(fc.constantFrom(NOW, NOW + 0.5, NOW + 1), { nil: null }),
  count: fc.constant(null),
  parent: fc.constant(null),
  reason: fc.constant('r'),
})
const EFFECTS: fc.Arbitrary<Effect> = fc
  .record({ action: fc.constantFrom(...ACTIONS), value: name, attribute: name, mail: name })
  .map((parts) =>
    effect('publish', target(parts.action.startsWith('npm') ? 'package' : 'repository', parts.value), {
      action: parts.action,
      attributes: { remote: parts.attribute, branch: `${parts.value} ${parts.attribute}`, to: `x@${parts.mail}` },
    }),
  )

test('whatever covers an effect for the caller is found, and only what is for its action', async () => {
  const directory = stateDirectoryOfTest()
  const store = opened({ directory })
  const { current, ring } = loadKeys(directory)
  await fc.assert(
    fc.asyncProperty(fc.array(granted, { minLength: 1, maxLength: 12 }), EFFECTS, binding, async (all, wanted, asking) => {
      await store.run((tx) => {
        tx.run('DELETE FROM grants')
        for (const [index, asked] of all.entries()) {
          // What was agreed to in every detail names its target as it is, stars included.
          const exact =
            index % 3 === 0 ? { ...asked, action: wanted.action ?? '', scope: { target: exactName(wanted), details: {} } } : asked
          const { id } = mintGrant(tx, exact, { signer: current, author: 'test' })
          if (index % 5 === 4) revokeGrant(tx, id, { now: NOW, signer: current })
        }
      }, NOTE)
      store.query((tx) => {
        const covers = (grant: Grant) => outside(grant, wanted) === null
        const holding = readGrants(tx, ring, NOW).filter((grant) => covers(grant) && lapse(grant, { ...asking, now: NOW }) === null)
        const found = findGrants({ tx, ring, now: NOW, effect: wanted, asking })
        expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(holding.map(({ id }) => id)))
        for (const grant of found) expect(outside({ ...grant, scope: { force: true } }, wanted)).toBeNull()
      })
    }),
    { numRuns: 60, seed: 11 },
  )
})

const ANYBODY: GrantBinding = { session: null, agent: null, user: null, role: null }
const asked = (parts: Partial<Grant> = {}) => ({
  ...{ action: 'git:push', scope: {}, binding: ANYBODY, notBefore: null, expires: null, count: null, parent: null, reason: 'r' },
  ...parts,
})
const push = effect('publish', target('repository', 'origin'), { action: 'git:push', attributes: { remote: 'origin', branch: 'main' } })

test('where none holds, a few tell why: the nearest ones, and never more than a few', async () => {
  const directory = stateDirectoryOfTest()
  const store = opened({ directory })
  const { current, ring } = loadKeys(directory)
  const found = () => store.query((tx) => findGrants({ tx, ring, now: NOW, effect: push, asking: { ...ANYBODY, session: 's' } }))
  await store.run((tx) => {
    for (let i = 0; i < 50; i++)
      mintGrant(tx, asked({ binding: { ...ANYBODY, session: `other-${i}` } }), { signer: current, author: 'test' })
  }, NOTE)
  expect(found()).toHaveLength(8)
  const { result: mine } = await store.run(
    (tx) => mintGrant(tx, asked({ expires: NOW - 1, binding: { ...ANYBODY, session: 's' } }), { signer: current, author: 'test' }),
    NOTE,
  )
  expect(found().map(({ id }) => id)).toEqual([mine.id])
})

test('a grant comes with those that it was narrowed from, whoever they are for', async () => {
  const directory = stateDirectoryOfTest()
  const store = opened({ directory })
  const { current, ring } = loadKeys(directory)
  const by = { signer: current, author: 'test' }
  const { result } = await store.run((tx) => {
    const top = mintGrant(tx, asked({ action: 'git:*', binding: { ...ANYBODY, role: 'other' } }), by)
    const middle = mintGrant(tx, asked({ parent: top.id, scope: { branch: 'ma*' } }), by)
    const child = mintGrant(tx, asked({ parent: middle.id, scope: { branch: 'main' } }), by)
    tx.add(useCounter(top.id), 3, { now: NOW, expiresAt: null })
    return [top.id, middle.id, child.id]
  }, NOTE)
  const found = store.query((tx) => findGrants({ tx, ring, now: NOW, effect: push, asking: ANYBODY }))
  expect(found.map(({ id }) => id).toSorted()).toEqual(result.toSorted())
  expect(found.find(({ id }) => id === result[0])?.used).toBe(3)
})

test('grants from before there were columns to find them by are found, and rows that are no grants stop nothing', async () => {
  const directory = stateDirectoryOfTest()
  const store = opened({ directory })
  const { current, ring } = loadKeys(directory)
  const by = { signer: current, author: 'test' }
  const rows = await store.run((tx) => {
    mintGrant(tx, asked({ scope: { remote: 'origin' } }), by)
    mintGrant(tx, asked({ expires: NOW - 1 }), by)
    return tx.all('SELECT id, body, key, mac FROM grants')
  }, NOTE)
  store.close()
  const put = rows.result.map(({ id, body, key, mac }) => `INSERT INTO grants VALUES ('${id}', '${body}', '${key}', '${mac}', NULL);`)
  const forged = [`'{'`, `'[]'`, `'{"action": 1, "expires": "x"}'`, `'{"action": "git:push", "expires": 1e300}'`]
  const bad = forged.map((body, index) => `INSERT INTO grants VALUES ('bad-${index}', ${body}, 'k', 'm', NULL);`)
  tamper(directory, `${windBack(11)} ${put.join('')} ${bad.join('')}`)
  const again = opened({ directory })
  const found = again.query((tx) => findGrants({ tx, ring, now: NOW, effect: push, asking: ANYBODY }))
  expect(found.map(({ scope: { remote } }) => remote)).toEqual(['origin'])
  expect(again.query((tx) => readGrants(tx, ring, NOW))).toHaveLength(2)
})

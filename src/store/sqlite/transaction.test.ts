import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input } from '../../../test/support/records.ts'
import { filledStore, numbers, rejection } from '../../../test/support/store.ts'
import { auditVerify } from '../../audit/log.ts'
import { StoreError } from '../store.ts'
import type { StoreOptions } from './open.ts'

describe.each(ENGINES)('%s', (engine) => {
  const filled = (count: number, options: Partial<StoreOptions> = {}) => filledStore(engine, count, options)

  describe('work and record in one transaction', () => {
    const life = { now: 1_000, expiresAt: null }

    proves('P5', 'both are kept, and the record may tell what the work found', async () => {
      const { store } = await filled(0)
      const use = () =>
        store.run(
          (tx) => tx.add(['default', 'uses', 'grant-1'], 1, life),
          (uses) => input(uses, { kind: 'grant', decision: uses > 2 ? 'deny' : 'allow' }),
        )
      const uses = await Promise.all([use(), use(), use()])
      expect(uses.map(({ result }) => result)).toEqual([1, 2, 3])
      expect([...store.read({})].map(({ decision }) => decision)).toEqual(['allow', 'allow', 'deny'])
      expect(store.query((tx) => tx.count(['default', 'uses', 'grant-1'], 1_000))).toBe(3)
    })

    test('work that throws changes nothing, appends nothing, and harms no neighbour', async () => {
      const { directory, store } = await filled(0)
      const failure = new Error('no')
      const results = await Promise.allSettled([
        store.append(input(1)),
        store.run((tx) => {
          tx.add(['t', 'n'], 5, life)
          throw failure
        }, input(2)),
        store.run((tx) => tx.add(['t', 'n'], 1, life), input(3)),
        store.run(
          (tx) => tx.add(['t', 'n'], 7, life),
          () => {
            throw failure
          },
        ),
        store.run((tx) => tx.add(['t', 'n'], 9, life), input(4, { body: { half: '\udfff' } })),
        store.append(input(5)),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
      expect(results[1]).toMatchObject({ reason: failure })
      expect(numbers(store)).toEqual([1, 3, 5])
      expect(store.query((tx) => tx.count(['t', 'n'], 0))).toBe(1)
      expect(auditVerify({ directory }).ok).toBe(true)
    })

    test('work with SQL that fails is undone, even where it hides the failure', async () => {
      const { store } = await filled(0)
      const broken = await rejection(store.run((tx) => tx.run('INSERT INTO nothing VALUES (?)', 1), input(1)))
      expect(broken).toMatchObject({ code: 'infra.audit_unavailable' })
      const hidden = await rejection(
        store.run((tx) => {
          tx.add(['t', 'n'], 1, life)
          try {
            tx.run('INSERT INTO counters (key, value) VALUES (?, NULL)', 'x')
          } catch {
            return 'fine'
          }
          return 'fine'
        }, input(1)),
      )
      expect(hidden).toBeInstanceOf(StoreError)
      expect(store.query((tx) => tx.count(['t', 'n'], 0))).toBe(0)
      expect(numbers(store)).toEqual([])
    })

    test('work knows the id that its record will have, also among others and where the clock is set back', async () => {
      const { store } = await filled(2)
      const named = (at: number) => store.run((tx) => [tx.recordId(at), tx.recordId(at)], input(1, { at }))
      const done = await Promise.all([named(5_000), store.append(input(1, { at: 6_000 })), named(5_000), named(0)])
      for (const each of done) if ('result' in each) expect(each.result).toEqual([each.receipt.id, each.receipt.id])
      const ids = done.map((each) => ('result' in each ? each.receipt.id : each.id))
      expect(ids.toSorted()).toEqual(ids)
    })

    test('a record of another time than its id was asked for is refused', async () => {
      const { store } = await filled(0)
      expect(await rejection(store.run((tx) => tx.recordId(10), input(1, { at: 11 })))).toBeInstanceOf(TypeError)
      expect(numbers(store)).toEqual([])
    })

    test('asynchronous work and a handle used too late are refused', async () => {
      const { store } = await filled(0)
      expect(await rejection(store.run(async () => 1, input(1)))).toBeInstanceOf(TypeError)
      let kept: (() => unknown) | undefined
      await store.run((tx) => {
        kept = () => tx.add(['t', 'n'], 1, life)
      }, input(2))
      expect(() => kept?.()).toThrow('the transaction is over')
      expect(numbers(store)).toEqual([2])
    })

    test('work sees what it wrote, and reads values as they were bound', async () => {
      const { store } = await filled(0)
      const { result } = await store.run((tx) => {
        tx.run('INSERT INTO counters (key, value, expires_at) VALUES (?, ?, ?)', 'k\0k', 4, null)
        return [tx.get('SELECT key, value FROM counters')?.key, tx.all('SELECT value FROM counters').length]
      }, input(1))
      expect(result).toEqual(['k\0k', 1])
    })

    test('counters: exact keys, expiry, and whole numbers only', async () => {
      const { store } = await filled(0)
      const add = async (key: readonly [string, ...string[]], by: number, now: number, expiresAt: number | null) =>
        (await store.run((tx) => tx.add(key, by, { now, expiresAt }), input(1))).result
      expect(await add(['a', 'b'], 2, 0, 100)).toBe(2)
      expect(await add(['a', 'b'], 3, 50, 80)).toBe(5)
      expect(await add(['a,b'], 1, 50, null)).toBe(1)
      expect(store.query((tx) => [tx.count(['a', 'b'], 99), tx.count(['a', 'b'], 100), tx.count(['b'], 0)])).toEqual([5, 0, 0])
      expect(await add(['a', 'b'], 1, 100, 200)).toBe(1)
      expect(await add(['a', 'b'], -1, 100, 200)).toBe(0)
      expect(await add(['a,b'], 1, 9e15, null)).toBe(2)
      expect(await rejection(add(['a'], 0.5, 0, null))).toBeInstanceOf(TypeError)
    })
  })
})

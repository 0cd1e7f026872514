import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input } from '../../../test/support/records.ts'
import { filledStore, numbers, opened } from '../../../test/support/store.ts'
import { type Connection, connect, databasePath } from './connection.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const ADD = "INSERT INTO counters (key, value) VALUES ('k', 1)"
const PUT = ADD.replace('INSERT', 'INSERT OR REPLACE')

describe.each(ENGINES)('%s', (engine) => {
  /** Two connections to one file, as two processes have them. */
  const two = async (busyMilliseconds = 7): Promise<readonly [Connection, Connection]> => {
    const { directory } = await filledStore(engine, 1)
    const open = () => connect(databasePath(directory), { engine, busyMilliseconds })
    return [open(), open()]
  }

  const writes = (one: Connection, sql: string): void => {
    expect(one.tryBegin(true)).toBe(true)
    one.run(sql, [])
    one.exec('COMMIT')
  }

  /** Pages in the journal from its start. */
  const pagesOf = (one: Connection): number => Number(one.get('PRAGMA wal_checkpoint(PASSIVE)')?.log)

  const CHANGES: readonly [name: string, act: (one: Connection, other: Connection) => void, rises: boolean][] = [
    ['nothing', () => {}, false],
    ['a read', (one) => void one.get('SELECT 1 AS a'), false],
    ['an insert of its own', (one) => writes(one, ADD), true],
    ['an insert that also answers', (one) => void one.get(`${ADD} RETURNING value`), true],
    ['an insert or a replacement', (one) => writes(one, ADD.replace('INSERT', 'INSERT OR REPLACE')), true],
    ['an update', (one) => writes(one, 'UPDATE counters SET value = 2'), true],
    ['a deletion', (one) => writes(one, 'DELETE FROM counters'), true],
    ['a write that is put another way', (one) => writes(one, `WITH a AS (SELECT 1) ${ADD}`), true],
    ['a write to another table', (one) => writes(one, 'DELETE FROM withheld'), false],
    ['a write of somebody else, to whatever table', (_one, other) => writes(other, 'DELETE FROM withheld WHERE 0'), false],
    ['a write of somebody else', (_one, other) => writes(other, ADD), true],
    [
      'a write of its own that is taken back',
      (one) => {
        one.tryBegin(true)
        one.run('DELETE FROM withheld', [])
        one.rollBack()
      },
      true,
    ],
    [
      'a part of a transaction that is taken back',
      (one) => {
        one.tryBegin(true)
        one.run('SAVEPOINT item', [])
        one.rollBackTo('item')
        one.exec('COMMIT')
      },
      true,
    ],
  ]

  test.each(CHANGES)('what was read may have changed: %s', async (_name, act, rises) => {
    const [one, other] = await two()
    const before = one.generation.of('counters')
    act(one, other)
    await turn()
    expect(one.generation.of('counters') > before).toBe(rises)
    one.close()
    other.close()
  })

  proves('P7', 'a transaction looks anew, however often this turn of the event loop has looked', async () => {
    const [one, other] = await two()
    const before = one.generation.others()
    writes(other, ADD)
    expect(one.generation.others()).toBe(before)
    one.tryBegin(true)
    expect(one.generation.others()).toBe(before + 1)
    one.rollBack()
    one.close()
    other.close()
  })

  proves('P7', 'a counter that another process counts is seen, and one that was taken back is not', async () => {
    const { directory, store } = await filledStore(engine, 0)
    const other = opened({ directory, engine })
    const key = ['t', 'uses'] as const
    const count = () => store.query((tx) => tx.count(key, 0))
    const life = { now: 0, expiresAt: null }
    expect(count()).toBe(0)
    await other.run((tx) => tx.add(key, 2, life), input(1))
    expect(count()).toBe(2)
    const refused = store.run((tx) => {
      const inside = tx.add(key, 5, life)
      throw new Error(`there are ${inside}`)
    }, input(2))
    await expect(refused).rejects.toThrow('there are 7')
    expect(count()).toBe(2)
    expect((await store.run((tx) => [tx.count(key, 0), tx.add(key, 1, life), tx.count(key, 0)], input(3))).result).toEqual([2, 3, 3])
    expect(numbers(store)).toEqual([1, 3])
  })

  test.each([true, false])('the journal is written from its start again after a copy that is finished: %s', async (finished) => {
    const [one, other] = await two()
    for (let i = 0; i < 9; i += 1) writes(one, PUT)
    // Whoever reads what was there before the last commit keeps that from being copied, as a commit does that comes during the copy.
    const reader = connect(one.path, { engine, busyMilliseconds: 7 })
    reader.exec('BEGIN')
    reader.get('SELECT value FROM counters')
    writes(one, PUT)
    expect(other.checkpoint()).toBe(false)
    reader.exec('COMMIT')
    if (finished) other.finishCheckpoint()
    writes(one, PUT)
    expect(pagesOf(other) < 9).toBe(finished)
    expect(other.get("SELECT value FROM counters WHERE key = 'k'")).toEqual(one.get("SELECT value FROM counters WHERE key = 'k'"))
    for (const each of [reader, one, other]) each.close()
  })

  proves('P5', 'a copy that meets a commit under way leaves the rest to the next one, and waits for nobody', async () => {
    const [one, other] = await two(60_000)
    for (let i = 0; i < 9; i += 1) writes(one, PUT)
    one.tryBegin(true)
    one.run(PUT, [])
    other.finishCheckpoint()
    one.exec('COMMIT')
    other.finishCheckpoint()
    writes(one, PUT)
    expect(pagesOf(other)).toBeLessThan(9)
    one.close()
    other.close()
  })

  test('a statement that finds a lock waits as long as it was told, also after a commit that would not wait', async () => {
    const [one, other] = await two()
    const wait = () => Object.values(one.get('PRAGMA busy_timeout') ?? {})[0]
    expect(wait()).toBe(7)
    expect(other.tryBegin(true)).toBe(true)
    expect(one.tryBegin(false)).toBe(false)
    expect(wait()).toBe(0)
    expect(() => one.exec('BEGIN IMMEDIATE')).toThrow('locked')
    expect(wait()).toBe(7)
    other.exec('COMMIT')
    expect(one.tryBegin(false)).toBe(true)
    one.rollBack()
    one.close()
    other.close()
  })
})

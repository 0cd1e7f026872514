/** What a store that is closed leaves in its journal, and what the next one makes of it. What was to hold was written down first. */
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../../test/support/records.ts'
import { emptyJournal, numbers, opened } from '../../../test/support/store.ts'
import { auditVerify } from '../../audit/log.ts'
import { StoreError } from '../store.ts'
import { databasePath } from './connection.ts'
import { openReadStore, type StoreOptions } from './open.ts'

/** 128 pages, each with its head. */
const SHORT = 128 * 4_120 + 32
const journal = (directory: string): number => statSync(`${databasePath(directory)}-wal`, { throwIfNoEntry: false })?.size ?? 0

describe.each(ENGINES)('%s', (engine) => {
  /** One process after the other, as hooks are: each opens the store, appends once, and closes it. */
  const hooks = async (directory: string, from: number, count: number, more: Partial<StoreOptions> = {}): Promise<number[]> => {
    const lengths: number[] = []
    for (let number = from; number < from + count; number += 1) {
      const store = opened({ directory, engine, ...more })
      await store.append(input(number))
      store.close()
      lengths.push(journal(directory))
    }
    return lengths
  }
  const wasRefused = (directory: string): boolean => {
    try {
      opened({ directory, engine })
      return false
    } catch (error) {
      return error instanceof StoreError
    }
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  proves(['P5', 'T33'], 'what short journals hold is read by the next, and none becomes long', async () => {
    const directory = temporaryDirectory()
    const lengths = await hooks(directory, 1, 120)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(SHORT)
    const next = opened({ directory, engine })
    expect(numbers(next)).toEqual(upTo(120))
    next.close()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 120 })
  })

  // Node's own SQLite copies the journal whenever the last one closes the file.
  test.runIf(engine === 'libsql')('a hook leaves its journal to the next; one in many copies it', async () => {
    const directory = temporaryDirectory()
    await hooks(directory, 1, 1)
    const lengths = await hooks(directory, 2, 60)
    const copied = lengths.filter((bytes) => bytes === 0).length
    expect(copied).toBeGreaterThan(1)
    expect(copied).toBeLessThan(12)
  })

  const CLOSED: readonly [what: string, record: () => object, more: Partial<StoreOptions>][] = [
    ['a long journal', () => ({ padding: 'x'.repeat(SHORT) }), {}],
    ['the journal of whoever stays, which has its room', () => ({}), { grown: () => {} }],
  ]

  test.each(CLOSED)('%s is copied by whoever closes it', async (_what, record, more) => {
    const directory = temporaryDirectory()
    const store = opened({ directory, engine, ...more })
    await store.append(input(1, { body: { number: 1, ...record() } }))
    store.close()
    expect(journal(directory)).toBe(0)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 1 })
  })

  test('one that somebody reads is left as it is, and copied by a later one', async () => {
    const directory = temporaryDirectory()
    const store = opened({ directory, engine })
    await store.append(input(1, { body: { number: 1, padding: 'x'.repeat(SHORT) } }))
    const reader = openReadStore({ directory, engine })
    const reading = reader.read({})[Symbol.iterator]()
    expect(reading.next().done).toBe(false)
    store.close()
    const other = opened({ directory, engine })
    expect(numbers(other)).toEqual([1])
    other.close()
    reader.close()
    await hooks(directory, 2, 1)
    expect(journal(directory)).toBeLessThanOrEqual(SHORT)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 2 })
  })

  proves('T33', 'a copy of the file with its journal is whole, also one that was taken between two hooks', async () => {
    const directory = temporaryDirectory()
    for (let count = 1; count <= 30; count += 1) {
      await hooks(directory, count, 1)
      const copy = temporaryDirectory()
      cpSync(directory, copy, { recursive: true })
      expect(auditVerify({ directory: copy })).toMatchObject({ ok: true, total: count })
    }
  })

  // SQLite believes a journal whichever file it lies beside: an older file that is put back alone makes one that never was.
  proves(['T62', 'T33'], 'an older file beside the journal of a newer one is refused, or told by the check of the whole log', async () => {
    const directory = temporaryDirectory()
    await hooks(directory, 1, 5)
    emptyJournal(directory)
    const old = readFileSync(databasePath(directory))
    await hooks(directory, 6, 20)
    emptyJournal(directory)
    const refused: boolean[] = []
    for (let count = 26; count < 34; count += 1) {
      await hooks(directory, count, 1)
      const copy = temporaryDirectory()
      cpSync(directory, copy, { recursive: true })
      writeFileSync(databasePath(copy), old)
      expect(auditVerify({ directory: copy }).ok).toBe(false)
      refused.push(wasRefused(copy))
    }
    expect(refused).toEqual(refused.map(() => true))
  })

  proves('T60', 'what was erased is in neither of the two', async () => {
    const directory = temporaryDirectory()
    const store = opened({ directory, engine })
    await store.append(input(1, { body: { password: '***' }, erased: [{ pointer: '/password', value: 'hunter2' }] }))
    store.close()
    const held = ['', '-wal']
      .map((suffix) => `${databasePath(directory)}${suffix}`)
      .filter((path) => statSync(path, { throwIfNoEntry: false }))
    expect(held.map((path) => readFileSync(path).includes('hunter2'))).toEqual(held.map(() => false))
  })

  // What a failure of the power leaves: what was synced, and of the rest any part or none.
  const ENDS: readonly [what: string, end: (from: number, whole: Buffer) => Buffer][] = [
    ['missing', (from, whole) => whole.subarray(0, from)],
    ['cut within a page', (from, whole) => whole.subarray(0, from + 2_000)],
    ['cut after a page', (from, whole) => whole.subarray(0, from + 4_120)],
    ['cut before its last page is whole', (_from, whole) => whole.subarray(0, -1)],
    ['full of zeros', (from, whole) => Buffer.concat([whole.subarray(0, from), Buffer.alloc(whole.length - from)])],
    [
      'there but for the first of its pages',
      (from, whole) => Buffer.concat([whole.subarray(0, from), Buffer.alloc(4_120), whole.subarray(from + 4_120)]),
    ],
    ['whole', (_from, whole) => whole],
  ]

  proves(['P5', 'T33'], 'of a journal whose unsynced end is torn all that was acknowledged is read, and hooks go on', async () => {
    const directory = temporaryDirectory()
    await hooks(directory, 1, 3)
    const three = temporaryDirectory()
    cpSync(directory, three, { recursive: true })
    const fourth = opened({ directory, engine })
    await fourth.append(input(4))
    const whole = readFileSync(`${databasePath(directory)}-wal`)
    fourth.close()
    for (const [what, end] of ENDS) {
      const copy = temporaryDirectory()
      cpSync(three, copy, { recursive: true })
      writeFileSync(`${databasePath(copy)}-wal`, end(journal(three), whole))
      await hooks(copy, 5, 2)
      const store = opened({ directory: copy, engine })
      expect([what, numbers(store)]).toEqual([what, what === 'whole' ? upTo(6) : [1, 2, 3, 5, 6]])
      store.close()
      expect(auditVerify({ directory: copy })).toMatchObject({ ok: true, breaks: [] })
    }
  })
})

/** Whoever stays makes room in the journal first. What was to hold was written down before anything was tried. */
import { cpSync, statSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../../test/support/records.ts'
import { filledStore, numbers, opened, rejection } from '../../../test/support/store.ts'
import { auditVerify } from '../../audit/log.ts'
import { connect, databasePath } from './connection.ts'

const ROOM = 16 * 1024 * 1024

const journal = (directory: string): number => statSync(`${databasePath(directory)}-wal`, { throwIfNoEntry: false })?.size ?? 0

describe.each(ENGINES)('%s', (engine) => {
  const staying = (count: number) => filledStore(engine, count, { grown: () => {} })
  const append = async (store: Awaited<ReturnType<typeof staying>>['store'], from: number, count: number) => {
    for (let number = from; number < from + count; number += 1) await store.append(input(number))
  }

  proves('P5', 'the journal of whoever stays has its length before the first commit, and none makes it longer', async () => {
    const { directory, store } = await staying(0)
    expect(journal(directory)).toBe(ROOM)
    await append(store, 1, 20)
    expect(journal(directory)).toBe(ROOM)
    expect(numbers(store)).toHaveLength(20)
    store.close()
    expect(journal(directory)).toBe(0)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 20 })
  })

  proves('P5', 'nobody else makes room: a hook commits once', async () => {
    const { directory, store } = await filledStore(engine, 2)
    expect(journal(directory)).toBeLessThan(ROOM / 4)
    store.close()
  })

  proves(['P5', 'T33'], 'what a crash leaves of it is read to its last commit, and no further', async () => {
    const { directory, store } = await staying(5)
    const copy = temporaryDirectory()
    cpSync(directory, copy, { recursive: true })
    store.close()
    expect(journal(copy)).toBe(ROOM)
    const again = opened({ directory: copy, engine, grown: () => {} })
    expect(numbers(again)).toHaveLength(5)
    await append(again, 6, 3)
    again.close()
    expect(auditVerify({ directory: copy })).toMatchObject({ ok: true, total: 8 })
  })

  proves(['P5', 'T34'], 'commits of others that are in the journal already stay', async () => {
    const { directory, store: first } = await filledStore(engine, 7)
    const second = opened({ directory, engine, grown: () => {} })
    expect(journal(directory)).toBe(ROOM)
    expect(numbers(second)).toHaveLength(7)
    await Promise.all([append(first, 8, 5), append(second, 13, 5)])
    second.close()
    await first.append(input(18))
    first.close()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 18 })
  })

  proves('T34', 'where another process has the lock, it is opened without room, and nobody waits', async () => {
    const { directory, store: first } = await filledStore(engine, 3)
    const holder = connect(databasePath(directory), { engine, busyMilliseconds: 0 })
    expect(holder.tryBegin(false)).toBe(true)
    const second = opened({ directory, engine, grown: () => {}, busyMilliseconds: 50 })
    expect(journal(directory)).toBeLessThan(ROOM / 4)
    expect(await rejection(second.append(input(4)))).toMatchObject({ fault: 'locked' })
    holder.rollBack()
    holder.close()
    await second.append(input(5))
    second.close()
    first.close()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 4 })
  })
})

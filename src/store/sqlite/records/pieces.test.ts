import { describe, expect } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../../../test/support/records.ts'
import { fault, opened, rejection, tamper } from '../../../../test/support/store.ts'
import { auditVerify } from '../../../audit/log.ts'
import { databasePath } from '../connection.ts'
import type { EngineName } from '../driver.ts'
import { openDatabase } from '../engines.ts'
import { openReadStore, openStore } from '../open.ts'
import { PIECE_BYTES } from './pieces.ts'

/** Three bytes a character, so that pieces would end within one; and a word that stands across two pieces. */
const LONG = { number: 1, text: `${'€'.repeat(PIECE_BYTES / 3 - 8)}"needle-in-the-text"${'€'.repeat(PIECE_BYTES / 3)}` }
const long = () => ({ ...input(1), body: LONG })
const OPEN = 'DROP TRIGGER pieces_are_final; DROP TRIGGER pieces_stay;'

describe.each(ENGINES)('%s', (engine) => {
  const rows = (directory: string, sql: string) => {
    const database = openDatabase(databasePath(directory), engine as EngineName)
    const found = database?.prepare(sql).all([])
    database?.close()
    return found
  }
  const filled = async () => {
    const directory = temporaryDirectory()
    const store = opened({ directory, engine })
    await store.append({ ...input(0), body: { number: 0 } })
    const { id } = await store.append(long())
    await store.append({ ...input(2), body: { number: 2 } })
    return { directory, store, id }
  }

  proves(['P12', 'T34'], 'a long record is written in pieces, and is read, found and checked as a whole', async () => {
    const { directory, store, id } = await filled()
    expect(store.get(id)?.body).toEqual(LONG)
    expect([...store.read({})].map(({ body }) => body.number)).toEqual([0, 1, 2])
    for (const text of ['needle-in-the-text', 'NEEDLE-in-the'])
      expect([...store.read({ text })].map(({ body }) => body.number)).toEqual([1])
    expect([...store.read({ text: 'needle-in-no-text' })]).toEqual([])
    const reader = openReadStore({ directory, engine })
    expect(reader.get(id)?.body).toEqual(LONG)
    reader.close()
    store.close()
    expect(rows(directory, 'SELECT piece, length(CAST(text AS BLOB)) AS size FROM record_pieces ORDER BY piece')).toEqual([
      { piece: 0, size: expect.any(Number) },
      { piece: 1, size: expect.any(Number) },
      { piece: 2, size: expect.any(Number) },
    ])
    expect(rows(directory, `SELECT max(length(CAST(text AS BLOB))) <= ${PIECE_BYTES} AS fits FROM record_pieces`)).toEqual([{ fits: 1 }])
    expect(rows(directory, 'SELECT max(length(body)) < 100 AS short FROM records')).toEqual([{ short: 1 }])
    expect(rows(directory, 'SELECT name FROM record_drafts')).toEqual([])
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 3 })
    const again = opened({ directory, engine })
    expect(again.get(id)?.body).toEqual(LONG)
  })

  proves('P5', 'the same long input can be appended twice at once, and work that fails leaves no record of it', async () => {
    const directory = temporaryDirectory()
    const store = opened({ directory, engine })
    const record = long()
    await Promise.all([store.append(record), store.append(record), store.append({ ...input(2), body: { number: 2 } })])
    expect([...store.read({})].filter(({ body }) => body.text === LONG.text)).toHaveLength(2)
    const failing = store.run(
      () => {
        throw new Error('not today')
      },
      long(),
      {},
    )
    expect(await rejection(failing)).toMatchObject({ message: 'not today' })
    const other = { ...input(3), body: { number: 3, text: 'as it was not foreseen' } }
    await store.run(
      () => 0,
      () => other,
      { likely: long() },
    )
    expect(store.head().size).toBe(4)
    store.close()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 4 })
  })

  const TAMPERED: readonly (readonly [string, string])[] = [
    ['a piece is changed', "UPDATE record_pieces SET text = replace(text, '€€€', '€€')"],
    ['a piece is gone', 'DELETE FROM record_pieces WHERE piece = 1'],
    ['the last piece is gone', 'DELETE FROM record_pieces WHERE piece = 2'],
    ['all are gone', 'DELETE FROM record_pieces'],
    ['they change places', 'UPDATE record_pieces SET piece = 2 - piece + 10'],
    ['one is added', "INSERT INTO record_pieces SELECT name, 9, ' ' || text FROM record_pieces WHERE piece = 0"],
    ['they are renamed', "UPDATE record_pieces SET name = 'other'"],
    ['the record names none', "DROP TRIGGER records_are_final; UPDATE records SET body = '#' WHERE sequence = 2"],
    ['the table is gone', 'DROP TABLE record_pieces'],
  ]
  for (const [title, sql] of TAMPERED) {
    proves(['T62', 'SIG-49'], `tampering shows: ${title}`, async () => {
      const { directory, store } = await filled()
      store.close()
      tamper(directory, `${OPEN} ${sql}`)
      expect(auditVerify({ directory })).toMatchObject({ ok: false })
      expect(fault(() => openStore({ directory, engine }))).toBe('corrupt')
    })
  }

  proves('T62', 'pieces of a record can be neither changed nor deleted by mistake', async () => {
    const { directory, store } = await filled()
    store.close()
    for (const sql of ["UPDATE record_pieces SET text = ''", 'DELETE FROM record_pieces']) {
      expect(() => tamper(directory, sql)).toThrow('records are append-only')
    }
  })

  proves(['P5', 'T40'], 'a store that is closed while a long record is written has no record, and its pieces go a day later', async () => {
    const directory = temporaryDirectory()
    let now = 1_700_000_000_000
    const store = openStore({ directory, engine, now: () => now })
    const failed = rejection(store.append(long()))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    store.close()
    expect(await failed).toMatchObject({ fault: 'closed' })
    const left = rows(directory, 'SELECT name FROM record_drafts')
    expect(left).toHaveLength(1)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 0 })
    now += 86_400_001
    const later = opened({ directory, engine, now: () => now })
    await later.append(long())
    later.close()
    expect(rows(directory, 'SELECT count(DISTINCT name) AS names FROM record_pieces')).toEqual([{ names: 1 }])
    expect(rows(directory, 'SELECT name FROM record_drafts')).toEqual([])
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 1 })
  })
})

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../test/support/records.ts'
import { signAnchor } from '../store/sqlite/anchor.ts'
import { databasePath } from '../store/sqlite/connection.ts'
import { openDatabase } from '../store/sqlite/engines.ts'
import { loadKeys } from '../store/sqlite/keys.ts'
import { openStore } from '../store/sqlite/open.ts'
import { type StoredRecord, StoreError } from '../store/store.ts'
import { auditExport, auditSearch, auditShow, auditTail, auditVerify, auditVerifyExport, auditVerifyInSlices } from './log.ts'

async function filled(count: number) {
  const directory = temporaryDirectory()
  const store = openStore({ directory })
  onTestFinished(() => store.close())
  await Promise.all(Array.from({ length: count }, (_, index) => store.append(input(index + 1))))
  return { directory, store, ring: loadKeys(directory).ring }
}

const numbers = (records: Iterable<{ readonly sequence: number }>) => [...records].map(({ sequence }) => sequence)

describe('the audit commands', () => {
  for (const [slice, count, pauses] of [
    [1, 9, 9],
    [4, 9, 2],
    [9, 9, 1],
    [10, 9, 0],
    [64, 0, 0],
  ] as const) {
    test(`verify of ${count} records in slices of ${slice}: the same report, after ${pauses} pauses`, async () => {
      const { directory } = await filled(count)
      let paused = 0
      const pause = async () => (paused += 1)
      expect(await auditVerifyInSlices({ directory, slice, pause })).toEqual(auditVerify({ directory }))
      expect(paused).toBe(pauses)
    })
  }

  proves('P12', 'verify in slices: records that come meanwhile are neither missing nor too many', async () => {
    const { directory, store } = await filled(6)
    const pause = () => store.append(input(7))
    expect(await auditVerifyInSlices({ directory, slice: 3, pause })).toMatchObject({ ok: true, breaks: [] })
    expect(auditVerify({ directory })).toMatchObject({ ok: true })
  })

  proves(['P12', 'T62'], 'verify in slices: finds what verify finds', async () => {
    const { directory, store } = await filled(8)
    store.close()
    const database = openDatabase(databasePath(directory))
    database?.exec('DROP TRIGGER records_are_final')
    database?.exec("UPDATE records SET tool = 'other' WHERE sequence IN (3, 7)")
    database?.close()
    const found = await auditVerifyInSlices({ directory, slice: 2 })
    expect(found).toEqual(auditVerify({ directory }))
    expect(found).toMatchObject({ ok: false })
  })

  test('verify in slices: rejects where there is no log', async () => {
    await expect(auditVerifyInSlices({ directory: temporaryDirectory() })).rejects.toThrow(StoreError)
  })

  test('tail: the newest, in the order they came', async () => {
    const { store } = await filled(30)
    expect(numbers(auditTail(store, { limit: 3 }))).toEqual([28, 29, 30])
    expect(auditTail(store)).toHaveLength(20)
    expect(numbers(auditTail(store, { session: 's-0', limit: 2 }))).toEqual([27, 30])
  })

  test('search: newest first, page by page', async () => {
    const { store } = await filled(12)
    const first = auditSearch(store, { session: 's-1', limit: 3 })
    expect([numbers(first.records), first.next]).toEqual([[10, 7, 4], 4])
    const second = auditSearch(store, { session: 's-1', limit: 3, before: first.next ?? 0 })
    expect([numbers(second.records), second.next]).toEqual([[1], null])
    expect(auditSearch(store, { text: 'nowhere' })).toEqual({ records: [], next: null })
    expect(numbers(auditSearch(store, { limit: 12 }).records)).toHaveLength(12)
    expect(auditSearch(store, { limit: 12 }).next).toBeNull()
  })

  test('show: by id in any case, or by sequence', async () => {
    const { store, ring } = await filled(3)
    const [, second] = [...store.read({})]
    for (const reference of [second?.id ?? '', second?.id.toLowerCase() ?? '', '2']) {
      expect(auditShow(store, reference, ring)).toEqual({ record: second, intact: true })
    }
    expect(auditShow(store, '2', new Map())).toMatchObject({ intact: false })
    for (const reference of ['0', '4', '', 'nothing', '-1']) expect(auditShow(store, reference, ring)).toBeNull()
  })

  proves(['SIG-48', 'P12', 'T61'], 'export, then verify the export: whole, and with a change', async () => {
    const { store, ring } = await filled(5)
    const text = [...auditExport(store, { format: 'jsonl' })].join('')
    const anchors = [store.head()]
    const verifyText = (content: string) => auditVerifyExport([{ name: 'a', content }], { ring, anchors })
    expect(verifyText(text)).toMatchObject({ ok: true, total: 5 })
    expect(verifyText(text.replace('echo 3', 'echo 4'))).toMatchObject({ ok: false, breaks: [{ kind: 'self_mismatch', index: 2 }] })
    expect([...auditExport(store, { format: 'csv', query: { limit: 2 } })]).toHaveLength(3)
    const part = [...auditExport(store, { format: 'jsonl', query: { after: 3 } })].join('')
    expect(auditVerifyExport([{ name: 'a', content: part }], { ring, anchors, start: 4 })).toMatchObject({ ok: true, total: 2 })
  })
})

describe('exports of one log that are of different age', () => {
  async function aged() {
    const { store, directory, ring } = await filled(4)
    const { current } = loadKeys(directory)
    const close = ({ sequence, hash }: StoredRecord) => signAnchor({ size: sequence, hash }, current, 1)
    const exported = (query = {}) => [...auditExport(store, { format: 'jsonl', close, query })].join('')
    const old = exported()
    for (const number of [5, 6, 7]) await store.append(input(number))
    const verified = (...contents: readonly string[]) =>
      auditVerifyExport(
        contents.map((content, index) => ({ name: `${index}.jsonl`, content })),
        { ring, anchors: [] },
      )
    return { old, fresh: exported(), exported, verified }
  }

  proves(['SIG-48', 'P12'], 'the older is the beginning of the newer, in whatever order they are given', async () => {
    const { old, fresh, verified } = await aged()
    for (const files of [
      [old, fresh],
      [fresh, old],
    ]) {
      const { ok, total, warnings } = verified(...files)
      expect([ok, total, warnings.map(({ detail }) => detail.replaceAll(/\d\.jsonl/g, 'FILE'))]).toEqual([
        true,
        7,
        ['FILE: its 4 records are the beginning of FILE, which has 3 more'],
      ])
    }
    expect(verified(fresh, fresh).ok).toBe(true)
  })

  proves(['SIG-48', 'P12', 'T62'], 'one that is of another log, cut, open or damaged in either is seen, and in which', async () => {
    const { old, fresh, verified } = await aged()
    const other = await aged()
    const [first = '', second = ''] = fresh.split('\n')
    const cases: [string, readonly string[], string, RegExp][] = [
      ['another log, under its own key', [other.old, fresh], 'unknown_key', /^0\.jsonl/],
      ['a record gone from the newer', [old, fresh.replace(`${second}\n`, '')], 'deleted', /^1\.jsonl/],
      ['a record gone from the older', [old.replace(`${second}\n`, ''), fresh], 'deleted', /^0\.jsonl/],
      ['a changed record', [old, fresh.replace('echo 6', 'echo 7')], 'self_mismatch', /^1\.jsonl/],
      ['the newer without its end', [old, `${fresh.split('\n').slice(0, 5).join('\n')}\n`], 'anchor_invalid', /^1\.jsonl/],
      ['nothing but a beginning', [first, fresh], 'anchor_invalid', /^0\.jsonl/],
    ]
    for (const [title, files, kind, detail] of cases) {
      const { ok, breaks } = verified(...files)
      expect([title, ok, breaks.map((each) => each.kind)]).toEqual([title, false, expect.arrayContaining([kind])])
      expect(breaks.find((each) => each.kind === kind)?.detail).toMatch(detail)
    }
  })

  test('parts of one log are read as one log, as before', async () => {
    const { exported, verified, fresh } = await aged()
    const anchor = fresh.trim().split('\n').at(-1)
    const part = (query: object) =>
      exported(query)
        .split('\n')
        .filter((line) => !line.startsWith('{"anchor"'))
        .join('\n')
    expect(verified(part({ before: 3 }), part({ after: 2 }), `${anchor}\n`)).toMatchObject({ ok: true, total: 7 })
    expect(verified(part({ before: 3 }), part({ after: 3 }), `${anchor}\n`).ok).toBe(false)
  })
})

describe('verify, on a directory', () => {
  test('while another connection appends', async () => {
    const { directory, store } = await filled(5)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 5 })
    await store.append(input(6))
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 6 })
  })

  proves('T62', 'an anchor kept elsewhere is held against the log', async () => {
    const { directory, store } = await filled(5)
    const head = store.head()
    expect(auditVerify({ directory, anchors: [head] }).ok).toBe(true)
    const elsewhere = { size: 6, hash: head.hash }
    expect(auditVerify({ directory, anchors: [elsewhere] }).breaks).toMatchObject([{ kind: 'truncated', index: 5 }])
    const other = { size: 5, hash: 'ab'.repeat(32) }
    expect(auditVerify({ directory, anchors: [other] }).breaks).toMatchObject([{ kind: 'anchor_mismatch', index: 4 }])
  })

  proves('PIT-13', 'what was removed beside the log is named', async () => {
    const cases: [string, string, string][] = [
      ['countersign.db', 'truncated', 'the log ends at record 0, but had 3 when it was last anchored'],
      ['countersign.anchor', 'anchor_invalid', 'the anchor file of the log is missing'],
    ]
    for (const [file, kind, detail] of cases) {
      const { directory, store } = await filled(3)
      store.close()
      for (const name of file === 'countersign.db' ? [file, `${file}-wal`, `${file}-shm`] : [file])
        rmSync(join(directory, name), { force: true })
      expect(auditVerify({ directory }).breaks).toMatchObject([{ kind, detail }])
    }
  })

  test('where there is nothing to verify it says so', () => {
    const directory = temporaryDirectory()
    expect(() => auditVerify({ directory })).toThrow(StoreError)
    expect(() => auditVerify({ directory: join(directory, 'none') })).toThrow(StoreError)
    writeFileSync(databasePath(directory), '')
    expect(() => auditVerify({ directory })).toThrow('is missing')
  })

  describe.each(ENGINES)('%s', (engine) => {
    proves(['T33', 'SIG-42'], 'a text that is no UTF-8 spoils its record and no other', async () => {
      const { directory, store } = await filled(5)
      store.close()
      const database = openDatabase(databasePath(directory), engine)
      database?.exec(`DROP TRIGGER records_are_final; UPDATE records SET tool = CAST(x'42ff68' AS TEXT) WHERE sequence = 3`)
      database?.close()
      const report = auditVerify({ directory, engine })
      expect([report.ok, report.total, report.breaks.map(({ index }) => index), report.lastKnownGoodIndex]).toEqual([false, 5, [2], 1])
      expect(report.breaks[0]?.kind).toMatch(/^(malformed|self_mismatch)$/)
      expect(() => openStore({ directory, engine })).toThrow(StoreError)
    })

    test('a log whose table is gone is read to where it ends', async () => {
      const { directory, store } = await filled(3)
      store.close()
      const database = openDatabase(databasePath(directory), engine)
      database?.exec('DROP TABLE records')
      database?.close()
      expect(auditVerify({ directory, engine }).breaks.map(({ kind }) => kind)).toEqual(['malformed', 'truncated'])
    })

    test('more than one page, damaged in the middle', async () => {
      const { directory, store } = await filled(1_100)
      store.close()
      const database = openDatabase(databasePath(directory), engine)
      database?.exec(`DROP TRIGGER records_are_final; UPDATE records SET body = CAST(x'7bff7d' AS TEXT) WHERE sequence = 700`)
      database?.close()
      const report = auditVerify({ directory, engine })
      expect([report.total, report.breaks.map(({ index }) => index)]).toEqual([1_100, [699]])
    })
  })
})

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../../test/support/records.ts'
import { fault, filledStore, numbers, opened, rejection, removeJournal, tamper, windBack } from '../../../test/support/store.ts'
import { auditVerify } from '../../audit/log.ts'
import { GENESIS, matchesDigest } from '../chain.ts'
import type { RecordInput } from '../store.ts'
import { isUlid } from '../ulid.ts'
import { anchorPath } from './anchor.ts'
import { databasePath } from './connection.ts'
import { counterPath } from './counter.ts'
import { loadKeys, rotateAuditKey } from './keys.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openReadStore, openStore, type StoreOptions } from './open.ts'

describe.each(ENGINES)('%s', (engine) => {
  const filled = (count: number, options: Partial<StoreOptions> = {}) => filledStore(engine, count, options)

  test('appends, and reads back what was appended', async () => {
    const { store } = await filled(0)
    expect(store.head()).toEqual({ size: 0, hash: GENESIS })
    const receipt = await store.append(input(1))
    expect(receipt).toMatchObject({ sequence: 1 })
    expect(isUlid(receipt.id)).toBe(true)
    const record = store.get(receipt.id)
    expect(record).toMatchObject({ ...input(1), ...receipt, previous: GENESIS })
    expect(store.head()).toEqual({ size: 1, hash: receipt.hash })
    expect(store.get('nothing')).toBeNull()
  })

  proves('P12', 'a body of any length is kept as it is and hashed alike: long ones are written as bytes', async () => {
    const { directory, store } = await filled(0)
    const texts = ['', 'x'.repeat(65_400), 'x'.repeat(65_600), '\0"\\\u2028é🙂'.repeat(20_000)]
    for (const text of texts) {
      const record = input(1, { body: { label: text } })
      expect(store.get((await store.append(record)).id)?.body).toEqual({ label: text })
      const { receipt } = await store.run((tx) => tx.get('SELECT 1 AS a')?.a, record)
      expect(store.get(receipt.id)?.body).toEqual({ label: text })
    }
    expect([...store.read({ text: '🙂' })]).toHaveLength(2)
    expect(auditVerify({ directory })).toMatchObject({ ok: true })
  })

  test('a record of every kind, with every field that may be missing', async () => {
    const { store } = await filled(0)
    const bare = { session: null, tenant: null, tool: null, decision: null, code: null }
    for (const kind of ['decision', 'result', 'policy', 'approval', 'grant', 'session', 'note'] as const) {
      const { id } = await store.append(input(1, { ...bare, kind, body: {} }))
      expect(store.get(id)).toMatchObject({ ...bare, kind, body: {} })
    }
  })

  proves('T64', 'names that differ by NUL, case or composition are different sessions and tenants', async () => {
    const { store } = await filled(0)
    const names = ['a', 'A', 'a\0', 'a\0b', 'ä', 'a\u0308', '"a"', 'a|b']
    for (const name of names)
      await store.append(input(1, { session: null, tenant: name, tool: null, body: { name: JSON.stringify(name) } }))
    for (const name of names) {
      const found = [...store.read({ tenant: name })]
      expect(found.map(({ tenant }) => tenant)).toEqual([name])
    }
  })

  test('finds by every field, in pages, in both directions', async () => {
    const { store } = await filled(30)
    await store.append(input(31, { kind: 'note', tool: 'Read', decision: 'deny', code: 'rules.denied', tenant: 'acme' }))
    expect(numbers(store, { session: 's-1', limit: 3 })).toEqual([1, 4, 7])
    expect(numbers(store, { session: 's-1', limit: 3, newestFirst: true })).toEqual([31, 28, 25])
    for (const query of [{ kind: 'note' }, { tool: 'Read' }, { decision: 'deny' }, { code: 'rules.denied' }, { tenant: 'acme' }] as const) {
      expect(numbers(store, query)).toEqual([31])
    }
    expect(numbers(store, { after: 28 })).toEqual([29, 30, 31])
    expect(numbers(store, { before: 3 })).toEqual([1, 2])
    expect(numbers(store, { before: 10, newestFirst: true, limit: 2 })).toEqual([9, 8])
    expect(numbers(store, { since: input(5).at, until: input(7).at })).toEqual([5, 6])
    expect(numbers(store, { limit: 0 })).toEqual([])
  })

  test('finds what was recorded of a session itself, in pages, among decisions and other sessions', async () => {
    const { store } = await filled(30)
    for (let index = 40; index < 120; index++)
      await store.append(input(index, { kind: index % 2 === 0 ? 'session' : 'decision', session: index % 3 === 0 ? 's-0' : 's-1' }))
    const of = { kind: 'session', session: 's-1' } as const
    const all = Array.from({ length: 80 }, (_, index) => index + 40).filter((index) => index % 2 === 0 && index % 3 !== 0)
    expect(numbers(store, of)).toEqual(all)
    expect(numbers(store, { ...of, newestFirst: true, limit: 3 })).toEqual(all.toReversed().slice(0, 3))
    expect(numbers(store, { ...of, tool: 'Read' })).toEqual([])
    expect(numbers(store, { ...of, session: 'nobody' })).toEqual([])
  })

  test('finds words in the body as they are written in JSON', async () => {
    const { store } = await filled(0)
    for (const text of ['rm -rf "My Documents"', 'C:\\Windows', 'two\nlines', '100% sure_thing', 'Grüße']) {
      await store.append(input(1, { body: { text } }))
    }
    const found = (text: string) => [...store.read({ text })].map(({ body }) => body.text)
    expect(found('RM documents"')).toEqual(['rm -rf "My Documents"'])
    expect(found('c:\\windows')).toEqual(['C:\\Windows'])
    expect(found('%')).toEqual(['100% sure_thing'])
    expect(found('e_t')).toEqual(['100% sure_thing'])
    expect(found('Grüße')).toEqual(['Grüße'])
    expect(found('nowhere')).toEqual([])
    expect(found('  ')).toHaveLength(5)
  })

  test('reads more than one page', async () => {
    const { store } = await filled(0)
    await Promise.all(Array.from({ length: 600 }, (_, index) => store.append(input(index))))
    expect(numbers(store)).toEqual(Array.from({ length: 600 }, (_, index) => index))
    expect(numbers(store, { newestFirst: true, limit: 300 })).toEqual(Array.from({ length: 300 }, (_, index) => 599 - index))
  })

  proves(['SIG-45', 'T34'], 'concurrent appends of one process and of two stores make one chain', async () => {
    const { directory, store } = await filled(0)
    const second = opened({ directory, engine })
    const receipts = await Promise.all(Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? store : second).append(input(index))))
    expect(new Set(receipts.map(({ sequence }) => sequence)).size).toBe(400)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 400 })
    const ids = [...store.read({})].map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(400)
  })

  proves(['P5', 'T34'], 'a long journal is copied by whoever closes the store, and nobody who has the file open is disturbed', async () => {
    const { directory, store } = await filled(3)
    const journal = () => statSync(`${databasePath(directory)}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const reader = openReadStore({ directory, engine })
    for (let number = 4; number <= 8; number += 1) {
      const hook = opened({ directory, engine })
      const [mine] = await Promise.all([hook.append(input(number)), store.append(input(number + 100))])
      hook.close()
      expect(reader.get(mine.id)?.id).toBe(mine.id)
      await store.append(input(number + 200))
    }
    reader.close()
    store.close()
    expect(journal()).toBe(0)
    const size = statSync(databasePath(directory)).size
    removeJournal(directory)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 18 })
    expect(statSync(databasePath(directory)).size).toBe(size)
  })

  test('what nobody waits for is recorded before whatever comes later, and by itself where nothing does', async () => {
    const { directory, store } = await filled(0)
    const order: string[] = []
    const work = (name: string) => () => void order.push(name)
    const patient = store.run(work('patient'), input(1), { patient: true })
    const next = store.run(work('next'), input(2))
    await next
    expect(order).toEqual(['patient', 'next'])
    expect([(await patient).receipt.sequence, (await next).receipt.sequence]).toEqual([1, 2])
    expect((await store.run(work('alone'), input(3), { patient: true })).receipt.sequence).toBe(3)
    const last = store.run(work('last'), input(4), { patient: true })
    store.close()
    expect((await last).receipt.sequence).toBe(4)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 4 })
  })

  test('a failure of what nobody waits for is its own', async () => {
    const { store } = await filled(0)
    const failing = store.run(
      () => {
        throw new RangeError('no')
      },
      input(1),
      { patient: true },
    )
    const [failed, kept] = await Promise.allSettled([failing, store.append(input(2))])
    expect([failed.status, kept.status, store.head().size]).toEqual(['rejected', 'fulfilled', 1])
  })

  test('ids rise even where the clock goes back', async () => {
    const { store } = await filled(0)
    const first = await store.append(input(1, { at: 2_000_000_000_000 }))
    const second = await store.append(input(2, { at: 1_000_000_000_000 }))
    expect(second.id > first.id).toBe(true)
    expect(store.get(first.id)?.at).toBeLessThan(2_000_000_000_000)
    expect(store.get(second.id)?.at).toBe(1_000_000_000_000)
  })

  test('one bad record fails alone', async () => {
    const { directory, store } = await filled(0)
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const bad: Partial<RecordInput>[] = [
      { body: { half: '\ud800' } },
      { body: { number: Number.NaN } },
      { body: cyclic as RecordInput['body'] },
      { at: 1.5 },
      { kind: 'other' as RecordInput['kind'] },
      { body: [] as unknown as RecordInput['body'] },
    ]
    const results = await Promise.allSettled([
      store.append(input(1)),
      ...bad.map((changes) => store.append(input(2, changes))),
      store.append(input(3)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...bad.map(() => 'rejected'), 'fulfilled'])
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'infra.audit_unavailable', fault: 'record' })
    }
    expect(numbers(store)).toEqual([1, 3])
    expect(auditVerify({ directory }).ok).toBe(true)
  })

  proves('T60', 'what was erased is kept as a keyed digest only', async () => {
    const { directory, store } = await filled(0)
    const erased = [
      { pointer: '/password', value: 'hunter2' },
      { pointer: '/pin', value: 1234 },
      { pointer: '/gone', value: null },
    ]
    const { id } = await store.append(input(1, { body: { password: '***' }, erased }))
    const { ring } = loadKeys(directory)
    const digests = (store.get(id)?.body.erased ?? []) as readonly { pointer: string; digest: string | null }[]
    expect(digests.map(({ pointer }) => pointer)).toEqual(['/password', '/pin', '/gone'])
    const [password, pin, gone] = digests.map(({ digest }) => digest)
    expect(matchesDigest(password ?? '', 'hunter2', ring)).toBe(true)
    expect(matchesDigest(password ?? '', 'hunter3', ring)).toBe(false)
    expect(matchesDigest(pin ?? '', 1234, ring)).toBe(true)
    expect(matchesDigest(pin ?? '', '1234', ring)).toBe(false)
    expect(gone).toBeNull()
    expect(matchesDigest(password ?? '', 'hunter2', new Map())).toBe(false)
    store.close()
    expect(readFileSync(databasePath(directory)).includes('hunter2')).toBe(false)
  })

  describe('files', () => {
    test('everything is for this user alone', async () => {
      const directory = join(temporaryDirectory(), 'state', 'deep')
      const store = opened({ directory, engine })
      await store.append(input(1))
      const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
      for (const path of [directory, join(directory, 'keys')]) expect([path, mode(path)]).toEqual([path, '700'])
      const database = databasePath(directory)
      for (const path of [database, `${database}-wal`, `${database}-shm`, anchorPath(directory), join(directory, 'keys', 'audit.key')]) {
        expect([path, mode(path)]).toEqual([path, '600'])
      }
    })

    // What syncs each commit is `sync.ts`; that nobody is told before it did is traced in `test/fault/store.test.ts`.
    proves('P5', 'the journal is written ahead, and no commit waits for its sync', async () => {
      const { store } = await filled(1)
      // It waits for other processes all the same: see `generation.test.ts`.
      const pragma = (name: string) => store.query((tx) => Object.values(tx.get(`PRAGMA ${name}`) ?? {})[0])
      expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(pragma)).toEqual(['wal', 1, 1, 0])
    })

    test('a store goes on where it ended', async () => {
      const { directory, store } = await filled(3)
      const head = store.head()
      store.close()
      const again = opened({ directory, engine })
      expect(again.head()).toEqual(head)
      await again.append(input(4))
      expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 4 })
    })

    test('closing keeps what still waits; afterwards nothing works', async () => {
      const { directory, store } = await filled(0)
      const waiting = [store.append(input(1)), store.append(input(2))]
      store.close()
      expect((await Promise.all(waiting)).map(({ sequence }) => sequence)).toEqual([1, 2])
      expect(await rejection(store.append(input(3)))).toMatchObject({ fault: 'closed', code: 'infra.audit_unavailable' })
      expect(fault(() => store.head())).toBe('closed')
      expect(fault(() => [...store.read({})])).toBe('closed')
      store.close()
      expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 2 })
    })

    test('a rotated key signs what comes, the retired one checks what was', async () => {
      const { directory, store } = await filled(2)
      store.close()
      const before = loadKeys(directory).current.id
      const after = rotateAuditKey(directory).current.id
      const again = opened({ directory, engine })
      await again.append(input(3))
      expect([...again.read({})].map(({ key }) => key)).toEqual([before, before, after])
      expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 3 })
    })

    test('a store of a newer version is left alone', async () => {
      const { directory, store } = await filled(1)
      store.close()
      tamper(directory, `PRAGMA user_version = ${MIGRATIONS.length + 1}`)
      expect(fault(() => openStore({ directory, engine }))).toBe('version')
      tamper(directory, `PRAGMA user_version = ${MIGRATIONS.length}`)
      expect(opened({ directory, engine }).head().size).toBe(1)
    })

    test('a store with fewer tables gets those it lacks and keeps its records', async () => {
      const { directory, store } = await filled(2)
      store.close()
      tamper(directory, windBack(1))
      const upgraded = opened({ directory, engine })
      expect(upgraded.head().size).toBe(2)
      expect(upgraded.query((tx) => tx.count(['x'], 0))).toBe(0)
    })

    test('old sessions and attempts are found by an index, in a new store and in one of before', async () => {
      const { directory, store } = await filled(1)
      store.close()
      tamper(directory, windBack(17))
      const upgraded = opened({ directory, engine })
      const plan = (sql: string) => upgraded.query((tx) => tx.all(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail)))
      const aged = 'SELECT tenant, session FROM session_events WHERE (seq = 1 OR seq % 32 = 0) AND at < 5'
      expect(plan(aged)).toEqual(['SEARCH session_events USING COVERING INDEX session_events_marked (at<?)'])
      expect(plan(`DELETE FROM session_events WHERE at < 5 AND (tenant, session) IN (${aged})`).join()).not.toMatch(/SCAN/)
      expect(plan("DELETE FROM outcomes WHERE record < '01'").join()).toMatch(/SEARCH outcomes USING (?:COVERING )?INDEX outcomes_record/)
    })

    proves(['P12', 'SIG-49'], 'a key from before there were counters gets one; a key that had one never gets another', async () => {
      const { directory, store } = await filled(2)
      store.close()
      const older = windBack(10)
      const key = join(directory, 'keys', 'audit.key')
      tamper(directory, older)
      rmSync(counterPath(directory))
      expect(fault(() => openStore({ directory, engine }))).toBe('rolled_back')
      tamper(directory, older)
      const counted = readFileSync(key)
      writeFileSync(key, counted.subarray(1))
      expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 2 })
      opened({ directory, engine }).close()
      expect(readFileSync(key)).toEqual(counted)
      expect(readFileSync(counterPath(directory), 'utf8')).toContain('"size":2')
    })

    test('places where no store can be', () => {
      const directory = temporaryDirectory()
      writeFileSync(join(directory, 'file'), 'x')
      expect(fault(() => openStore({ directory: join(directory, 'file'), engine }))).toBe('missing')
      expect(fault(() => openStore({ directory: join(directory, 'file', 'below'), engine }))).toBe('missing')
      mkdirSync(databasePath(join(directory, 'taken')), { recursive: true })
      expect(fault(() => openStore({ directory: join(directory, 'taken'), engine }))).toMatch(/missing|io/)
    })
  })

  test('anchors may lag where asked, and catch up at the end', async () => {
    const { directory, store } = await filled(7, { anchorEvery: 5 })
    const anchored = () =>
      Math.max(...[...readFileSync(anchorPath(directory), 'latin1').matchAll(/"size":(\d+)/g)].map(([, size]) => Number(size)))
    expect(anchored()).toBe(5)
    store.close()
    expect(anchored()).toBe(7)
    expect(existsSync(databasePath(directory))).toBe(true)
    chmodSync(directory, 0o700)
  })
})

import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input, temporaryDirectory } from '../../../test/support/records.ts'
import { auditVerify } from '../../audit/log.ts'
import { GENESIS, matchesDigest } from '../chain.ts'
import { type RecordInput, StoreError, type StoreFault } from '../store.ts'
import { anchorPath } from './anchor.ts'
import { databasePath } from './connection.ts'
import { openDatabase } from './engines.ts'
import { loadKeys, rotateAuditKey } from './keys.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { type EmbeddedStore, openStore, type StoreOptions } from './open.ts'
import { isUlid } from './ulid.ts'

function opened(options: StoreOptions): EmbeddedStore {
  const store = openStore(options)
  onTestFinished(() => {
    try {
      store.close()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  })
  return store
}

function fault(act: () => unknown): StoreFault {
  try {
    act()
  } catch (error) {
    if (error instanceof StoreError) return error.fault
    throw error
  }
  throw new Error('nothing was thrown')
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (error: unknown) => error,
  )
}

/** Without its journal, whatever is in the file is all there is. */
function removeJournal(directory: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${databasePath(directory)}${suffix}`, { force: true })
}

/** Works on the file behind the store's back. */
function tamper(directory: string, sql: string): void {
  const database = openDatabase(databasePath(directory))
  database?.exec(sql)
  database?.close()
}

const numbers = (store: EmbeddedStore, query = {}) => [...store.read(query)].map(({ body }) => body.number)

describe.each(ENGINES)('%s', (engine) => {
  async function filled(count: number, options: Partial<StoreOptions> = {}) {
    const directory = temporaryDirectory()
    const store = opened({ directory, engine, ...options })
    for (let number = 1; number <= count; number += 1) await store.append(input(number))
    return { directory, store }
  }

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

  test('ids rise even where the clock goes back', async () => {
    const { store } = await filled(0)
    const first = await store.append(input(1, { at: 2_000_000_000_000 }))
    const second = await store.append(input(2, { at: 1_000_000_000_000 }))
    expect(second.id > first.id).toBe(true)
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

    proves('P5', 'the journal is written ahead and synced at every commit', async () => {
      const { store } = await filled(1)
      const pragma = (name: string) => store.query((tx) => Object.values(tx.get(`PRAGMA ${name}`) ?? {})[0])
      expect(['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map(pragma)).toEqual(['wal', 2, 1, 5000])
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
      tamper(directory, 'DROP TABLE counters; PRAGMA user_version = 1')
      const upgraded = opened({ directory, engine })
      expect(upgraded.head().size).toBe(2)
      expect(upgraded.query((tx) => tx.count(['x'], 0))).toBe(0)
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

  describe('a store that is not what it was is refused', () => {
    proves(['SIG-49', 'PIT-13', 'T62'], 'a cut tail, an emptied log and a lost anchor are refused at the start', async () => {
      const cut = 'DROP TRIGGER records_stay;'
      const cases: [string, (directory: string) => void, StoreFault][] = [
        ['last two removed', (d) => tamper(d, `${cut} DELETE FROM records WHERE sequence > 4`), 'rolled_back'],
        ['all removed', (d) => tamper(d, `${cut} DELETE FROM records`), 'rolled_back'],
        ['database removed', (d) => rmSync(databasePath(d)), 'rolled_back'],
        [
          'database emptied',
          (d) => {
            removeJournal(d)
            rmSync(databasePath(d))
            writeFileSync(databasePath(d), '')
          },
          'rolled_back',
        ],
        ['anchor removed', (d) => rmSync(anchorPath(d)), 'rolled_back'],
        ['anchor emptied', (d) => writeFileSync(anchorPath(d), ''), 'corrupt'],
        ['key removed', (d) => rmSync(join(d, 'keys', 'audit.key')), 'corrupt'],
        ['key cut', (d) => writeFileSync(join(d, 'keys', 'audit.key'), 'short'), 'corrupt'],
        ['key replaced', (d) => writeFileSync(join(d, 'keys', 'audit.key'), 'x'.repeat(32)), 'corrupt'],
      ]
      for (const [title, act, expected] of cases) {
        const { directory, store } = await filled(6)
        store.close()
        act(directory)
        expect([title, fault(() => openStore({ directory, engine }))]).toEqual([title, expected])
      }
    })

    proves('T62', 'an old copy put in the place of the log is refused', async () => {
      const { directory, store } = await filled(3)
      store.close()
      const path = databasePath(directory)
      copyFileSync(path, `${path}.old`)
      const longer = openStore({ directory, engine })
      await longer.append(input(4))
      longer.close()
      removeJournal(directory)
      copyFileSync(`${path}.old`, path)
      expect(fault(() => openStore({ directory, engine }))).toBe('rolled_back')
      expect(auditVerify({ directory }).breaks.map(({ kind }) => kind)).toEqual(['truncated'])
    })

    proves(
      ['SIG-37', 'SIG-38', 'SIG-39', 'SIG-40', 'SIG-48', 'P12'],
      'verify finds every change that was made behind its back',
      async () => {
        const free = 'DROP TRIGGER records_stay; DROP TRIGGER records_are_final;'
        const columns = 'id, previous, hash, key, kind, session, tenant, tool, decision, code, at, body'
        const cases: [string, string, string, number][] = [
          ['edit', "UPDATE records SET decision = 'deny' WHERE sequence = 3", 'self_mismatch', 2],
          ['edit body', `UPDATE records SET body = '{"number":4}' WHERE sequence = 3`, 'self_mismatch', 2],
          ['break body', "UPDATE records SET body = '{' WHERE sequence = 3", 'malformed', 2],
          ['delete', 'DELETE FROM records WHERE sequence = 3', 'deleted', 2],
          ['delete first', 'DELETE FROM records WHERE sequence = 1', 'missing_start', 0],
          [
            'swap',
            'UPDATE records SET sequence = -3 WHERE sequence = 3; UPDATE records SET sequence = 3 WHERE sequence = 4; UPDATE records SET sequence = 4 WHERE sequence = -3',
            'self_mismatch',
            2,
          ],
          [
            'insert',
            `INSERT INTO records SELECT 7, 'ZZZZZZZZZZZZZZZZZZZZZZZZZZ', ${columns.slice(4)} FROM records WHERE sequence = 6`,
            'malformed',
            6,
          ],
        ]
        for (const [title, sql, kind, index] of cases) {
          const { directory, store } = await filled(6)
          store.close()
          expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 6 })
          tamper(directory, `${free} ${sql}`)
          const report = auditVerify({ directory })
          expect([title, report.ok, report.breaks[0]?.kind, report.breaks[0]?.index]).toEqual([title, false, kind, index])
        }
      },
    )

    proves('T33', 'a change near the end is noticed before anything is appended', async () => {
      for (const sql of [
        "UPDATE records SET tool = 'Read' WHERE sequence = 6",
        'UPDATE records SET previous = hash WHERE sequence = 5',
        "UPDATE records SET body = 'null' WHERE sequence = 4",
        "UPDATE records SET key = 'none' WHERE sequence = 6",
        'ALTER TABLE records RENAME COLUMN tool TO tools',
      ]) {
        const { directory, store } = await filled(6)
        store.close()
        tamper(directory, `DROP TRIGGER records_are_final; ${sql}`)
        expect(fault(() => openStore({ directory, engine }))).toBe('corrupt')
      }
    })

    proves(['T62', 'P12'], 'a log that shrinks, changes or is replaced while it is open takes no more records', async () => {
      const cases: [string, (directory: string) => void][] = [
        ['tail cut', (d) => tamper(d, 'DROP TRIGGER records_stay; DELETE FROM records WHERE sequence = 4')],
        ['emptied', (d) => tamper(d, 'DROP TRIGGER records_stay; DELETE FROM records')],
        ['changed', (d) => tamper(d, `DROP TRIGGER records_are_final; UPDATE records SET hash = '${'ab'.repeat(32)}' WHERE sequence = 4`)],
        ['removed', (d) => rmSync(databasePath(d))],
        ['journal removed', (d) => rmSync(`${databasePath(d)}-wal`)],
        ['anchor removed', (d) => rmSync(anchorPath(d))],
      ]
      for (const [title, act] of cases) {
        const { directory, store } = await filled(4)
        act(directory)
        const error = await rejection(store.append(input(5)))
        expect([title, error instanceof StoreError ? error.code : error]).toEqual([title, 'infra.store_corrupt'])
      }
    })

    test('honest code cannot change a record', async () => {
      const { store } = await filled(2)
      for (const sql of ['DELETE FROM records', "UPDATE records SET tool = 'x'"]) {
        const error = await rejection(store.run((tx) => tx.run(sql), input(3)))
        expect(error).toBeInstanceOf(StoreError)
      }
      expect(numbers(store)).toEqual([1, 2])
    })

    test('a database that is none', async () => {
      const { directory, store } = await filled(1)
      store.close()
      writeFileSync(databasePath(directory), 'x'.repeat(8192))
      expect(fault(() => openStore({ directory, engine }))).toBe('corrupt')
      expect(auditVerify({ directory }).breaks.map(({ kind }) => kind)).toEqual(['malformed'])
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

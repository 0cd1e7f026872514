import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { ENGINES, input } from '../../../test/support/records.ts'
import { emptyJournal, fault, filledStore, numbers, rejection, removeJournal, tamper } from '../../../test/support/store.ts'
import { auditVerify } from '../../audit/log.ts'
import { StoreError, type StoreFault } from '../store.ts'
import { anchorPath } from './anchor.ts'
import { databasePath } from './connection.ts'
import { openStore, type StoreOptions } from './open.ts'

describe.each(ENGINES)('%s', (engine) => {
  const filled = (count: number, options: Partial<StoreOptions> = {}) => filledStore(engine, count, options)

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
      emptyJournal(directory)
      copyFileSync(path, `${path}.old`)
      const longer = openStore({ directory, engine })
      await longer.append(input(4))
      longer.close()
      emptyJournal(directory)
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
})

import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bundled } from '../../../test/support/program.ts'
import { input, temporaryDirectory } from '../../../test/support/records.ts'
import { opened } from '../../../test/support/store.ts'
import { auditVerify } from '../../audit/log.ts'
import { databasePath } from '../../store/sqlite/connection.ts'
import { openJournal } from './open.ts'

const FILE = pathToFileURL(bundled(new URL('./journal.ts', import.meta.url)))

proves('P5', 'a thread copies the journal into the file beside whoever commits, and every record stands', async () => {
  const directory = temporaryDirectory()
  const notes: string[] = []
  const journal = openJournal({ home: directory, note: (line) => notes.push(line), file: FILE })
  onTestFinished(journal.close)
  const store = opened({ directory, grown: journal.copyJournal })
  for (let number = 1; number <= 20; number += 1) await store.append(input(number))
  const before = statSync(databasePath(directory)).size
  journal.copyJournal()
  await vi.waitFor(() => expect(statSync(databasePath(directory)).size).toBeGreaterThan(before), { timeout: 10_000, interval: 20 })
  await store.append(input(21))
  expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 21 })
  expect(notes).toEqual([])
})

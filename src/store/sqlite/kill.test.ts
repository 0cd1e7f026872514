/** What a kill leaves on the disk, byte by byte: the files as they were written before it, and as they were where it came first. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { input, temporaryDirectory } from '../../../test/support/records.ts'
import { emptyJournal } from '../../../test/support/store.ts'
import { anchorPath } from './anchor.ts'
import { counterPath } from './counter.ts'
import { acceptLoss } from './loss.ts'
import { openStore } from './open.ts'

async function append(directory: string): Promise<void> {
  const store = openStore({ directory })
  await store.append(input(1))
  store.close()
}

/** The marks as they are now; called, it puts them back. */
function marks(directory: string): () => void {
  const files = [anchorPath(directory), counterPath(directory)].map((path) => [path, readFileSync(path)] as const)
  return () => {
    for (const [path, bytes] of files) writeFileSync(path, bytes)
  }
}

test('between a commit and its marks: an honest store opens, and goes on', async () => {
  const directory = temporaryDirectory()
  await append(directory)
  const before = marks(directory)
  await append(directory)
  before()
  const store = openStore({ directory })
  expect(store.head().size).toBe(2)
  expect((await store.append(input(3))).sequence).toBe(3)
  store.close()
})

test('in the middle of accepting a loss: refused as before, and accepted again', async () => {
  const directory = temporaryDirectory()
  await append(directory)
  emptyJournal(directory)
  const restore = readFileSync(`${directory}/countersign.db`)
  await append(directory)
  await append(directory)
  await append(directory)
  emptyJournal(directory)
  writeFileSync(`${directory}/countersign.db`, restore)
  const before = marks(directory)
  const accept = () => acceptLoss({ directory, reason: 'r', by: 'user:a', now: 1_000, withdraw: () => ({}) })
  expect(accept()).toMatchObject({ had: 4, has: 1 })
  before()
  expect(() => openStore({ directory })).toThrow(/went back from 4 records/)
  expect(accept()).toMatchObject({ had: 4, has: 2 })
  openStore({ directory }).close()
  expect(accept()).toBeNull()
})

/**
 * Where tests keep the stores whose durability they do not prove: in memory where this machine has a file system there, so that no test
 * waits for a disk. The files, locks and SQLite are the real ones. Tests of crashes and of the store itself use `temporaryDirectory`.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The file system in memory of Linux. Containers have one of 64 MB, which a few stores fill. */
const IN_MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 2 ** 30

let base: string | null = null

function stateBase(): string {
  base ??= hasRoom() ? IN_MEMORY : tmpdir()
  return base
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= MIN_FREE_BYTES
  } catch {
    return false
  }
}

/** An empty directory for a store. Who makes it removes it. */
export function newStateDirectory(): string {
  return mkdtempSync(join(stateBase(), 'countersign-state-'))
}

/** A directory for a store of this test alone, removed when the test ends. */
export function stateDirectoryOfTest(): string {
  const directory = newStateDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

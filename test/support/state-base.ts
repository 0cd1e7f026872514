/**
 * Where tests keep the stores whose durability they do not prove: in memory where this machine has a file system there, so that no test
 * waits for a disk. The files, locks and SQLite are the real ones. Tests of crashes and of the store itself use `temporaryDirectory`, and
 * benches, which are no tests, time the disk.
 */
import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file system in memory of Linux. Containers have one of 64 MB, which a few stores fill. */
const IN_MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 2 ** 30

let base: string | null = null

function stateBase(): string {
  base ??= process.env.VITEST !== undefined && hasRoom() ? IN_MEMORY : tmpdir()
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

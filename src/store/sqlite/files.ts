/** Small files that must be there whole or not at all: written aside, synced, then named. */
import { randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const ASIDE = '.aside-'

/** Creates a directory of this user alone (0700) and its parents; one that exists is left as it is. */
export function privateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Replaces or creates `name` with mode 0600. */
export function replaceFile(directory: string, name: string, bytes: Uint8Array): void {
  renameSync(writeAside(directory, bytes), join(directory, name))
  syncDirectory(directory)
}

/** Creates `name` with mode 0600, or returns false where another process was first: then its file stands. */
export function createFile(directory: string, name: string, bytes: Uint8Array): boolean {
  const aside = writeAside(directory, bytes)
  try {
    linkSync(aside, join(directory, name))
    syncDirectory(directory)
    return true
  } catch (error) {
    if (errno(error) === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(aside)
  }
}

/** Makes the names in a directory durable. */
export function syncDirectory(directory: string): void {
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function ignoringMissing(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error
  }
}

/** The system's name of an error (`ENOENT`), or null. */
export function errno(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

function writeAside(directory: string, bytes: Uint8Array): string {
  const path = join(directory, `${ASIDE}${process.pid}-${randomBytes(6).toString('hex')}`)
  const file = openSync(path, 'wx', 0o600)
  try {
    if (writeSync(file, bytes) !== bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC', syscall: 'write' })
    fdatasyncSync(file)
    return path
  } catch (error) {
    ignoringMissing(() => unlinkSync(path))
    throw error
  } finally {
    closeSync(file)
  }
}

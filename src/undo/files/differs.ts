/** What differs from what was kept. No link is followed. */
import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs'
import type { Attributes } from '../../sandbox/attributes.ts'
import { type AttributeAccess, isSameAttributes } from '../attributes.ts'
import { type Kept, standsAt } from './kept.ts'

/** Lines for people; empty: nothing differs. */
export async function differences(entries: readonly Kept[], access: AttributeAccess): Promise<readonly string[]> {
  const now = await attributesNow(entries, access)
  return entries.flatMap((entry) => {
    const stat = standsAt(entry.path)
    if (entry.type === 'absent') return stat === undefined ? [] : [`delete ${entry.path}`]
    if (stat === undefined) return [`bring back ${entry.path}`]
    return isAsKept(entry) && hasAttributes(entry, now) ? [] : [`restore ${entry.path}`]
  })
}

export function isAsKept(entry: Kept): boolean {
  const stat = standsAt(entry.path)
  if (stat === undefined) return entry.type === 'absent'
  if (entry.owner !== undefined && (stat.uid !== entry.owner[0] || stat.gid !== entry.owner[1])) return false
  switch (entry.type) {
    case 'absent':
      return false
    case 'directory':
      return stat.isDirectory() && (stat.mode & 0o7777) === entry.mode
    case 'link':
      return stat.isSymbolicLink() && readlinkSync(entry.path) === entry.content
    case 'file':
      if (!stat.isFile() || (stat.mode & 0o7777) !== entry.mode || stat.size !== entry.size) return false
      return entry.linked === undefined ? digestOf(entry.path) === entry.content : stat.mtimeMs === entry.linked.mtimeMs
  }
}

export type Standing = ReadonlyMap<string, Attributes>

/** Attributes of what stands there; of names that are not in the answer they are not known. */
export async function attributesNow(entries: readonly Kept[], { problem, read }: AttributeAccess): Promise<Standing> {
  const paths = entries.flatMap(({ path, attributes }) => (attributes === undefined ? [] : [path]))
  const found = paths.length === 0 || problem() !== null ? null : await read(paths)
  return new Map(found?.map((attributes, index) => [paths[index] ?? '', attributes]))
}

export function hasAttributes({ path, attributes }: Kept, now: Standing): boolean {
  const standing = now.get(path)
  return attributes === undefined || standing === undefined || isSameAttributes(attributes, standing)
}

/** Null: it cannot be read, or is no file. */
export function digestOf(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  const sum = createHash('sha256')
  try {
    for (;;) {
      const count = readSync(file, piece, 0, piece.length, null)
      if (count === 0) return sum.digest('hex')
      sum.update(piece.subarray(0, count))
    }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

const piece = Buffer.allocUnsafe(1 << 16)

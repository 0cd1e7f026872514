/**
 * Opens a policy file that nobody vouches for. The file itself is looked at once it is open, so that what was checked is what is read;
 * of its content nothing leaves but the text. I/O.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { UnreadProblem } from './model.ts'

/** Larger ones are no policies of a project. */
export const MAX_PROJECT_BYTES = 256 * 1024

export type Opened = { readonly text: string; readonly problem?: never } | { readonly problem: UnreadProblem }

/** @param protectedPlaces directories in which no policy of a project lies. */
export function openSafely(path: string, protectedPlaces: readonly string[]): Opened {
  const file = realName(path)
  if (file === null) return { problem: 'unreadable' }
  if (protectedPlaces.some((place) => isWithin(file, realDirectory(place)))) return { problem: 'protected' }
  let descriptor: number
  try {
    // Without waiting: a pipe of that name would hold the gate up.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: code === 'ELOOP' || code === 'EMLINK' ? 'link' : code === 'ENXIO' ? 'not_a_file' : 'unreadable' }
  }
  try {
    const problem = problemOf(fstatSync(descriptor))
    return problem === null ? readOpen(descriptor) : { problem }
  } catch {
    return { problem: 'unreadable' }
  } finally {
    closeSync(descriptor)
  }
}

/** Links among the directories are followed, one in the last part is not. */
function realName(path: string): string | null {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return null
  }
}

function realDirectory(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** True where the path is the directory or lies below it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`)
}

function problemOf(stats: Stats): UnreadProblem | null {
  if (!stats.isFile()) return 'not_a_file'
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user && stats.uid !== 0) return 'owner'
  const shared = (stats.mode & 0o020) !== 0 && stats.gid !== 0 && stats.gid !== process.getgid?.()
  if (user !== undefined && ((stats.mode & 0o002) !== 0 || shared)) return 'writable'
  if (stats.nlink > 1) return 'hard_link'
  return stats.size > MAX_PROJECT_BYTES ? 'too_large' : null
}

/** No more than was measured, even where the file grows meanwhile. */
function readOpen(descriptor: number): Opened {
  const buffer = Buffer.alloc(MAX_PROJECT_BYTES + 1)
  let length = 0
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null)
    if (read === 0) break
    length += read
  }
  if (length > MAX_PROJECT_BYTES) return { problem: 'too_large' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length)) }
  } catch {
    return { problem: 'unreadable' }
  }
}

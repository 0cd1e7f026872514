/** Files that calls of a session write, so that a later call that runs one is linked to the write (T02). */
import type { JsonObject } from '../core/json.ts'

export interface WrittenFile {
  /** `sha256:…` of what was written; null where it did not follow from the call. */
  readonly digest: string | null
  /** The address its content came from; null where none is known. */
  readonly origin: string | null
  /** The tool that wrote it. */
  readonly tool: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * The key under which it is remembered that something watches an absolute directory and runs what changes there; its origin is what it is.
 * No path is called so.
 */
export function watchKey(directory: string): string {
  return `watch:${directory}`
}

/** The key of the files in a workspace whose text would do harm if something ran it; its origin is their paths, a line each. No path is called so. */
export function plantKey(root: string): string {
  return `plant:${root}`
}

/**
 * The key of a file that was committed before the session's first edit of it, and that nobody else changed since; its digest is what the last
 * edit left, or null where that does not hold any more. No path is called so.
 */
export function ownKey(path: string): string {
  return `own:${path}`
}

/**
 * The key of a directory that a call of the session made; its digest says which one (`View.identity`), and is null where that does not hold
 * any more, or is not known yet. No path is
 * called so.
 */
export function ownDirectoryKey(path: string): string {
  return ownKey(`dir:${path}`)
}

/** By kernel-true path. A file that was not written has no entry. */
export interface WrittenFiles {
  get(path: string): WrittenFile | undefined
  /** 0 where it is known that nothing was written; default: not known. */
  readonly size?: number
}

/**
 * What an effect that runs such a file is told of it. `changed` is true where the file is no longer what was written: then
 * something else than the recorded call made it what it is.
 */
export function writtenAttributes(file: WrittenFile, digest: string | null): JsonObject {
  return {
    written_in_session: true,
    written_by: file.tool,
    written_at: file.at,
    ...(file.digest === null ? {} : { written_digest: file.digest }),
    ...(file.digest === null || digest === null ? {} : { changed: file.digest !== digest }),
    ...(file.origin === null ? {} : { written_from: file.origin }),
  }
}

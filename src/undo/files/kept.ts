/** One name as it was, and where its content lies. */
import { lstatSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { AttributeAccess } from '../attributes.ts'
import type { Vault } from '../sealed.ts'

/** Where contents are kept, and how what Node does not read of files is read and put back. */
export interface Keeping {
  readonly vault: Vault
  readonly access: AttributeAccess
}

export interface Kept {
  /** Absolute; its directories were no links when it was kept. */
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'absent'
  /** Permission bits; 0 where there is nothing. */
  readonly mode: number
  readonly size: number
  /** SHA-256 of a file's bytes; where a link leads. Null for everything else. */
  readonly content: string | null
  /** The content lies in a file together with others, from this byte on. Absent: it has a file of its own, named by `content`. */
  readonly pack?: { readonly name: string; readonly at: number }
  /** The file itself is kept under a second name and not copied: it holds while nobody writes into it. Absent: no. */
  readonly linked?: { readonly name: string; readonly mtimeMs: number }
  /** The file had other names (hard links): what was written in place is put back in place while the name still is that file. */
  readonly shared?: FileId
  /** A further name of that file among what is kept, by which a name that went is a name of the same file again. Absent: none could be made. */
  readonly twin?: string
  /** Numbers of its user and its group. Absent: they are not known. */
  readonly owner?: Owner
  /** Extended attributes and access control lists, `name=value` with the value in hexadecimal digits. Absent: they are not known. */
  readonly attributes?: readonly string[]
}

export type Owner = readonly [user: number, group: number]

export const ownerIn = ({ uid, gid }: { readonly uid: number; readonly gid: number }): Owner => [uid, gid]

/** Which file a name leads to. */
export interface FileId {
  readonly dev: number
  readonly ino: number
}

export interface Snapshot {
  readonly entries: readonly Kept[]
  /** What is not in it, in words; empty: it is whole. */
  readonly left: readonly string[]
  /** Bytes that were copied. */
  readonly bytes: number
}

export interface SnapshotLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

/** A name to keep, with all that is below it. */
export interface Wanted {
  readonly path: string
  /** True where the call does away with the name and writes nothing into the file: a second name is enough. */
  readonly goes: boolean
}

/** Undefined: nothing stands there, or a directory on the way to it is none. No link is followed. */
export function standsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Everybody else whom this process serves has a turn, every so many files. */
export function turns(): () => Promise<void> {
  let done = 0
  return async () => {
    done++
    if (done % TURN === 0) await setImmediate()
  }
}

const TURN = 256

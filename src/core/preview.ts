import type { Effect } from './effect.ts'
import type { JsonObject } from './json.ts'

/** What a call was seen to do where it was tried out before anybody was asked. */
export interface Preview {
  /** Of all that was seen: a yes holds only while the same would be seen again. */
  readonly digest: string
  /** What people are shown of it. */
  readonly shown: JsonObject
  /** The same for rules. Absent: it was only shown, and nothing can be said of it but that. */
  readonly seen?: Seen
  /** The changes of files that were seen, kept so that exactly they can be made. Absent: nothing was to be kept. */
  readonly kept?: KeptChanges
}

export type KeptChanges =
  | {
      /** Of the list of changes, contents included: who asks for them asks for these. */
      readonly digest: string
      readonly files: number
      readonly bytes: number
    }
  /** Why exactly what was seen cannot be made; a part of a sentence. */
  | { readonly problem: string }

export interface Seen {
  /** Why it could not be tried out; null: it was. */
  readonly unsupported: string | null
  /** What the command ended with; null where none was run. */
  readonly exitCode: number | null
  /** Which limit ended it; null: none did. */
  readonly ended: string | null
  readonly size: PreviewSize
  /** What it did, in the words in which calls are judged. */
  readonly effects: readonly Effect[]
  /** True where it tried to reach the network. */
  readonly network: boolean
}

export interface PreviewSize {
  /** Files that were created, changed or deleted. */
  readonly files: number
  readonly deleted: number
  /** Lines of text that were added or removed. */
  readonly lines: number
  /** Rows of a database. */
  readonly rows: number
}

export const NO_SIZE: PreviewSize = { files: 0, deleted: 0, lines: 0, rows: 0 }

/**
 * Files in which the calls of a session left what somebody else may have written. Sessions share a workspace: who reads such a file has
 * read what those others wrote, although no call of their own session brought it in.
 */
export interface FileLabel {
  /** Kernel-true path; with a slash at its end: everything below. */
  readonly file: string
  /** The session that wrote it. */
  readonly session: string
  /** The tool by which the text of others came into that session. */
  readonly source: string
  /** The tool that wrote the file. */
  readonly tool: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What other sessions of the tenant left. */
export interface FileLabels {
  /** Of the file, of a directory above it, or of a file below the path. */
  readonly of: (path: string) => FileLabel | null
  /** Of a file with this content, wherever it lay: a copy, another worktree. */
  readonly ofDigest: (digest: string) => FileLabel | null
  /** False: there is none, so that no file need be read. */
  readonly any: () => boolean
}

export const NO_LABELS: FileLabels = { of: () => null, ofDigest: () => null, any: () => false }

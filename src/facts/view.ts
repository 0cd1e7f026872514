import type { ViewAnswer } from '../core/decision.ts'

/**
 * The read-only probe of the world. It answers once, remembers, and is recorded in the decision: facts are pure over it,
 * so a decision can be replayed exactly and nothing is read twice (P10). The real one is in view/, a replayed one too.
 */
export interface View {
  /** Absolute, kernel-true home of the user the agent runs as. */
  readonly home: string
  /** User name of that user, for `~name`; null where unknown. */
  readonly user: string | null
  /** Absolute directory the call runs in; null where the host did not say. */
  readonly cwd: string | null
  /** Directories the agent may work in, kernel-true; the first is the workspace. Empty where unknown. */
  readonly roots: readonly string[]
  /** Directories for temporary files, kernel-true. */
  readonly temporary: readonly string[]
  /** The gate's own places (state directory, policy files, binaries, hook settings), kernel-true. */
  readonly gate: readonly string[]
  /**
   * What the gate runs as: its package, the Node that runs it, and the programs that its hook starts, kernel-true. Anybody may read
   * and start them; the agent may not change them. Absent: not known.
   */
  readonly programs?: readonly string[]
  /** The daemon of the gate; null or absent where none runs, as far as known. */
  readonly daemon?: DaemonProcess | null
  /** The kernel's name of an absolute path: real path of the deepest existing ancestor, then the rest (T09). */
  realpath(path: string): PathAnswer
  /** Content of a regular file up to `limit` bytes, with the digest of the whole file; null where it cannot be read. */
  read(path: string, limit: number): FileAnswer | null
  /** An environment variable of the allow-listed names; null where unset or not on the list. */
  env(name: string): string | null
  /** Entries of a directory, for bounded glob expansion; null where it cannot be listed. */
  list(path: string, limit: number): readonly string[] | null
  /** Branch, default remote and remotes of the repository around `path`; null outside one. */
  git(path: string): GitAnswer | null
  /**
   * How a regular file of one name, by its kernel-true path, stands to what its repository has committed; null where it cannot be read.
   * `edit`: what the call makes of its text, of which the digest is answered too; a call makes one thing of a file.
   */
  committed(path: string, edit?: (text: string) => string | null): CommittedAnswer | null
  /** Which directory a path is, told by more than its name; null where there is none of that very name, or where it cannot be told. */
  identity(path: string): string | null
  /**
   * Addresses of a host name, looked up once before the analysis: every look at the name in one decision sees the same ones,
   * whatever its server answers next (T10). Empty where it has none; null where it was not looked up. Absent: no name was.
   */
  readonly hosts?: (name: string) => readonly string[] | null
  /**
   * How many running processes a plain pattern selects, as `pkill` would: in the workspace and of no terminal, as an agent starts them, and
   * all others. Null where the pattern is not plain, or the system does not tell. Absent: nobody looked.
   */
  readonly processes?: (pattern: string, by: ProcessChoice) => ProcessesAnswer | null
  /** Everything answered so far, in order. */
  answers(): readonly ViewAnswer[]
}

/** By a part of the name, by the whole of it, or by a part of the command line. */
export type ProcessChoice = 'name' | 'exact' | 'line'

export interface ProcessesAnswer {
  readonly workspace: number
  readonly others: number
}

export interface DaemonProcess {
  readonly pid: number
  /** Where it listens for browsers and other machines; null: on its socket alone. */
  readonly port: number | null
  /** Its name, as the system shows it and `pkill` takes it. */
  readonly name: string
  /** Its command line, as `pkill -f` takes it. */
  readonly command: string
}

export interface PathAnswer {
  readonly real: string
  readonly type: 'file' | 'directory' | 'other' | 'missing'
  /** Number of hard links of a file; 1 where missing. */
  readonly links: number
}

export interface FileAnswer {
  readonly text: string
  /** `sha256:…` of the whole file. */
  readonly digest: string
  readonly truncated: boolean
}

export interface CommittedAnswer {
  /** `sha256:…` of the whole file. */
  readonly digest: string
  /** True where the work tree, the index and the commit that is checked out hold the same content; false where they do not, or it is not known. */
  readonly committed: boolean
  /** True where at least the work tree and the index hold the same content. */
  readonly staged: boolean
  /** `sha256:…` of the file after the edit; null where there is none, or where it cannot be told. */
  readonly edited: string | null
}

export interface GitAnswer {
  /** Kernel-true top of the work tree. */
  readonly top: string
  readonly branch: string | null
  readonly remotes: Readonly<Record<string, string>>
  /** `[alias]` entries of the repository's own configuration (an alias may run anything). */
  readonly aliases: Readonly<Record<string, string>>
}

/** Git itself, asked about a repository, and what is told of one. */
import { execFile } from 'node:child_process'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type { JsonObject } from '../core/json.ts'

export interface GitState extends JsonObject {
  readonly top: string
  /** Git's own directory of the work tree, and the one that all its work trees share. */
  readonly own: string
  readonly common: string
  /** What keeps the commits of before from being collected. */
  readonly keep: string
  /** Names of all references. Absent: they are not known. */
  readonly names?: readonly string[]
  /** References go back one by one, each only while it is where the call left it. Absent: all of them, as files. */
  readonly leased?: Leased
}

/** What references of one's own have. */
export interface Leased extends JsonObject {
  /** By their whole names. */
  readonly refs: Readonly<Record<string, string>>
  /** Where those lie that were looked at. */
  readonly kinds: readonly string[]
  /** The branch that is checked out, or a commit. */
  readonly head: string
  readonly acts: readonly string[]
  /** The call may do away with references. */
  readonly deletes: boolean
  /** The call changes files of the work tree. */
  readonly tree: boolean
}

const ASK_MS = 10_000
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/** @throws with git's own words. */
export function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return gitWith({}, cwd, args)
}

interface Given {
  /** Lines on its input. */
  readonly input?: string
  /** An index other than that of the work tree. */
  readonly index?: string
  readonly timeoutMs?: number
}

/** @throws with git's own words. */
export async function gitWith({ input = '', index, timeoutMs = ASK_MS }: Given, cwd: string, args: readonly string[]): Promise<string> {
  const own = index === undefined ? {} : { GIT_INDEX_FILE: index }
  const env = { ...environmentFor(args), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', ...own }
  const running = run('git', [...QUIET, ...args], { cwd, env, timeout: timeoutMs, maxBuffer: 64 << 20 })
  running.child.stdin?.on('error', () => {}).end(input)
  return (await running).stdout
}

/** These reach a remote, with the keys and the helpers that the environment names. */
const REACHES: ReadonlySet<string> = new Set(['push', 'fetch', 'ls-remote'])
const PLAIN = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|XDG_CONFIG_HOME)$/

/** Filters of the repository, which an agent can set, run with every other git: they see nothing that the gate knows. */
function environmentFor(args: readonly string[]): NodeJS.ProcessEnv {
  const reaches = args.some((word) => REACHES.has(word))
  const isPassed = (name: string): boolean => (reaches ? !/^(?:GIT|COUNTERSIGN)_/.test(name) : PLAIN.test(name))
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isPassed(name)))
}

const run = promisify(execFile)

/** Of an answer with `-z`. */
export const namesIn = (text: string): readonly string[] => text.split('\0').filter((path) => path !== '')

/** An index is the agent's to write: true of what git itself would have put there, a name below the work tree and not in a repository's own directory. */
export const isOfWorkTree = (name: string): boolean =>
  !isAbsolute(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')

/** Absolute names of what lies below; all others are left out. */
export const namesBelow = (top: string, names: readonly string[]): readonly string[] =>
  names.filter(isOfWorkTree).map((name) => join(top, name))

/** Of an answer with a name on each line. */
export const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** Nothing where it fails. */
export async function attempt<T>(work: () => Promise<T>): Promise<readonly T[]> {
  try {
    return [await work()]
  } catch {
    return []
  }
}

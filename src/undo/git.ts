/** What a repository has before an act on it, and the way back. Git itself is asked; it has been allowed to run on this repository anyway. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type { JsonObject } from '../core/json.ts'
import type { Keeping, Snapshot, SnapshotLimits } from './files/kept.ts'
import { takeSnapshot, written } from './files/snapshot.ts'

export interface GitState extends JsonObject {
  readonly top: string
  /** Git's own directory of the work tree, and the one that all its work trees share. */
  readonly own: string
  readonly common: string
  /** What keeps the commits of before from being collected. */
  readonly keep: string
  /** Names of all references. Absent: they are not known. */
  readonly names?: readonly string[]
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

export interface GitCapture {
  readonly state: GitState
  readonly snapshot: Snapshot
}

export interface GitAct {
  readonly cwd: string
  /** Names the references that keep the commits of before. */
  readonly id: string
  /** True where files that git ignores would go as well. */
  readonly ignored: boolean
  /** Names that are kept as well. */
  readonly also?: readonly string[]
}

/** Beside references: what says that a merge or the like is under way, and with what. */
const UNDER_WAY = [
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'sequencer',
  'rebase-merge',
  'rebase-apply',
] as const

export async function captureGit({ cwd, id, ignored, also = [] }: GitAct, keeping: Keeping, limits: SnapshotLimits): Promise<GitCapture> {
  const [top = '', own = ''] = (await git(cwd, 'rev-parse', '--show-toplevel', '--absolute-git-dir')).trim().split('\n')
  const common = (await git(cwd, 'rev-parse', '--path-format=absolute', '--git-common-dir')).trim()
  const status = await git(
    top,
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    ...(ignored ? ['--ignored'] : []),
  )
  const dirty = namesIn(status).flatMap((line) => statusNames(top, line.slice(3)))
  const records = [
    join(own, 'HEAD'),
    join(own, 'index'),
    join(common, 'packed-refs'),
    join(common, 'refs'),
    join(common, 'logs/refs/stash'),
    join(common, 'reftable'),
  ].filter((path) => existsSync(path))
  const underWay = UNDER_WAY.map((name) => join(own, name))
  const names = linesIn(await git(top, 'for-each-ref', '--format=%(refname)'))
  const snapshot = await takeSnapshot(written([...records, ...underWay, ...dirty, ...also]), keeping, limits)
  const keep = `refs/countersign/${id}`
  const commits = new Set([...(await heads(top)), ...(await stashes(top))])
  const input = [...commits].map((commit) => `update ${keep}/${commit} ${commit}\n`).join('')
  await gitWith({ input }, top, ['update-ref', '--stdin'])
  return { state: { top, own, common, keep, names }, snapshot }
}

/** A directory that is told as a whole, as a repository below is, ends with a stroke. */
const statusNames = (top: string, name: string): readonly string[] => namesBelow(top, [name.replace(/\/$/, '')])

async function heads(top: string): Promise<readonly string[]> {
  const all = (await git(top, 'for-each-ref', '--format=%(objectname)')).trim().split('\n')
  const head = await attempt(() => git(top, 'rev-parse', '--verify', '-q', 'HEAD'))
  return [...all, ...head].map((line) => line.trim()).filter((line) => line !== '')
}

async function stashes(top: string): Promise<readonly string[]> {
  const all = await attempt(() => git(top, 'rev-list', '-g', 'refs/stash'))
  return all.flatMap((text) => text.trim().split('\n')).filter((line) => line !== '')
}

export async function attempt(work: () => Promise<string>): Promise<readonly string[]> {
  try {
    return [await work()]
  } catch {
    return []
  }
}

/** The commits of before may be collected from now on. */
export async function releaseGit({ top, keep }: GitState): Promise<void> {
  const all = await attempt(() => git(top, 'for-each-ref', '--format=%(refname)', keep))
  const refs = all.flatMap((text) => text.trim().split('\n')).filter((ref) => ref !== '')
  await attempt(() => gitWith({ input: refs.map((ref) => `delete ${ref}\n`).join('') }, top, ['update-ref', '--stdin']))
}

/** Null where there is none: no repository, or a commit that no branch is at. */
export async function currentBranch(cwd: string): Promise<string | null> {
  const [name = ''] = await attempt(() => git(cwd, 'symbolic-ref', '--short', '-q', 'HEAD'))
  return name.trim() === '' ? null : name.trim()
}

/** @throws with git's own words. */
export function runGit(top: string, words: readonly string[]): Promise<string> {
  return git(top, ...words)
}

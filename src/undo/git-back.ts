/** The way back of an act on a repository: what it would do now, and doing it. What is there and would go is told, so that it can be kept first. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { differences } from './files/differs.ts'
import { type Keeping, type Kept, standsAt } from './files/kept.ts'
import { restore } from './files/restore.ts'
import { stashLog } from './git.ts'
import { attempt, type GitState, git, gitWith, isOfWorkTree, linesIn, namesBelow, namesIn } from './git-program.ts'
import {
  cameSince,
  commitsAmong,
  isLeased,
  type LeasedState,
  type ReferencesBack,
  referencesBack,
  restoreReferences,
  STASH,
  type When,
} from './references.ts'

export interface GitBack {
  readonly lines: readonly string[]
  /** Commits that leave their branches, as `a1b2c3d subject`; at most so many. */
  readonly commits: readonly string[]
  /** Files of the work tree that are replaced or go, beside those that were kept. */
  readonly replaced: readonly string[]
  /** What the index of before names and what is no file of the work tree: it is left as it is. */
  readonly astray: readonly string[]
  /** What else stays as it is, with the reason. */
  readonly left: readonly string[]
  /** What `restoreGit` is given. */
  readonly back: PartsBack
}

/** What goes back of a repository. */
export interface PartsBack {
  readonly entries: readonly Kept[]
  /** Null: references go back as files, with the entries. */
  readonly references: ReferencesBack | null
}

const isRecordOf = ({ own, common }: GitState) => {
  return ({ path }: Kept): boolean => path.startsWith(`${own}/`) || path.startsWith(`${common}/`)
}

/** @throws with git's own words. */
export async function gitBack(state: GitState, kept: readonly Kept[], where: Where): Promise<GitBack> {
  const { keeping } = where
  const { entries, references } = await partsBack(state, kept, where)
  const whole = state.leased?.tree === false ? { replaced: [], removed: [], astray: [] } : await workTreeBack(state, kept, keeping)
  const { replaced, removed, astray } = whole
  const lines = [
    ...(await differences(entries, keeping.access)),
    ...replaced.map((path) => `${standsAt(path) === undefined ? 'bring back' : 'restore'} ${path}`),
    ...removed.map((path) => `delete ${path}`),
    ...(references?.lines ?? newerReferences(state, entries).map((path) => `delete ${path}`)),
  ]
  const back = { entries, references }
  const rest = { replaced: [...replaced, ...removed], astray, back }
  return { lines, commits: references?.commits ?? (await commitsOnTop(state)), left: references?.left ?? [], ...rest }
}

/** Where contents lie, and what the log tells of the time since. */
interface Where {
  readonly keeping: Keeping
  readonly when: When
}

async function partsBack(state: GitState, kept: readonly Kept[], where: Where): Promise<PartsBack> {
  if (!isLeased(state)) return { entries: kept, references: null }
  const references = await referencesBack(state, where.when)
  return { entries: await partsThatGo(state, { kept, references, ...where }), references }
}

interface Parts extends Where {
  readonly kept: readonly Kept[]
  readonly references: ReferencesBack
}

/**
 * An index that git only looked through is no other one, and the list of what was stashed goes with its reference.
 * @throws where a merge is under way since.
 */
async function partsThatGo(state: LeasedState, { kept, references, keeping, when }: Parts): Promise<readonly Kept[]> {
  const { top, own, common } = state
  const index = join(own, 'index')
  const begun = kept.find(
    (entry) => isRecordOf(state)(entry) && entry.path !== index && entry.type === 'absent' && cameSince(state, entry.path, when),
  )
  if (begun !== undefined) throw new Error(`${basename(begun.path)} came since: finish or give up what git has under way first`)
  const staged = (at?: string) => gitWith(at === undefined ? {} : { index: at }, top, ['ls-files', '--stage', '-v', '-z'])
  const entry = kept.find(({ path }) => path === index)
  const same =
    entry === undefined || (await withIndex(entry, keeping, async (at) => (at === null ? '' : await staged(at)) === (await staged())))
  const stash = references.lines.some((line) => line.endsWith(`/${STASH}`))
  return kept.filter(({ path }) => (path === index ? !same : path === stashLog(common) ? stash : true))
}

/** @param run is given null where there was none. */
async function withIndex<T>(kept: Kept | undefined, keeping: Keeping, run: (index: string | null) => Promise<T>): Promise<T> {
  if (kept?.type !== 'file') return run(null)
  const index = join(realpathSync(keeping.vault.directory), `index-${randomBytes(12).toString('hex')}`)
  try {
    const [problem] = await restore([{ ...kept, path: index, attributes: [], mode: 0o600 }], keeping)
    if (problem !== undefined) throw new Error(problem)
    trustNoTimes(index)
    return await run(index)
  } finally {
    rmSync(index, { force: true })
    rmSync(`${index}.lock`, { force: true })
  }
}

interface WorkTreeBack {
  /** Tracked files that are not as the index of before has them. */
  readonly replaced: readonly string[]
  /** What the act brought into the work tree. */
  readonly removed: readonly string[]
  readonly astray: readonly string[]
}

async function workTreeBack(state: GitState, entries: readonly Kept[], keeping: Keeping): Promise<WorkTreeBack> {
  const { top, own } = state
  const known = knownIn(entries)
  const kept = entries.find(({ path }) => path === join(own, 'index'))
  const below = (text: string): readonly string[] => namesBelow(top, namesIn(text))
  const tracked = below(await git(top, 'ls-files', '-z'))
  return withIndex(kept, keeping, async (index) => {
    if (index === null) return { replaced: [], removed: tracked.filter((path) => !known.has(path) && isFile(path)), astray: [] }
    await attempt(() => gitWith({ index, timeoutMs: LONG_MS }, top, ['update-index', '-q', '--refresh']))
    const names = namesIn(await gitWith({ index }, top, ['ls-files', '-z']))
    const before = new Set(namesBelow(top, names))
    const differ = below(await gitWith({ index, timeoutMs: LONG_MS }, top, ['diff-files', '--name-only', '-z']))
    return {
      replaced: differ.filter((path) => !known.has(path)),
      removed: tracked.filter((path) => !before.has(path) && !known.has(path) && isFile(path)),
      astray: names.filter((name) => !isOfWorkTree(name)),
    }
  })
}

/** Every file is read. */
const LONG_MS = 120_000

/** Names of what is kept, and all below what was not there: it is known not to have been there. */
function knownIn(entries: readonly Kept[]): { readonly has: (path: string) => boolean } {
  const exact = new Set(entries.map(({ path }) => path))
  const absent = new Set(entries.flatMap(({ path, type }) => (type === 'absent' ? [path] : [])))
  const below = (path: string): boolean => absent.has(path) || (dirname(path) !== path && below(dirname(path)))
  return { has: (path) => exact.has(path) || (absent.size > 0 && below(path)) }
}

/**
 * Git takes a file for what its index says where size and times fit, unless the index is not newer than the file. An index that is put back is newer than
 * a file that was changed within the same second, so it is made older than all.
 */
function trustNoTimes(index: string): void {
  if (existsSync(index)) utimesSync(index, 1, 1)
}

const isFile = (path: string): boolean => standsAt(path)?.isDirectory() === false

/** Commits that only references have which go back to what they were. */
async function commitsOnTop({ top, keep, names }: GitState): Promise<readonly string[]> {
  if (names === undefined) return []
  const before = new Set(names)
  const now = linesIn(await git(top, 'for-each-ref', '--format=%(refname)'))
  const kept = linesIn(await git(top, 'for-each-ref', '--format=^%(objectname)', keep))
  const [own, others] = [
    now.filter((name) => before.has(name)),
    now.filter((name) => !before.has(name) && !name.startsWith('refs/countersign/')),
  ]
  const head = await attempt(() => git(top, 'rev-parse', '--verify', '-q', 'HEAD'))
  const ends = [...head.map((line) => line.trim()), ...own.filter((name) => !name.startsWith('refs/countersign/'))]
  if (ends.length === 0) return []
  return commitsAmong(top, [...ends, ...kept, ...others.map((name) => `^${name}`)])
}

/** A reference in a file of its own stands before what the file of packed ones says: those that had no file have none again. */
function newerReferences({ common }: GitState, entries: readonly Kept[]): readonly string[] {
  const known = new Set(entries.map(({ path }) => path))
  return namesBelow(join(common, 'refs'), packedNames(common)).filter((path) => !known.has(path) && isFile(path))
}

function packedNames(common: string): readonly string[] {
  try {
    return readFileSync(join(common, 'packed-refs'), 'utf8')
      .split('\n')
      .flatMap((line) => /^[0-9a-f]+ refs\/(.+)$/.exec(line)?.[1] ?? [])
  } catch {
    return []
  }
}

/** Names that could not be put back, with the reason. */
export async function restoreGit(state: GitState, { entries, references }: PartsBack, keeping: Keeping): Promise<readonly string[]> {
  const { top, own } = state
  const index = join(own, 'index')
  const tracked = namesBelow(top, namesIn(await git(top, 'ls-files', '-z')))
  const isRecord = isRecordOf(state)
  if (references !== null) await restoreReferences(top, references)
  const problems = [...(await restore(entries.filter(isRecord), keeping))]
  if (references === null) problems.push(...(await restore(newerReferences(state, entries).map(absent), keeping)))
  if (state.leased?.tree !== false) problems.push(...(await filesBack(state, { entries, tracked, keeping })))
  trustNoTimes(index)
  await attempt(() => gitWith({ timeoutMs: LONG_MS }, top, ['update-index', '-q', '--refresh']))
  if (existsSync(index)) utimesSync(index, new Date(), new Date())
  return problems
}

interface FilesBack {
  readonly entries: readonly Kept[]
  /** What the index had until it went back. */
  readonly tracked: readonly string[]
  readonly keeping: Keeping
}

async function filesBack(state: GitState, { entries, tracked, keeping }: FilesBack): Promise<readonly string[]> {
  const { top, own } = state
  const isRecord = isRecordOf(state)
  const names = namesIn(await git(top, 'ls-files', '-z'))
  const before = new Set(namesBelow(top, names))
  const known = new Set(entries.map(({ path }) => path))
  // What the act brought into the work tree goes with it again.
  const brought = tracked.filter((path) => !before.has(path) && !known.has(path) && isFile(path))
  const problems = await restore(brought.map(absent), keeping)
  trustNoTimes(join(own, 'index'))
  await checkOut(top, names)
  const files = entries.filter((entry) => !isRecord(entry))
  return [...problems, ...(await restore(files, keeping))]
}

/** Git itself writes to any name that an index has. */
async function checkOut(top: string, names: readonly string[]): Promise<void> {
  if (names.every(isOfWorkTree)) {
    await gitWith({ timeoutMs: LONG_MS }, top, ['checkout-index', '--all', '--force'])
    return
  }
  // What is checked out is tagged `H` and of no side of a merge.
  const staged = namesIn(await git(top, 'ls-files', '-z', '-t', '--stage'))
  const honest = staged.flatMap((line) => /^H \d+ [0-9a-f]+ 0\t(.*)$/s.exec(line)?.[1] ?? []).filter(isOfWorkTree)
  const input = honest.map((name) => `${name}\0`).join('')
  await gitWith({ input, timeoutMs: LONG_MS }, top, ['checkout-index', '--force', '-z', '--stdin'])
}

const absent = (path: string): Kept => ({ path, type: 'absent', mode: 0, size: 0, content: null })

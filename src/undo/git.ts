/** What a repository has before an act on it. Git itself is asked; it has been allowed to run on this repository anyway. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Keeping, Snapshot, SnapshotLimits } from './files/kept.ts'
import { takeSnapshot, written } from './files/snapshot.ts'
import { attempt, type GitState, git, gitWith, linesIn, namesBelow, namesIn } from './git-program.ts'
import { commitsOf, leasedOf } from './references.ts'

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
  /** What the call does, where all that goes back is its own. Absent: everything does. */
  readonly acts?: readonly string[]
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

export async function captureGit(act: GitAct, keeping: Keeping, limits: SnapshotLimits): Promise<GitCapture> {
  const { cwd, id, also = [], acts } = act
  const places = ['--show-toplevel', '--absolute-git-dir', '--path-format=absolute', '--git-common-dir']
  const [top = '', own = '', common = ''] = (await git(cwd, 'rev-parse', ...places)).trim().split('\n')
  const leased = acts === undefined ? undefined : await leasedOf(top, common, acts)
  const dirty = leased?.tree === false ? [] : await dirtyIn(top, act.ignored)
  const records = leased === undefined ? recordsIn(own, common) : [join(own, 'index'), ...(leased.tree ? [stashLog(common)] : [])]
  const underWay = UNDER_WAY.map((name) => join(own, name))
  const names = leased === undefined ? linesIn(await git(top, 'for-each-ref', '--format=%(refname)')) : undefined
  const snapshot = await takeSnapshot(written([...records, ...underWay, ...dirty, ...also]), keeping, limits)
  const keep = `refs/countersign/${id}`
  const commits = new Set(await commitsToKeep(top, leased))
  const input = [...commits].map((commit) => `update ${keep}/${commit} ${commit}\n`).join('')
  await gitWith({ input }, top, ['update-ref', '--stdin'])
  return {
    state: { top, own, common, keep, ...(names === undefined ? {} : { names }), ...(leased === undefined ? {} : { leased }) },
    snapshot,
  }
}

/** A work tree whose references go back one by one is a part of the same: the list of what was stashed is no reference. */
export const stashLog = (common: string): string => join(common, 'logs/refs/stash')

const recordsIn = (own: string, common: string): readonly string[] =>
  [
    ...[join(own, 'HEAD'), join(own, 'index')],
    ...[join(common, 'packed-refs'), join(common, 'refs'), stashLog(common), join(common, 'reftable')],
  ].filter((path) => existsSync(path))

async function dirtyIn(top: string, ignored: boolean): Promise<readonly string[]> {
  const words = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', ...(ignored ? ['--ignored'] : [])]
  return namesIn(await git(top, ...words)).flatMap((line) => statusNames(top, line.slice(3)))
}

async function commitsToKeep(top: string, leased: GitState['leased']): Promise<readonly string[]> {
  if (leased === undefined) return [...(await heads(top)), ...(await stashes(top))]
  const [head = ''] = await attempt(() => git(top, 'rev-parse', '--verify', '-q', 'HEAD'))
  return [...commitsOf(leased, head.trim()), ...(leased.tree ? await stashes(top) : [])]
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

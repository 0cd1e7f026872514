/**
 * References that a call may move: what they had before, and the way back of those that still are where the call left them. What somebody else moved
 * since stays. Git notes each move with its second; the file of a reference tells it more exactly.
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { standsAt } from './files/kept.ts'
import { attempt, type GitState, git, gitWith, type Leased, linesIn } from './git-program.ts'
import type { Later } from './later.ts'

const HEADS = 'refs/heads/'
export const STASH = 'refs/stash'

/** Acts that put other files into the work tree. */
const TREE: ReadonlySet<string> = new Set(['git:checkout', 'git:merge', 'git:stash', 'git:apply'])
const DELETES: ReadonlySet<string> = new Set(['git:branch', 'git:tag', 'git:stash', 'git:notes'])

/** @throws where references lie in a table, which does not tell when each was moved. */
export async function leasedOf(top: string, common: string, acts: readonly string[]): Promise<Leased> {
  if (existsSync(join(common, 'reftable'))) throw new Error('the references of this repository lie in a table')
  const kinds = [HEADS, 'refs/notes/', STASH, ...(acts.includes('git:tag') ? ['refs/tags/'] : [])]
  const refs = Object.fromEntries([...(await refsNow(top, kinds))].map(([name, { commit }]) => [name, commit]))
  const has = (set: ReadonlySet<string>): boolean => acts.some((act) => set.has(act))
  return { acts, refs, kinds, head: await headNow(top), deletes: has(DELETES), tree: has(TREE) }
}

/** Commits that the call may leave without a name. */
export const commitsOf = ({ refs, deletes, tree }: Leased, head: string): readonly string[] =>
  [...(deletes || tree ? Object.values(refs) : []), head].filter((commit) => commit !== '')

/** What goes back of a repository. */
export interface ReferencesBack {
  /** For `git update-ref --stdin`, each with what it has to be until then. */
  readonly updates: readonly string[]
  /** What is checked out again; null: it is. */
  readonly head: string | null
  readonly lines: readonly string[]
  /** What stays as it is, with the reason. */
  readonly left: readonly string[]
  /** As `a1b2c3d subject`: commits that leave their branches; at most so many. */
  readonly commits: readonly string[]
}

interface Now {
  readonly commit: string
  /** The work tree that has it checked out; empty: none. */
  readonly tree: string
}

async function refsNow(top: string, kinds: readonly string[]): Promise<ReadonlyMap<string, Now>> {
  const lines = linesIn(await git(top, 'for-each-ref', '--format=%(refname) %(objectname) %(worktreepath)', ...kinds))
  return new Map(
    lines.map((line) => {
      const [name = '', commit = '', ...tree] = line.split(' ')
      return [name, { commit, tree: tree.join(' ') }]
    }),
  )
}

/** The whole name of the branch that is checked out, or the commit. */
async function headNow(top: string): Promise<string> {
  const [branch = ''] = await attempt(() => git(top, 'symbolic-ref', '-q', 'HEAD'))
  return branch.trim() !== '' ? branch.trim() : (await git(top, 'rev-parse', '--verify', 'HEAD')).trim()
}

export type LeasedState = GitState & { readonly leased: Leased }

export function isLeased(state: GitState): state is LeasedState {
  return state.leased !== undefined
}

export interface When {
  /** When the call was allowed. */
  readonly at: number
  readonly later: Later
}

/** Where nobody told the result: calls are over by then, most of them. */
const CALL_MS = 60_000
/** File systems round times down to a tick of the clock. */
const TICK_MS = 16

/** @throws where something else is checked out since, or where what is checked out was moved. */
export async function referencesBack(state: LeasedState, when: When): Promise<ReferencesBack> {
  const { top, own, leased } = state
  const time = timing(state, when)
  const head = await headNow(top)
  if (head !== leased.head && !time.isOwn(join(own, 'HEAD')))
    throw new Error(`${shown(head)} was checked out since; check out ${shown(leased.head)} first, or take back what did it`)
  const now = await refsNow(top, leased.kinds)
  const names = [...new Set([...Object.keys(leased.refs), ...now.keys()])]
  const moved = names.filter((name) => leased.refs[name] !== now.get(name)?.commit && !time.isOthers(name, now.get(name)))
  const stays = new Map(moved.flatMap((name) => reasonFor(name, now.get(name), { time, state })))
  const [blocked] = [head, leased.head].filter((name) => stays.has(name))
  if (blocked !== undefined) throw new Error(stays.get(blocked))
  const goes = moved.filter((name) => !stays.has(name))
  return {
    updates: goes.map((name) => updateOf(name, leased.refs[name], now.get(name)?.commit)),
    head: head === leased.head ? null : leased.head,
    lines: [
      ...goes.map((name) => `${wordFor(leased.refs[name], now.get(name))} ${join(state.common, name)}`),
      ...(head === leased.head ? [] : [`restore ${join(own, 'HEAD')}`]),
    ],
    left: [...stays.values()],
    commits: await commitsThatLeave(top, leased, goes),
  }
}

const shown = (name: string): string => `\`${name.replace(/^refs\/(?:heads|tags|notes)\//, '')}\``

const wordFor = (before: string | undefined, now: Now | undefined): string =>
  before === undefined ? 'delete' : now === undefined ? 'bring back' : 'restore'

const updateOf = (name: string, before: string | undefined, now: string | undefined): string =>
  before === undefined ? `delete ${name} ${now}` : now === undefined ? `create ${name} ${before}` : `update ${name} ${before} ${now}`

interface Timing {
  /** True of a time by which the call had not ended, or of a way back. */
  readonly isIn: (time: number) => boolean
  /** True of a file that the call wrote last, or a way back. */
  readonly isOwn: (path: string) => boolean
  readonly isOwnRef: (name: string) => boolean
  /** True of a reference that the call did not move, as far as git notes such moves. */
  readonly isOthers: (name: string, now: Now | undefined) => boolean
}

function timing({ own, common, leased }: LeasedState, { at, later }: When): Timing {
  const touched = later.calls.filter(({ touches }) => touches(join(own, 'index'))).map((call) => call.at)
  const end = Math.min(later.ended === null ? at + CALL_MS : later.ended + TICK_MS, ...touched)
  const backs = later.backs.filter(({ touches }) => touches(join(own, 'index')))
  const isIn = (time: number): boolean => time <= end || backs.some(({ from, until }) => time >= from - TICK_MS && time <= until + TICK_MS)
  const timeOf = (name: string): number | null => timeOfFile(join(common, name)) ?? movesOf(common, name).at(-1) ?? null
  const isOwnRef = (name: string): boolean => {
    const time = timeOf(name)
    return time !== null && isIn(time)
  }
  return {
    isIn,
    isOwn: (path) => isIn(timeOfFile(path) ?? Number.POSITIVE_INFINITY),
    isOwnRef,
    isOthers: (name, now) => {
      if (now === undefined) return !leased.deletes
      if (isOwnRef(name)) return false
      const moves = movesOf(common, name)
      return moves.length > 0 && !moves.some((time) => time >= at - (at % 1_000) && time <= end)
    },
  }
}

/** True of what stands there since the call ended, and not by a way back. */
export function cameSince(state: LeasedState, path: string, when: When): boolean {
  const stat = standsAt(path)
  return stat !== undefined && !timing(state, when).isIn(Math.max(stat.mtimeMs, stat.ctimeMs))
}

function timeOfFile(path: string): number | null {
  const stat = standsAt(path)
  return stat === undefined || stat.isDirectory() ? null : Math.max(stat.mtimeMs, stat.ctimeMs)
}

/** When git notes that the reference was moved, in milliseconds of whole seconds, the newest last. */
function movesOf(common: string, name: string): readonly number[] {
  try {
    const lines = linesIn(readFileSync(join(common, 'logs', name), 'latin1'))
    return lines.flatMap((line) => {
      const [, seconds] = /> (\d+) [-+]\d{4}(?:\t|$)/.exec(line) ?? []
      return seconds === undefined ? [] : [Number(seconds) * 1_000]
    })
  } catch {
    return []
  }
}

/** Nothing: it can go back. */
function reasonFor(
  name: string,
  now: Now | undefined,
  { time, state: { top, leased } }: { readonly time: Timing; readonly state: LeasedState },
): readonly (readonly [string, string])[] {
  if (now !== undefined && !time.isOwnRef(name)) return [[name, `${shown(name)} was moved since, and stays where it is`]]
  const elsewhere = now !== undefined && now.tree !== '' && now.tree !== top
  return elsewhere ? [[name, `${shown(name)} is checked out in the work tree ${basename(now.tree)}, and stays where it is`]] : []
}

export const MAX_COMMITS = 10

/** Commits that only references have which go back. */
async function commitsThatLeave(top: string, { refs, head }: Leased, goes: readonly string[]): Promise<readonly string[]> {
  const going = new Set(goes)
  const all = linesIn(await git(top, 'for-each-ref', '--format=%(refname)')).filter((name) => !name.startsWith('refs/countersign/'))
  const ends = [...all.filter((name) => going.has(name) && name !== STASH), 'HEAD']
  const before = [...Object.values(refs), ...(head.startsWith('refs/') ? [] : [head])]
  const stay = [...all.filter((name) => !going.has(name) && refs[name] === undefined), ...before]
  const [found = []] = await attempt(() => commitsAmong(top, [...ends, ...stay.map((name) => `^${name}`)]))
  return found
}

/** As `a1b2c3d subject`, one more than `MAX_COMMITS` at most. @param ends as for `git rev-list`. @throws with git's own words. */
export async function commitsAmong(top: string, ends: readonly string[]): Promise<readonly string[]> {
  const input = ends.map((line) => `${line}\n`).join('')
  // Not `log`: settings of the repository can make that start programs.
  const found = await gitWith({ input }, top, ['rev-list', '--stdin', '--format=%h %s', `--max-count=${MAX_COMMITS + 1}`])
  return linesIn(found).filter((line) => !/^commit [0-9a-f]{40,64}$/.test(line))
}

/** In one piece: where one of them is not what it was when it was looked at, none is moved. @throws with git's own words. */
export async function restoreReferences(top: string, { updates, head }: Pick<ReferencesBack, 'updates' | 'head'>): Promise<void> {
  if (head?.startsWith('refs/') === false) await git(top, 'update-ref', '--no-deref', 'HEAD', head)
  else if (head !== null) await git(top, 'symbolic-ref', 'HEAD', head)
  const input = updates.map((line) => `${line}\n`).join('')
  if (updates.length > 0) await gitWith({ input }, top, ['update-ref', '-m', 'countersign undo', '--stdin'])
}

/** A View of a described world: for evaluation rows that state their context, for policy examples, and for tests. */
import type { CommittedAnswer, DaemonProcess, FileAnswer, GitAnswer, PathAnswer, View } from '../facts/view.ts'
import { isAllowedVariable } from './environment.ts'
import { bounded, editing, lookedUp, Memory } from './memory.ts'
import { processesOf, type RunningProcess } from './processes.ts'
import { type Entry, MISSING, walkPath } from './walk.ts'

/** Everything is optional but the home; what is not described does not exist. */
export interface World {
  readonly home: string
  readonly user?: string | null
  readonly cwd?: string | null
  /** Default: `cwd`, unless that is `/` or the home. */
  readonly roots?: readonly string[]
  /** Default: `/tmp` and `/var/tmp`. */
  readonly temporary?: readonly string[]
  readonly gate?: readonly string[]
  readonly programs?: readonly string[]
  readonly daemon?: DaemonProcess | null
  readonly env?: Readonly<Record<string, string>>
  /** Absolute path to text. Parent directories exist with their files. */
  readonly files?: Readonly<Record<string, string>>
  readonly directories?: readonly string[]
  /** Absolute path of a link to what it points to, absolute or relative. */
  readonly links?: Readonly<Record<string, string>>
  /** Repositories by their top directory. */
  readonly git?: Readonly<Record<string, GitAnswer>>
  /** What repositories have committed, absolute path to text: such a file is clean as long as it holds that text. Default: nothing. */
  readonly committed?: Readonly<Record<string, string>>
  /** Addresses by host name, as a lookup answered. Absent: no name was looked up. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>
  /** What runs. Absent: nobody looked. */
  readonly processes?: readonly RunningProcess[]
  /** `sha256:…` of a text; needed only where files are read. Default: a digest that names itself as not computed. */
  readonly digest?: (text: string) => string
}

/** A View over the described world. */
export function createFixedView(world: World): View {
  const memory = new Memory()
  const entries = entriesOf(world)
  const cwd = world.cwd ?? null
  const resolve = (path: string): PathAnswer => {
    const walked = walkPath(path, (name) => entries.get(name) ?? MISSING)
    return { real: walked.real, type: walked.kind, links: 1 }
  }
  const roots = world.roots ?? (cwd === null || cwd === '/' || cwd === world.home ? [] : [cwd])
  const { processes } = world
  return {
    home: world.home,
    user: world.user === undefined ? (world.home.split('/').at(-1) ?? null) : world.user,
    cwd,
    roots,
    temporary: world.temporary ?? ['/tmp', '/var/tmp'],
    gate: world.gate ?? [],
    programs: world.programs ?? [],
    daemon: world.daemon ?? null,
    realpath: (path) => memory.once('realpath', path, () => resolve(path)),
    read: (path, limit) => memory.once('read', bounded(path, limit), () => readDescribed(world, resolve(path).real, limit)),
    env: (name) => memory.once('env', name, () => variable(world, name, cwd)),
    list: (path, limit) => memory.once('list', bounded(path, limit), () => listDescribed(entries, resolve(path), limit)),
    git: (path) => memory.once('git', path, () => repositoryAround(world, resolve(path).real)),
    committed: (path, edit) => memory.once('committed', editing(path, edit), () => committedDescribed(world, path, edit)),
    identity: (path) => memory.once('identity', path, () => null),
    ...lookedUp(world.hosts === undefined ? undefined : new Map(Object.entries(world.hosts)), memory),
    ...(processes === undefined
      ? {}
      : processesOf(
          () => processes,
          () => roots,
          memory,
        )),
    answers: () => memory.recorded(),
  }
}

/** A world is described once, however many Views are opened over it. */
const described = new WeakMap<World, ReadonlyMap<string, Entry>>()

function entriesOf(world: World): ReadonlyMap<string, Entry> {
  const known = described.get(world)
  if (known !== undefined) return known
  const entries = describeEntries(world)
  described.set(world, entries)
  return entries
}

function describeEntries(world: World): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  const put = (path: string, entry: Entry): void => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const parent = path.slice(0, at)
      if (!entries.has(parent)) entries.set(parent, { kind: 'directory' })
    }
    entries.set(path, entry)
  }
  const standing = [world.home, ...(world.cwd ? [world.cwd] : []), ...(world.roots ?? []), ...(world.temporary ?? ['/tmp'])]
  for (const path of [...standing, ...(world.directories ?? [])]) put(path, { kind: 'directory' })
  for (const path of Object.keys(world.files ?? {})) put(path, { kind: 'file' })
  for (const [path, to] of Object.entries(world.links ?? {})) put(path, { kind: 'link', to })
  return entries
}

function readDescribed(world: World, path: string, limit: number): FileAnswer | null {
  if (world.files === undefined || !Object.hasOwn(world.files, path)) return null
  const text = world.files[path] ?? ''
  const digest = world.digest?.(text) ?? 'sha256:not-computed'
  return { text: text.slice(0, limit), digest, truncated: text.length > limit }
}

function committedDescribed(world: World, path: string, edit?: (text: string) => string | null): CommittedAnswer | null {
  const { files, digest } = world
  const text = files !== undefined && Object.hasOwn(files, path) ? files[path] : undefined
  if (text === undefined || digest === undefined) return null
  const edited = edit?.(text) ?? null
  const isCommitted = world.committed !== undefined && Object.hasOwn(world.committed, path) && world.committed[path] === text
  return { digest: digest(text), committed: isCommitted, staged: isCommitted, edited: edited === null ? null : digest(edited) }
}

function variable(world: World, name: string, cwd: string | null): string | null {
  if (name === 'HOME') return world.home
  if (name === 'PWD') return cwd
  if (world.env === undefined || !isAllowedVariable(name) || !Object.hasOwn(world.env, name)) return null
  return world.env[name] ?? null
}

function listDescribed(entries: ReadonlyMap<string, Entry>, at: PathAnswer, limit: number): readonly string[] | null {
  if (at.type !== 'directory') return null
  const prefix = at.real === '/' ? '/' : `${at.real}/`
  const names = [...entries.keys()].filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
  return names
    .map((path) => path.slice(prefix.length))
    .filter((name) => name !== '')
    .sort()
    .slice(0, limit)
}

function repositoryAround(world: World, path: string): GitAnswer | null {
  for (const [top, answer] of Object.entries(world.git ?? {})) {
    if (path === top || path.startsWith(`${top}/`)) return answer
  }
  return null
}

/** Before an allowed call runs: what it would delete, overwrite or push over is kept, by the compensators of its effects. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Effect } from '../core/effect.ts'
import type { JsonObject } from '../core/json.ts'
import type { Capture, CaptureStore, Way } from './captures.ts'
import { COMPENSATORS, changesAttributes, compensatorsOf, GIT, GIT_LOCAL, isFinal, wayBack } from './catalogue.ts'
import type { Compensator, Ways } from './compensator.ts'
import { fileOfApplication, sqliteOfApplication } from './databases/application.ts'
import { type DumpParts, dumpDatabase, requirePort } from './databases/dumps.ts'
import { databaseOf, type KnownDatabase, partOf, portOf } from './databases/known.ts'
import type { SnapshotLimits, Wanted } from './files/kept.ts'
import { takeSnapshot } from './files/snapshot.ts'
import { captureGit } from './git.ts'
import { captureNpm } from './npm.ts'
import { capturePush } from './pushes.ts'
import { captureHub } from './services/github.ts'
import { captureCluster } from './services/kubernetes.ts'
import { captureStack } from './services/terraform.ts'

export interface CaptureParts {
  readonly store: CaptureStore
  readonly limits: SnapshotLimits
  /** Random hexadecimal digits of so many bytes. */
  readonly random: (bytes: number) => string
  readonly digest: (text: string) => string
  readonly ways: Ways
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** What a variable holds; null: it is not set. */
  readonly variable: DumpParts['variable']
  /** Directories that are never kept: the gate's own. */
  readonly gate: readonly string[]
}

export interface Acts {
  readonly effects: readonly Effect[]
  readonly cwd: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly keepMs: number
}

/** What the log says of it: `{ id, digest, ways: [{ name, exercised, partial }], no_way_back: […] }`; null where the call changes nothing. */
export type CaptureNote = JsonObject

/** @throws where something that should be kept cannot be. */
export async function captureFor({ effects, cwd, at, keepMs }: Acts, parts: CaptureParts): Promise<CaptureNote | null> {
  const found = new Map<Compensator, Effect[]>()
  for (const effect of effects) {
    for (const way of compensatorsOf(effect, parts.ways)) found.set(way, [...(found.get(way) ?? []), effect])
  }
  const files = filesOfApplications(effects, cwd, parts)
  const without = effects
    .filter((effect) => isFinal(effect) && wayBack(effect, parts.ways) === null && !files.has(effect))
    .map(({ verb, action }) => action ?? verb)
  if (found.size + files.size === 0) return without.length === 0 ? null : { id: null, ways: [], no_way_back: [...new Set(without)] }
  const id = `und_${parts.random(12)}`
  const ways: Way[] = []
  for (const file of new Set(files.values())) ways.push(await sqliteOf(file, parts))
  const missed: string[] = []
  // References go back first: later ways put back what is kept whole.
  const inTurn = [...found].toSorted(([one], [other]) => Number(other === GIT_LOCAL) - Number(one === GIT_LOCAL))
  for (const [compensator, acts] of inTurn) ways.push(...(await waysOf(compensator, acts, { id, cwd, parts, all: effects, missed })))
  const kept = ways.some((way) => way.run !== 'manual')
  const capture: Capture = { id, at, until: at + keepMs, cwd, ways }
  const text = kept ? parts.store.write(capture) : null
  return {
    id: kept ? id : null,
    ...(text === null ? {} : { digest: parts.digest(text) }),
    until: capture.until,
    ways: ways.map((way) => noteOf(way, [...found.keys()])),
    ...(without.length === 0 ? {} : { no_way_back: [...new Set(without)] }),
    ...incompleteOf(effects, missed),
  }
}

function incompleteOf(effects: readonly Effect[], missed: readonly string[]): { incomplete?: string } {
  const opaque = effects.some(({ verb }) => verb === 'opaque') ? ['part of what the call does is not known before it runs'] : []
  const all = [...opaque, ...new Set(missed)]
  return all.length === 0 ? {} : { incomplete: all.join('; ') }
}

function noteOf(way: Way, compensators: readonly Compensator[]): JsonObject {
  const partial = way.run === 'files' || way.run === 'git' ? way.left : []
  const exercised = [...compensators, ...COMPENSATORS].find(({ name }) => name === way.name)?.exercised ?? false
  const linked = 'entries' in way ? way.entries.filter((entry) => entry.linked !== undefined).length : 0
  return { name: way.name, exercised, ...(partial.length === 0 ? {} : { partial }), ...(linked === 0 ? {} : { linked }) }
}

interface Context {
  readonly id: string
  /** The call's own; the command may work elsewhere. */
  readonly cwd: string | null
  readonly parts: CaptureParts
  /** Of the call, in their order. */
  readonly all: readonly Effect[]
  /** Filled with what nothing is kept of although the call runs, as it loses nothing. */
  readonly missed: string[]
}

async function waysOf(
  { name, run }: Compensator,
  effects: readonly Effect[],
  { id, cwd, parts, all, missed }: Context,
): Promise<readonly Way[]> {
  switch (run) {
    case 'manual':
      return [{ name, run }]
    case 'files': {
      const problem = parts.store.access.problem()
      if (problem !== null && effects.some(changesAttributes)) throw new Error(problem)
      const wanted = effects.flatMap(wantedOf).filter(({ path }) => isKept(path, parts.gate))
      return [await filesOf(name, wanted, parts)]
    }
    case 'git':
      return repositoriesOf(name, effects, { id, parts, all, missed })
    case 'database':
      return databasesOf(name, effects, { cwd, parts })
    case 'npm':
      return effects.map((effect) => {
        const published = captureNpm(effect)
        return published === null ? { name: `${name} by hand`, run: 'manual' } : { name, run, published, at: parts.now() }
      })
    case 'kubernetes':
      return clustersOf(name, effects, parts)
    case 'github': {
      const hubs = await Promise.all(effects.map((effect) => captureHub(effect, directoryOf('gh', effect))))
      return hubs.flatMap((hub) => (hub === null ? [] : [{ name, run, hub }]))
    }
    case 'terraform':
      return stacksOf(name, effects, parts)
    case 'git-push':
      return (
        await Promise.all(effects.filter(({ action }) => action === 'git:push').map((effect) => pushesOf(effect, { name, all })))
      ).flat()
  }
}

/** Where the command itself works. @throws where that is not known: what is kept in another place takes nothing back. */
function directoryOf(client: string, { directory = null }: Effect): string {
  if (directory === null) throw new Error(`it is not known in which directory ${client} would run`)
  return directory
}

function byDirectory(client: string, effects: readonly Effect[]): ReadonlyMap<string, readonly Effect[]> {
  const found = new Map<string, Effect[]>()
  for (const effect of effects) {
    const directory = directoryOf(client, effect)
    found.set(directory, [...(found.get(directory) ?? []), effect])
  }
  return found
}

/** A dump of each database; the file of SQLite instead, where the settings of the tool name one. @throws where they name another database. */
async function databasesOf(
  name: string,
  effects: readonly Effect[],
  { cwd, parts }: Pick<Context, 'cwd' | 'parts'>,
): Promise<readonly Way[]> {
  const { vault } = parts.store
  const ways: Way[] = []
  const dumped = new Set<KnownDatabase>()
  for (const effect of effects) {
    const database = databaseOf(effect, parts.ways.databases)
    if (database === null) continue
    const file = fileOfApplication(database, effect, { cwd, variable: parts.variable })
    if (file !== null) ways.push(await sqliteOf(file, parts))
    else if (!dumped.has(database)) {
      const acts = effects.filter((each) => databaseOf(each, parts.ways.databases) === database)
      requirePort(database, acts.map(portOf), parts)
      const bounds = { vault, maxBytes: parts.limits.maxBytes, variable: parts.variable }
      ways.push({ name, run: 'database', dump: await dumpDatabase(database, { ...bounds, part: partOf(acts) }) })
      dumped.add(database)
    }
  }
  return ways
}

/** Of databases that the policy does not name: it costs no server and no password to keep a file. */
function filesOfApplications(effects: readonly Effect[], cwd: string | null, parts: CaptureParts): ReadonlyMap<Effect, string> {
  const found = new Map<Effect, string>()
  for (const effect of effects) {
    const file = wayBack(effect, parts.ways) === null ? sqliteOfApplication(effect, { cwd, variable: parts.variable }) : null
    if (file !== null) found.set(effect, file)
  }
  return found
}

function sqliteOf(file: string, parts: CaptureParts): Promise<Way> {
  const paths = SQLITE_ENDS.map((end) => `${real(file)}${end}`).filter((path) => isKept(path, parts.gate))
  const wanted = paths.map((path) => ({ path, goes: false }))
  return filesOf('database:sqlite', wanted, parts)
}

async function filesOf(name: string, wanted: readonly Wanted[], { store, limits }: CaptureParts): Promise<Way> {
  const { entries, left } = await takeSnapshot(wanted, store, limits)
  return { name, run: 'files', entries, left }
}

const SQLITE_ENDS = ['', '-wal', '-shm', '-journal'] as const

type Repositories = Pick<Context, 'id' | 'parts' | 'all' | 'missed'>

async function repositoriesOf(name: string, effects: readonly Effect[], context: Repositories): Promise<readonly Way[]> {
  if (name !== GIT.name) return localOf(name, effects, context)
  const ways: Way[] = []
  for (const [directory, acts] of byDirectory('git', effects)) ways.push(await repositoryOf(name, directory, { acts, ...context }))
  return ways
}

/** Of what is kept whole as well, references alone: new ones go. Ordinary acts lose nothing, so a call is not held up where nothing can be kept of them. */
async function localOf(name: string, effects: readonly Effect[], context: Repositories): Promise<readonly Way[]> {
  const { all, parts, missed } = context
  const known = effects.filter(({ directory = null }) => directory !== null)
  if (known.length < effects.length) missed.push('it is not known in which directory git would run')
  const whole = new Set(all.filter((effect) => GIT.covers(effect, parts.ways)).map(({ directory }) => directory))
  const ways: Way[] = []
  for (const [directory, found] of byDirectory('git', known)) {
    const acts = found.map((act) => (whole.has(directory) ? { ...act, action: 'git:branch' } : act))
    try {
      ways.push(await repositoryOf(name, directory, { acts, local: true, ...context }))
    } catch (error) {
      missed.push(`git: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return ways
}

interface Repository extends Pick<Context, 'id' | 'parts'> {
  readonly acts: readonly Effect[]
  readonly local?: true
}

async function repositoryOf(name: string, cwd: string, { acts, local, id, parts: { store, limits } }: Repository): Promise<Way> {
  const ignored = acts.some(({ attributes }) => attributes.ignored === true)
  const all = acts.flatMap(({ action }) => (action === null ? [] : [action]))
  const { state, snapshot } = await captureGit({ cwd, id, ignored, ...(local === true ? { acts: [...new Set(all)] } : {}) }, store, limits)
  return { name, run: 'git', state, entries: snapshot.entries, left: snapshot.left }
}

async function clustersOf(name: string, effects: readonly Effect[], { limits }: CaptureParts): Promise<readonly Way[]> {
  const ways: Way[] = []
  for (const [directory, acts] of byDirectory('kubectl', effects))
    for (const state of await captureCluster(acts, directory, limits.maxBytes)) ways.push({ name, run: 'kubernetes', state })
  return ways
}

async function stacksOf(name: string, effects: readonly Effect[], { store, limits, random }: CaptureParts): Promise<readonly Way[]> {
  const ways: Way[] = []
  for (const [directory, [act]] of byDirectory('terraform', effects)) {
    if (act === undefined) continue
    const stack = await captureStack(act, directory, { vault: store.vault, maxBytes: limits.maxBytes, random })
    ways.push({ name, run: 'terraform', stack })
  }
  return ways
}

async function pushesOf(effect: Effect, { name, all }: Pick<Context, 'all'> & { readonly name: string }): Promise<readonly Way[]> {
  const cwd = directoryOf('git', effect)
  const { attributes } = effect
  const { remote, branch, head = null } = attributes
  const leaves = all.slice(0, all.indexOf(effect)).some(({ action }) => action === 'git:checkout')
  if (leaves && (branch === 'HEAD' || branch === head))
    throw new Error('it is not known which branch git would push after another one is checked out; the push can name it')
  if (typeof remote !== 'string' || typeof branch !== 'string') throw new Error('it is not known what git would push where')
  const made = typeof attributes.by === 'string'
  const { refspecs } = attributes
  const pushes = await capturePush({
    ...{ cwd, remote, branch, made, deletes: attributes.delete === true && attributes.prune !== true, prunes: attributes.prune === true },
    ...(Array.isArray(refspecs) ? { refspecs: refspecs.map(String) } : {}),
    ...{ all: attributes.all === true, tags: attributes.tags === true, mirror: attributes.mirror === true },
  })
  return pushes.map((push) => ({ name, run: 'git-push', push }))
}

function wantedOf({ verb, action, target, directory = null }: Effect): readonly Wanted[] {
  if (target.kind !== 'database') {
    const goes = verb === 'delete' && action !== 'fs:shred'
    // A link is kept beside what it leads to: some acts go through it, others move, replace or delete the link.
    return [target.real ?? '', target.link ?? ''].filter((path) => path !== '').map((path) => ({ path: keptPath(path), goes }))
  }
  if (!target.value.startsWith('/') && directory === null) throw new Error(`it is not known where \`${target.value}\` lies`)
  const file = real(resolve(directory ?? '/', target.value))
  return SQLITE_ENDS.map((end) => ({ path: `${file}${end}`, goes: false }))
}

/** Where the file itself lies: what is put back follows no link. */
function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
  }
}

/** A pattern stands for names of a directory: the directory is kept. */
function keptPath(path: string): string {
  let at = path
  while (/[*?[{]/.test(at) && at !== '/') at = dirname(at)
  return at
}

const NEVER = ['/proc', '/sys', '/dev'] as const

function isKept(path: string, gate: readonly string[]): boolean {
  if (!path.startsWith('/') || path === '/') return false
  return ![...NEVER, ...gate].some((place) => path === place || path.startsWith(`${place}/`))
}

/**
 * The machine that a recorded session ran on, as far as its own calls tell: whose home, which workspace. A recording does
 * not say it; judged as anybody else's machine, every path in it would be somebody else's.
 */
import { type Json, type JsonObject, own } from '../core/json.ts'
import { describedWorld } from '../view/described.ts'
import { NEUTRAL, type World, worldOf } from '../view/world.ts'
import type { Recording } from './read.ts'

/** The world of a recording: what it describes, over what its calls tell. @throws {WorldFault} */
export function worldFor(recording: Recording): World {
  const guessed = recording.world === null ? worldOfRecording(recording) : worldOf(recording.world, NEUTRAL)
  const described = (recording.described ?? []).reduce<World>((world, each) => describedWorld(each, world), guessed)
  return { gate: [`${described.home}/.countersign`], ...described }
}

/** Arguments that name a file which the session works on. */
const FILE_ARGUMENTS = ['file_path', 'notebook_path', 'path', 'AbsolutePath', 'TargetFile']
const HOMES = /\/(?:Users|home)\/[A-Za-z0-9._-]+|\/root(?=\/)/g
const CHANGES = /(?:^|[;&\n(])[ \t]*cd[ \t]+["']?(\/[^\s;&|"')]+)/g

/** Tops where nobody keeps a workspace, by the names they have on Linux and macOS. */
const NO_WORKSPACE = new Set([
  'tmp',
  'private',
  'var',
  'etc',
  'usr',
  'opt',
  'bin',
  'lib',
  'proc',
  'sys',
  'dev',
  'run',
  'root',
  'home',
  'Users',
])

/** What macOS calls `/tmp` and `/var/tmp` once links are followed. */
const MAC_TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/var/folders', '/private/var/folders']

/** How much of a session's work must lie in a directory for it to be the workspace: nearly all of it, or at least half. */
const SHARES = [0.8, 0.5]

/** The world of a recording: its home is where most of its paths lie, its workspace where most of its work is done. */
export function worldOfRecording(recording: Recording): World {
  const homes = new Map<string, number>()
  for (const { args, call } of recording.calls) {
    for (const text of strings(call?.cwd == null ? args : { args, cwd: `${call.cwd}/` }))
      for (const [home] of text.matchAll(HOMES)) {
        // One mention of `/root` is no sign of who is asking; a session that works there is.
        if (home !== '/root' || recording.calls.length > 1) homes.set(home, (homes.get(home) ?? 0) + 1)
      }
  }
  const [home = NEUTRAL.home] = [...homes.entries()].toSorted((a, b) => b[1] - a[1])[0] ?? []
  const cwd = recording.calls[0]?.call?.cwd ?? workplace(recording, home) ?? (home === NEUTRAL.home ? NEUTRAL.cwd : `${home}/project`)
  return { home, cwd, gate: [`${home}/.countersign`], ...(home.startsWith('/Users/') ? { temporary: MAC_TEMPORARY } : {}) }
}

/** Whoever names most files from the workspace on stands in it: the files of elsewhere that are named whole say less then. */
function workplace(recording: Recording, home: string): string | null {
  const relative = recording.calls.flatMap(({ args }) => relativeFiles(args)).length
  const whole = recording.calls.flatMap(({ args }) => placesOf(args)).length
  if (relative > whole) return namedBothWays(recording, home) ?? workspace(recording, home)
  return workspace(recording, home) ?? namedBothWays(recording, home)
}

/** The deepest directory that holds most of the files named and of the directories gone to; null where the work is scattered. */
function workspace(recording: Recording, home: string): string | null {
  const places = recording.calls.flatMap(({ args }) => placesOf(args)).filter((place) => mayBeWork(place, home))
  // One file outside every home says nothing: it may be the very file that the session should not touch.
  const [only, ...others] = places
  if (only !== undefined && others.length === 0 && !only.startsWith(`${home}/`) && !goesTo(recording, only)) return null
  const votes = new Map<string, number>()
  for (const place of places) {
    for (let at = place; at.length > 1 && at !== home; at = at.slice(0, at.lastIndexOf('/'))) votes.set(at, (votes.get(at) ?? 0) + 1)
  }
  for (const share of SHARES) {
    const shared = [...votes].filter(([, count]) => count >= places.length * share).map(([directory]) => directory)
    const deepest = shared.toSorted((a, b) => b.length - a.length)[0]
    if (deepest !== undefined) return deepest
  }
  return null
}

const ABSOLUTE = /\/(?:Users|home)\/[A-Za-z0-9._+@/-]{3,1000}/g

/**
 * Where tools name files from the workspace on, and a command names one of them whole: what stands before the name that both have. The
 * directory that most of them agree on; null where there is none, or where it is the home or hidden in it.
 */
function namedBothWays(recording: Recording, home: string): string | null {
  const relative = new Set(recording.calls.flatMap(({ args }) => relativeFiles(args)))
  if (relative.size === 0) return null
  const votes = new Map<string, number>()
  for (const { args } of recording.calls) {
    for (const text of strings(args)) {
      for (const [path] of text.matchAll(ABSOLUTE)) {
        const root = rootOf(path, relative)
        if (root !== null && mayBeWork(root, home)) votes.set(root, (votes.get(root) ?? 0) + 1)
      }
    }
  }
  return [...votes].toSorted((a, b) => b[1] - a[1] || a[0].length - b[0].length)[0]?.[0] ?? null
}

function relativeFiles(args: JsonObject): readonly string[] {
  const files = FILE_ARGUMENTS.map((name) => own(args, name)).filter((value): value is string => typeof value === 'string')
  // The name of one file alone may stand anywhere.
  return files.map((file) => file.replace(/^\.\//, '')).filter((file) => /^[^/~.][^/]*\//.test(file))
}

/** What stands before the longest known end of a path. */
function rootOf(path: string, relative: ReadonlySet<string>): string | null {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) if (relative.has(path.slice(at + 1))) return path.slice(0, at)
  return null
}

function goesTo(recording: Recording, place: string): boolean {
  return recording.calls.some(({ args }) => directoriesOf(args).includes(place))
}

/** Directories of the files that a call names, and those that its command goes to. */
function placesOf(args: JsonObject): readonly string[] {
  const files = FILE_ARGUMENTS.map((name) => own(args, name)).filter((value) => typeof value === 'string' && value.startsWith('/'))
  return [...files.map((file) => String(file).slice(0, String(file).lastIndexOf('/'))), ...directoriesOf(args)]
}

/** Directories that the command of a call goes to. */
function directoriesOf(args: JsonObject): readonly string[] {
  const command = own(args, 'command')
  const gone = typeof command === 'string' ? [...command.matchAll(CHANGES)].map((match) => match[1] ?? '') : []
  return gone.map((directory) => (directory.endsWith('/') ? directory.slice(0, -1) : directory))
}

/** Hidden directories of a home are settings; what lies outside every home counts unless the system keeps it. */
function mayBeWork(place: string, home: string): boolean {
  if (place === home) return false
  if (place.startsWith(`${home}/`)) return !place.startsWith(`${home}/.`)
  return !NO_WORKSPACE.has(place.split('/')[1] ?? '')
}

function strings(args: JsonObject): string[] {
  const found: string[] = []
  const open: Json[] = [args]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') found.push(next)
    else if (typeof next === 'object' && next !== null) open.push(...Object.values(next))
  }
  return found
}

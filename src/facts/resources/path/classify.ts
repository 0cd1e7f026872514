/** What a path is to an attacker or to its owner: its scope, and every class its names fall into. */
import type { PathClass, Scope } from '../../effect.ts'
import type { View } from '../../view.ts'
import { CREDENTIALS, PRIVATE_NAMES, PUBLIC_NAMES, PUBLIC_PLACES } from './credentials.ts'
import { compileCatalogue, matchAnywhere, matchFromStart, matchName } from './patterns.ts'
import { PLACES } from './places.ts'
import { fold, namesOf, within } from './segments.ts'

const CATALOGUE = compileCatalogue([{ classes: ['credential'], patterns: CREDENTIALS }, ...PLACES])
const PUBLIC = compileCatalogue([{ classes: ['plain'], patterns: PUBLIC_PLACES }])

/** Homes that belong to nobody. */
const SHARED_HOMES: ReadonlySet<string> = new Set(['shared', 'linuxbrew', 'public', 'default'])

const SYSTEM_TOPS: ReadonlySet<string> = new Set([
  ...['etc', 'usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'opt', 'var', 'run', 'sys', 'proc', 'boot', 'efi', 'nix', 'snap'],
  ...['system', 'library', 'applications', 'private', 'cores', 'windows', 'winnt', 'program files', 'program files (x86)', 'programdata'],
])

/** The standing places of a View as names, worked out once for it: every path of a call is held against them. */
interface Standing {
  readonly home: readonly string[]
  /** `first/second` of the home, folded. */
  readonly homeStart: string
  readonly roots: readonly (readonly string[])[]
  readonly gate: readonly { readonly names: readonly string[]; readonly folded: readonly string[] }[]
  readonly programs: readonly (readonly string[])[]
  readonly scopes: readonly { readonly names: readonly string[]; readonly scope: Scope }[]
  /** What was said of paths so far: calls come to the same files again and again. */
  readonly placed: Map<string, Placed>
}

/** Paths that are kept, and how long they may be. */
const MAX_PLACED = 1_024
const LONGEST_PLACED = 512

/** Where an absolute path lies, and what its names say. */
export interface Placed {
  readonly names: readonly string[]
  readonly scope: Scope
  readonly classes: readonly PathClass[]
}

type Places = Pick<View, 'home' | 'cwd' | 'roots' | 'temporary' | 'gate' | 'programs'>

const NONE: readonly string[] = []

/** Calls in a row mostly come from one place, each with a View of its own. What a View has read must not be kept beyond its call. */
let latest: { readonly places: Places; readonly standing: Standing } | null = null

function samePlaces(a: Places, b: Places): boolean {
  const same = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((path, at) => path === other[at])
  return (
    a.home === b.home &&
    a.cwd === b.cwd &&
    same(a.roots, b.roots) &&
    same(a.temporary, b.temporary) &&
    same(a.gate, b.gate) &&
    same(a.programs ?? NONE, b.programs ?? NONE)
  )
}

function standingOf({ home, cwd, roots, temporary, gate, programs = NONE }: View): Standing {
  if (latest !== null) {
    const { places } = latest
    const same = places.roots === roots && places.temporary === temporary && places.gate === gate && places.programs === programs
    if (same && places.home === home && places.cwd === cwd) return latest.standing
  }
  const places = { home, cwd, roots, temporary, gate, programs }
  const standing = latest !== null && samePlaces(latest.places, places) ? latest.standing : standingAt(places)
  latest = { places, standing }
  return standing
}

function standingAt(view: Places): Standing {
  const home = namesOf(view.home)
  const places = (list: readonly string[], scope: Scope) => list.map((place) => ({ names: namesOf(place), scope }))
  return {
    home,
    homeStart: home.map(fold).join('/'),
    roots: view.roots.map(namesOf),
    gate: view.gate.map((place) => ({ names: namesOf(place), folded: namesOf(place).map(fold) })),
    programs: (view.programs ?? NONE).map(namesOf),
    scopes: [...places(workspaceRoots(view), 'workspace'), ...places(view.temporary, 'temporary'), { names: home, scope: 'home' }],
    placed: new Map(),
  }
}

/** Scope and classes of an absolute path without `.` and `..`. */
export function placedAt(path: string, view: View): Placed {
  const standing = standingOf(view)
  const known = standing.placed.get(path)
  if (known !== undefined) return known
  const names = namesOf(path)
  const found: Placed = { names, scope: scopeAmong(names, standing), classes: classesOf(names, standing) }
  if (path.length > LONGEST_PLACED) return found
  if (standing.placed.size >= MAX_PLACED) standing.placed.clear()
  standing.placed.set(path, found)
  return found
}

/** Names below the home they lie in, and whether that home is the agent's own user's; null outside every home. */
interface InHome {
  readonly rest: readonly string[]
  readonly own: boolean
}

function inHome(names: readonly string[], folded: readonly string[], { home, homeStart }: Standing): InHome | null {
  if (home.length > 0 && within(names, home)) return { rest: folded.slice(home.length), own: true }
  const [top, user] = folded
  if (top === 'root') return { rest: folded.slice(1), own: false }
  if (top === 'var' && user === 'root') return { rest: folded.slice(2), own: false }
  if ((top === 'home' || top === 'users') && user !== undefined && !user.startsWith('.') && !SHARED_HOMES.has(user)) {
    return { rest: folded.slice(2), own: folded.slice(0, 2).join('/') === homeStart }
  }
  return null
}

/** Adds every class that the absolute path made of `names` falls into. */
export function classify(names: readonly string[], view: View, add: (c: PathClass) => void): void {
  classesOf(names, standingOf(view)).forEach(add)
}

function classesOf(names: readonly string[], standing: Standing): readonly PathClass[] {
  const folded = names.map(fold)
  // A list and no set: most paths are of no class, and none is of many.
  const found: PathClass[] = []
  const collect = (c: PathClass): void => {
    if (!found.includes(c)) found.push(c)
  }
  const home = inHome(names, folded, standing)
  if (home !== null) matchFromStart(CATALOGUE.home, home.rest, collect)
  matchFromStart(CATALOGUE.absolute, folded, collect)
  matchAnywhere(CATALOGUE.anywhere, folded, collect)
  if (home !== null && !home.own) collect('other-user')
  if (found.length > 0 && found.includes('credential') && (isPublic(folded) || isSample(names, folded, standing)))
    found.splice(found.indexOf('credential'), 1)
  addRoots(names, { home, standing }, collect)
  if (isGate(names, folded, standing)) collect('gate')
  if (standing.programs.some((place) => within(names, place))) collect('gate-program')
  return found.length === 0 ? found : withoutOwnGround(names, standing, found)
}

/** A pattern is what it surely matches: `.env*` opens `.env`. Only secrets are worth the doubt. */
export function classifyPattern(names: readonly string[], view: View, add: (c: PathClass) => void): void {
  const bare = names.map((name) => name.replace(/[*?]/g, '')).filter((name) => name !== '')
  if (bare.length === 0) return
  classify(bare, view, (c) => {
    if (c === 'credential') add(c)
  })
}

/** The same for a relative path whose start is unknown: what its names say, wherever it starts. */
export function classifyRelative(names: readonly string[], add: (c: PathClass) => void): void {
  const folded = names.map(fold)
  const found = new Set<PathClass>()
  matchAnywhere(CATALOGUE.anywhere, folded, (c) => void found.add(c))
  if (isPublic(folded)) found.delete('credential')
  for (const c of found) add(c)
}

function isPublic(folded: readonly string[]): boolean {
  const last = folded.at(-1) ?? ''
  if (
    !PRIVATE_NAMES.some((pattern) => matchName(pattern, last) && !last.includes('pub')) &&
    PUBLIC_NAMES.some((pattern) => matchName(pattern, last))
  )
    return true
  let found = false
  const note = (): void => {
    found = true
  }
  matchFromStart(PUBLIC.absolute, folded, note)
  matchAnywhere(PUBLIC.anywhere, folded, note)
  return found
}

/** Directories of what tests are fed. */
const OF_TESTS: ReadonlySet<string> = new Set(
  'test tests __tests__ spec e2e fixtures __fixtures__ testdata test-data test_data test-fixtures test_fixtures'.split(' '),
)

const KEY_FILE = /^id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p12|pfx|p8|jks|keystore)$/

/** A key among the tests of the workspace was made for them, and lies open to everybody who has the code. */
function isSample(names: readonly string[], folded: readonly string[], { scopes }: Standing): boolean {
  if (!KEY_FILE.test(folded.at(-1) ?? '')) return false
  const root = scopes.find((place) => place.scope === 'workspace' && place.names.length > 0 && within(names, place.names))
  return root !== undefined && folded.slice(root.names.length, -1).some((name) => OF_TESTS.has(name))
}

interface Place {
  readonly home: InHome | null
  readonly standing: Standing
}

function addRoots(names: readonly string[], { home, standing }: Place, add: (c: PathClass) => void): void {
  if (names.length === 0) {
    add('filesystem-root')
    return
  }
  const top = fold(names[0] ?? '')
  const isHomes = names.length === 1 && (top === 'home' || top === 'users')
  if (isHomes || within(standing.home, names) || (home !== null && home.rest.length === 0)) add('home-root')
  if (standing.roots.some((root) => within(root, names))) add('workspace-root')
}

function isGate(names: readonly string[], folded: readonly string[], { gate }: Standing): boolean {
  return gate.some((place) => within(names, place.names) || within(folded, place.folded))
}

/** A workspace in `~/Documents` or `/opt` is the agent's own ground: its files are no private papers and no system. */
function withoutOwnGround(names: readonly string[], standing: Standing, found: readonly PathClass[]): readonly PathClass[] {
  const scope = scopeAmong(names, standing)
  return scope === 'workspace' || scope === 'temporary' ? found.filter((c) => !FOREIGN.has(c)) : found
}

const FOREIGN: ReadonlySet<PathClass> = new Set<PathClass>(['personal', 'system', 'other-user'])

/** Where the absolute path made of `names` lies; the deepest of the places that hold it wins. */
function scopeAmong(names: readonly string[], { scopes }: Standing): Scope {
  let best: Scope | null = null
  let depth = 0
  for (const place of scopes) {
    if (place.names.length <= depth || !within(names, place.names)) continue
    best = place.scope
    depth = place.names.length
  }
  if (best !== null) return best
  const top = fold(names[0] ?? '')
  if (top === 'dev') return 'device'
  return SYSTEM_TOPS.has(top) || names.length === 0 ? 'system' : 'elsewhere'
}

/** The roots the host gave, or the directory the call runs in, unless that is the whole disk or the home. */
export function workspaceRoots(view: Pick<View, 'roots' | 'cwd' | 'home'>): readonly string[] {
  if (view.roots.length > 0) return view.roots.filter((root) => root !== '/')
  return view.cwd === null || view.cwd === '/' || view.cwd === view.home ? [] : [view.cwd]
}

/** What in a directory is not for programs that are only tried out or used by judges: keys, passwords, histories. */
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Hidden } from './cell.ts'

/** Paths in a mount that hold keys; redaction looks for what is elsewhere. */
const PRIVATE = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.countersign',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.cargo/credentials.toml',
  '.m2/settings.xml',
  '.terraform.d/credentials.tfrc.json',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.pgpass',
  '.my.cnf',
  '.vault-token',
  '.bash_history',
  '.zsh_history',
] as const
const SETTINGS = /^\.env(?:rc|\.(?!example$|sample$|template$|dist$)[^/]*)?$/
/** Those that are one name, and so are looked for below the top as well: a repository of many packages has them in each. */
const NAMES: ReadonlySet<string> = new Set(PRIVATE.filter((path) => !path.includes('/')))
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv'])
/** Directories below a mount, and entries of all of them; nearer ones come first. */
const DEEPEST = 3
const MAX_ENTRIES = 10_000
const MAX_HIDDEN = 200

/** What is kept from view: keys in the mounts, and `besides`, such as the gate's own state. */
export function hiddenIn(mounts: readonly { readonly real: string }[], besides: readonly string[]): readonly Hidden[] {
  const named = mounts.flatMap(({ real }) => [...PRIVATE.map((name) => `${real}/${name}`), ...privateBelow(real)])
  const found = new Map<string, Hidden>()
  for (const path of [...named, ...besides]) {
    const hidden = hiddenAt(path)
    if (hidden !== null && mounts.some(({ real }) => isInside(hidden.path, real))) found.set(hidden.path, hidden)
  }
  const all = [...found.values()]
  // What lies in a hidden directory is gone with it.
  return all.filter(({ path }) => !all.some((other) => other.directory && other.path !== path && isInside(path, other.path)))
}

function hiddenAt(path: string): Hidden | null {
  try {
    const real = realpathSync(path)
    return { path: real, directory: lstatSync(real).isDirectory() }
  } catch {
    return null
  }
}

/** By name, level by level. Links are not followed: what they lead to is found where it lies, or is not in the mount. */
function privateBelow(mount: string): readonly string[] {
  const found: string[] = []
  let level: readonly string[] = [mount]
  let left = MAX_ENTRIES
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const directory of level) {
      const { count, named, below } = listingOf(directory, left)
      for (const name of named.slice(0, MAX_HIDDEN - found.length)) found.push(`${directory}/${name}`)
      left -= count
      if (left <= 0 || found.length >= MAX_HIDDEN) return found
      for (const name of below) next.push(`${directory}/${name}`)
    }
    level = next
  }
  return found
}

/** What this looks for among the first entries of a directory. */
interface Listing {
  readonly count: number
  /** Names of keys and settings. */
  readonly named: readonly string[]
  /** Directories to look into. */
  readonly below: readonly string[]
}

const NOTHING: Listing = { count: 0, named: [], below: [] }

/** Of directories that were read whole, with what they were then: an entry that comes or goes changes it. */
const remembered = new Map<string, { readonly state: string; readonly listing: Listing }>()
const MAX_REMEMBERED = 4_096
/** A change within the same tick of the file system's clock would not be seen. */
const SETTLED_MS = 1_000

function listingOf(directory: string, most: number): Listing {
  const { state, settled } = stateOf(directory)
  const known = remembered.get(directory)
  if (state !== null && known?.state === state && known.listing.count <= most) return known.listing
  const listing = read(directory, most)
  if (state === null || !settled || listing.count > most) {
    remembered.delete(directory)
    return listing
  }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(directory, { state, listing })
  return listing
}

/** Null where it cannot be looked at. */
function stateOf(directory: string): { readonly state: string | null; readonly settled: boolean } {
  try {
    const { dev, ino, mtimeNs, ctimeNs } = statSync(directory, { bigint: true })
    const latest = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n)
    return { state: `${dev} ${ino} ${mtimeNs} ${ctimeNs}`, settled: Date.now() - latest > SETTLED_MS }
  } catch {
    return { state: null, settled: false }
  }
}

function read(directory: string, most: number): Listing {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
    const seen = entries.slice(0, most)
    const named = seen.filter(({ name }) => SETTINGS.test(name) || NAMES.has(name)).map(({ name }) => name)
    const isNamed = new Set(named)
    const below = seen.filter((entry) => entry.isDirectory() && !isNamed.has(entry.name) && !PASSED_OVER.has(entry.name))
    return { count: entries.length, named, below: below.map(({ name }) => name) }
  } catch {
    return NOTHING
  }
}

export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}

/** What in a directory is not for programs that are only tried out or used by judges: keys, passwords, histories. */
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
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
      for (const entry of entries(directory)) {
        if (left-- <= 0 || found.length >= MAX_HIDDEN) return found
        const path = `${directory}/${entry.name}`
        if (SETTINGS.test(entry.name) || NAMES.has(entry.name)) found.push(path)
        else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) next.push(path)
      }
    }
    level = next
  }
  return found
}

function entries(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}

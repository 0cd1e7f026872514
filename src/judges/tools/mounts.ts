/** What of this machine a judge's tools may see: the worker's directories as they really are, without what is private in them. */
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Hidden } from '../../sandbox/cell.ts'
import { NoAnswer } from '../answer.ts'

export interface Mount {
  /** As the policy or the call names it. */
  readonly written: string
  /** Without symbolic links. */
  readonly real: string
}

/** Too wide to be the work of one agent: what lies beside it is not for a judge. */
const TOO_WIDE: ReadonlySet<string> = new Set(['/', '/home', '/Users', '/var', '/tmp', '/usr', '/opt', '/mnt', '/srv', '/nix'])
/** The sandbox has its own, or the machine's secrets stand there. */
const NEVER = ['/etc', '/proc', '/sys', '/dev', '/run', '/boot'] as const

/** @throws {NoAnswer} where a directory is missing, too wide, or no directory. */
export function mountsOf(directories: readonly string[]): readonly Mount[] {
  if (directories.length === 0) throw unusable('the call does not say where it comes from, and the policy names no `mounts`')
  return directories.map((written) => {
    const real = realDirectory(written)
    if (TOO_WIDE.has(real)) throw unusable(`\`${real}\` is too wide to be shown to a judge`)
    if (NEVER.some((path) => isInside(real, path))) throw unusable(`\`${real}\` is never shown to a judge`)
    return { written, real }
  })
}

/** @throws {NoAnswer} where it is missing or no directory. */
export function realDirectory(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    // Told below.
  }
  throw unusable(`\`${path}\` is no directory that can be seen`)
}

/** Names directly in a mount that hold keys; redaction looks for what is elsewhere. */
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
const SETTINGS = /^\.env(?:\.(?!example$|sample$|template$|dist$)[^/]*)?$/

/** What is kept from view: keys in the mounts, and `besides`, such as the gate's own state. */
export function hiddenIn(mounts: readonly Mount[], besides: readonly string[]): readonly Hidden[] {
  const named = mounts.flatMap(({ real }) => [
    ...PRIVATE.map((name) => `${real}/${name}`),
    ...entries(real)
      .filter((name) => SETTINGS.test(name))
      .map((name) => `${real}/${name}`),
  ])
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

function entries(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`)
}

function unusable(message: string): NoAnswer {
  return new NoAnswer('judge.sandbox', message)
}

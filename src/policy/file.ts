/**
 * Finds the operator's policy file, loads it, and keeps it fresh. I/O. A failed reload keeps the last good policy and says so; no valid
 * policy at the start means that nothing is allowed (T41, PIT-11). What a file says wrong is told by code and position: its text is for
 * the operator's terminal alone.
 */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type CompileOptions, type CompileResult, compilePolicy } from './compile.ts'
import { formatPolicyError, POLICY_ERRORS, type PolicyError } from './errors.ts'
import type { Policy } from './policy.ts'
import type { FileText } from './section.ts'

export const POLICY_FILE = 'countersign.yaml'

export interface PolicyPlaces {
  /** `--policy`. */
  readonly explicit: string | null
  /** `$COUNTERSIGN_POLICY`. */
  readonly variable: string | null
  /** The call's directory, above which policies of a project are looked for; null: none are. */
  readonly cwd: string | null
  /** `$COUNTERSIGN_HOME`. */
  readonly home: string
  /** Where the machine's own policy lies; absent or null: it has none. */
  readonly managed?: string | null
}

export interface PolicyFileOptions extends Omit<CompileOptions, 'path' | 'sha256'> {
  readonly places: PolicyPlaces
  /** Text of the policy that holds where no file is found; without it, nothing is allowed there. */
  readonly shipped?: string
  /** Milliseconds between two looks at the file, for `watchPolicy`; default 1000. 0 looks every time. */
  readonly interval?: number
  /** The user who must own the machine's policy; default root. */
  readonly managedOwner?: number
  /** Any clock in milliseconds, for `watchPolicy`; default the monotonic one. */
  readonly now?: () => number
}

/** As the gate wants it: the policy in force, or why there is none. */
export type LoadedPolicy =
  | { readonly policy: Policy; readonly degraded: string | null }
  | { readonly policy: null; readonly error: string; readonly path: string | null; readonly detail?: string }

/**
 * The path of the operator's policy, or null where there is none. A path that somebody named is taken even where no such file
 * exists: falling back to another policy would silently weaken what was asked for. What lies above the call's directory is no
 * operator's: see `scopes`.
 */
export function findPolicy(places: PolicyPlaces): string | null {
  if (places.explicit !== null && places.explicit !== '') return resolve(places.explicit)
  if (places.variable !== null && places.variable !== '') return resolve(places.variable)
  const pinned = pinnedPolicy(places.home)
  if (pinned !== null) return pinned
  const candidate = join(places.home, POLICY_FILE)
  return exists(candidate) ? candidate : null
}

/** Where `init --policy` keeps the operator's choice, for whatever starts in an environment that is not his: the hook, the daemon. */
export function pinFile(home: string): string {
  return join(home, 'policy-path')
}

/** A pin that cannot be read names no file, so that nothing is allowed rather than another policy taken. */
function pinnedPolicy(home: string): string | null {
  const file = pinFile(home)
  if (!exists(file)) return null
  const text = readText(file)
  const path = typeof text === 'string' ? text.trim() : ''
  return isAbsolute(path) ? path : file
}

/** The directory and all above it. */
export function upward(from: string): readonly string[] {
  const directories: string[] = []
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    directories.push(directory)
    if (directory === dirname(directory)) return directories
  }
}

/** A name that exists in any form counts: a directory or a dangling link of that name must fail loudly, not be passed over. */
export function exists(path: string): boolean {
  try {
    // Mostly there is none: an error that nobody reads costs five times the look.
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}

/** SHA-256 for `CompileOptions`. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** Reads and compiles one file; for `policy lint`, which shows every error by itself. */
export function readPolicy(path: string, options: Omit<CompileOptions, 'path' | 'sha256'>): CompileResult {
  const read = readText(path)
  if (typeof read !== 'string') return { ok: false, errors: [read] }
  return compileText(read, path, options)
}

/** Compiles what the file at the path says; files that it names are read from beside it. */
export function compileText(text: string, path: string, options: Omit<CompileOptions, 'path' | 'sha256'>): CompileResult {
  return compilePolicy(text, { ...options, path, sha256, readFile: (name) => readNamed(resolve(dirname(path), name)) })
}

function readNamed(path: string): FileText {
  const read = readText(path)
  return typeof read === 'string' ? { text: read } : { problem: read.message }
}

/** Loads the operator's policy from its file; where there is none, what is shipped. */
function loadFrom(path: string | null, options: PolicyFileOptions): LoadedPolicy {
  if (path === null && options.shipped === undefined) {
    const error = `policy.not_found: no \`${POLICY_FILE}\` was found, so nothing is allowed; write one with \`countersign init\``
    return { policy: null, error, path }
  }
  return path === null ? loadPolicyText(options.shipped ?? '', options) : loaded(readPolicy(path, options), path)
}

/** A policy that stands in no file. */
export function loadPolicyText(text: string, options: Omit<CompileOptions, 'path' | 'sha256'>): LoadedPolicy {
  return loaded(compilePolicy(text, { ...options, path: null, sha256 }), null)
}

function loaded(result: CompileResult, path: string | null): LoadedPolicy {
  if (result.ok) return { policy: result.policy, degraded: null }
  return { policy: null, error: faultsWithoutText(result.errors), detail: result.errors.map(formatPolicyError).join('\n'), path }
}

/** Errors that are told one by one. */
const MAX_TOLD = 5

/** What is wrong and where, with nothing of what the file says: this goes into decisions, and a file may be a secret by mistake. */
export function faultsWithoutText(errors: readonly PolicyError[]): string {
  const told = errors
    .slice(0, MAX_TOLD)
    .map(({ code, path, line, column }) => `${code} at ${path ?? 'policy'}:${line}:${column}: ${POLICY_ERRORS[code]}`)
  return [...told, ...(errors.length > MAX_TOLD ? [`and ${errors.length - MAX_TOLD} more`] : [])].join('; ')
}

/** The text of a policy file, or what is in the way of it. */
export function readText(path: string): string | PolicyError {
  const bytes = attempt(() => readFileSync(path))
  if (typeof bytes === 'string') {
    const [why, help] = FAULTS.get(bytes) ?? [bytes, 'look at the file and at the device that it is on']
    const code = why === MISSING ? 'policy.not_found' : 'policy.unreadable'
    return { ...NOWHERE, code, message: `\`${path}\` cannot be read: ${why}`, help, path }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ...NOWHERE, code: 'policy.unreadable', message: `\`${path}\` is not UTF-8`, help: 'save it as UTF-8', path }
  }
}

const MISSING = 'there is no such file'

/** Errors of the system in words, each with a way out. */
const FAULTS: ReadonlyMap<string, readonly [why: string, help: string]> = new Map([
  ['ENOENT', [MISSING, 'write one with `countersign init`']],
  ['ENOTDIR', [MISSING, 'write one with `countersign init`']],
  ['EISDIR', ['it is a directory', `name the file in it, such as \`${POLICY_FILE}\``]],
  ['EACCES', ['this user may not read it', 'give this user the right to read it']],
  ['EPERM', ['this user may not read it', 'give this user the right to read it']],
  ['ELOOP', ['its links lead in a circle', 'name the file itself']],
])

const NOWHERE = { line: 1, column: 1, excerpt: [] } as const

/** The bytes, or the name of the system's error. */
function attempt(read: () => Buffer): Buffer | string {
  try {
    return read()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'an unknown error'
  }
}

export interface PolicyWatch {
  /** The policy in force; looks at the file first if that is due. Never throws. */
  readonly current: () => LoadedPolicy
  /** No more looking; the last policy stays. */
  readonly stop: () => void
}

/**
 * Keeps the policy fresh: looks at time, size and inode of its file, and loads it again where they changed. Needs no
 * file-system events and no timer. The file that was found first stays the file: one that vanishes degrades the policy.
 * @param note is told about every reload in one line.
 */
export function watchPolicy(options: PolicyFileOptions, note: (line: string) => void = () => {}): PolicyWatch {
  const { interval = 1_000, now = () => performance.now() } = options
  let looked = now()
  let path = findPolicy(options.places)
  let before = stampOf(path)
  let state = loadFrom(path, options)
  let named = stampNamed(path, state)
  let stopped = false
  const look = (): void => {
    if (state.policy?.path == null) path = findPolicy(options.places)
    const seen = stampOf(path)
    const same = seen === before && stampNamed(path, state) === named && (seen !== null || path === null)
    // A file that could not be read looks the same once it can be: only a good policy is not read again.
    if (same && state.policy !== null && state.degraded === null) return
    const after = settle(state, loadFrom(path, options))
    before = seen
    if (same && describe(after) === describe(state)) return
    state = after
    named = stampNamed(path, state)
    note(describe(state))
  }
  return {
    current: () => {
      const at = now()
      if (!stopped && (at - looked >= interval || at < looked)) {
        looked = at
        look()
      }
      return state
    },
    stop: () => {
      stopped = true
    },
  }
}

function settle(before: LoadedPolicy, after: LoadedPolicy): LoadedPolicy {
  if (after.policy !== null || before.policy === null) return after
  return { policy: before.policy, degraded: after.error }
}

function describe(state: LoadedPolicy): string {
  if (state.policy === null) return `no valid policy, so nothing is allowed: ${state.detail ?? state.error}`
  if (state.degraded !== null) return `the policy could not be loaded again, the last good one stays in force: ${state.degraded}`
  return `policy ${state.policy.digest} is in force`
}

/** Changes whenever a file that the policy names does. */
function stampNamed(path: string | null, { policy }: LoadedPolicy): string {
  if (path === null || policy === null) return ''
  return policy.files.map((name) => stampOf(resolve(dirname(path), name))).join()
}

/** Changes whenever the file does; null where it cannot be looked at. */
export function stampOf(path: string | null): string | null {
  if (path === null) return null
  try {
    const { mtimeNs, ctimeNs, size, ino, dev } = statSync(path, { bigint: true })
    return [mtimeNs, ctimeNs, size, ino, dev].join(':')
  } catch {
    return null
  }
}

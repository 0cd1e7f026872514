/** What `init` writes for a host, and what `uninstall` takes away again: as data. Reads files, writes none. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { type Change, type Installation, InstallError } from './adapter.ts'
import { commentsOf, edited, type Notation, plainJson } from './comments.ts'
import { pinProgram } from './program.ts'
import { hookCommand, type ShimOptions, shimScript, type Wire } from './shim.ts'

/** A file of the host that holds our hook. */
export interface Entry {
  readonly path: string
  /** Mode of a file that is ours alone. Absent: that of the file that is there, else as private as the scope. */
  readonly mode?: number
  /** The file with our hook in it and all else as it was. @throws {InstallError} where it must not be written over. */
  readonly written: (before: string | null, command: string) => string
  /** Without our hook; the same text where there is none, null where nothing is left. */
  readonly cleaned: (before: string) => string | null
  /** The command of our hook as it stands there; null where it does not. */
  readonly command: (text: string) => string | null
  /** Whether our hook stands there as `written` writes it. */
  readonly holds: (text: string, command: string) => boolean
  /** Whether what is left says the same as this file. Absent: a file of ours alone, of which nothing is kept. */
  readonly same?: (rest: string | null, original: string) => boolean
}

/** The files of an installation. */
export interface Places {
  readonly entries: readonly Entry[]
  readonly script: string
  /** Null where each user has their own. */
  readonly policy: string | null
  /** Null: the state directory of whoever runs the hook. */
  readonly home: string | null
}

/** What decides where no daemon answers. */
export type Program = Omit<Installation, 'scope'>

/** What the script and its command say of their agent. */
export interface Agent extends Pick<ShimOptions, 'agent' | 'title' | 'entrypoint' | 'seconds' | 'place' | 'variables'> {
  readonly wire?: Wire
}

/** What has to change for the hook to be installed: nothing where it is in place. */
export function installChanges({ entries, script, policy, home }: Places, agent: Agent, gate: Program): readonly Change[] {
  // Every user must be able to read what belongs to root; what belongs to one user is for nobody else.
  const [file, program, directoryMode] = home === null ? [0o644, 0o755, 0o755] : [0o600, 0o700, 0o700]
  const { role = roleIn(textOf(script) ?? ''), node, program: entry, build } = gate
  const started = { node, program: entry }
  const { wire, ...said } = agent
  const shim = shimScript({ ...said, home, ...started, build, pin: pinProgram(started), role })
  const command = hookCommand(script, shim, wire)
  const changes: Change[] = [{ path: script, before: textOf(script), after: shim, mode: program, directoryMode }]
  if (policy !== null && !existsSync(policy))
    changes.unshift({ path: policy, before: null, after: DEFAULT_POLICY, mode: file, directoryMode })
  for (const each of entries) {
    const before = textOf(each.path)
    const original = originalOf(each.path, script)
    if (each.same !== undefined && before !== null && each.cleaned(before) === before)
      changes.push({ path: original, before: textOf(original), after: before, mode: file, directoryMode })
    const mode = each.mode ?? modeOf(each.path, file)
    changes.push({ path: target(each.path), before, after: each.written(before, command), mode, directoryMode })
  }
  return changes.filter((change) => change.before !== change.after)
}

/**
 * What has to change for the hook to be gone. Settings in which nothing else changed since become what they were, byte for byte,
 * and a file that only held the hook goes.
 */
export function uninstallChanges({ entries, script, home }: Places): readonly Change[] {
  return entries.flatMap((entry): Change[] => {
    const before = textOf(entry.path)
    if (before === null) return []
    const rest = entry.cleaned(before)
    if (rest === before) return []
    const original = textOf(originalOf(entry.path, script))
    const kept = original !== null && entry.same?.(rest, original) === true ? original : null
    // A link leads to a file that somebody keeps elsewhere: it stays, empty.
    const after = kept ?? rest ?? (isLink(entry.path) ? '{}\n' : null)
    return [{ path: target(entry.path), before, after, mode: modeOf(entry.path, home === null ? 0o644 : 0o600), directoryMode: 0o700 }]
  })
}

/** An entry in settings that are JSON, or as much more as the host takes; what has comments keeps them and all else byte for byte. */
export function jsonEntry(path: string, { written, cleaned, command, holds }: JsonSettings, notation: Notation = 'json'): Entry {
  const read = (text: string): JsonObject => settingsIn(text, path, notation)
  const changed = (text: string, to: JsonObject): string => {
    if (plainJson(text, notation) === text) return jsonText(to)
    const after = edited(text, to, notation)
    if (!sameJson(read(after), to))
      throw new InstallError(`\`${path}\` has comments among which the hook cannot be written; move them first`)
    return after
  }
  return {
    path,
    written: (before, line) => (before === null ? jsonText(written({}, line)) : changed(before, written(read(before), line))),
    cleaned: (before) => {
      const [settings, rest] = [read(before), cleaned(read(before))]
      if (sameJson(rest, settings)) return before
      return Object.keys(rest).length === 0 && commentsOf(before) === '' ? null : changed(before, rest)
    },
    command: (text) => command(read(text)),
    holds: (text, line) => (holds === undefined ? command(read(text)) === line : holds(read(text), line)),
    same: (rest, original) =>
      sameJson(rest === null ? {} : read(rest), read(original)) && (notation === 'json' || commentsOf(rest ?? '') === commentsOf(original)),
  }
}

export interface JsonSettings {
  readonly written: (settings: JsonObject, command: string) => JsonObject
  readonly cleaned: (settings: JsonObject) => JsonObject
  readonly command: (settings: JsonObject) => string | null
  /** Default: the command is this one. */
  readonly holds?: (settings: JsonObject, command: string) => boolean
}

/** The first line that all files of ours alone have, as what they are told by. */
const OURS = /^[#/ ]*Countersign's hook/m

/** A file that is ours alone; another's is not written over. */
export function ownFile(path: string, mode: number, content: (command: string) => string): Entry {
  return {
    path,
    mode,
    written: (before, command) => {
      if (before !== null && !OURS.test(before)) throw new InstallError(`\`${path}\` is somebody else's; move it away first`)
      return content(command)
    },
    cleaned: (before) => (OURS.test(before) ? null : before),
    command: (text) => (OURS.test(text) ? text : null),
    holds: (text, command) => text === content(command),
  }
}

/** The role that `init` wrote into a script, in either form; any other line is none of ours. */
export function roleIn(script: string): NonNullable<Installation['role']> | null {
  const name = /^role='([^'\n]+)'$/m.exec(script)?.[1]
  if (name !== undefined) return { name }
  const variable = /^role=\$\{([A-Za-z_]\w*):-\}$/m.exec(script)?.[1]
  return variable === undefined ? null : { variable }
}

/** The file itself, where the settings are a link to it. */
function target(path: string): string {
  return isLink(path) ? realpathSync(path) : path
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** Settings that are there keep their mode. */
function modeOf(path: string, otherwise: number): number {
  return existsSync(path) ? statSync(path).mode & 0o777 : otherwise
}

/** Where the settings as they were before the first installation are kept: among the gate's own files. */
function originalOf(path: string, script: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return join(dirname(script), `settings-before-${name}.json`)
}

function sameJson(one: JsonObject, other: JsonObject): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

/** Strict: a file that the host would drop silently must not be written over, either. */
export function readSettings(path: string): JsonObject {
  const text = textOf(path)
  return text === null ? {} : settingsIn(text, path)
}

function settingsIn(text: string, path: string, notation: Notation = 'json'): JsonObject {
  const read = readJson(plainJson(text.replace(/^\u{feff}/u, ''), notation))
  if (!read.ok)
    throw new InstallError(
      `\`${path}\` is not valid JSON (${read.refusal.message}); the host ignores such a file with all its hooks: mend it first`,
    )
  if (!isJsonObject(read.value)) throw new InstallError(`\`${path}\` does not hold a JSON object; mend it first`)
  return read.value
}

export function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

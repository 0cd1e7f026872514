/** Where the hook is installed and what `init` writes there: by scope, as data. Reads files, writes none. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { canonicalJson } from '../../core/canonical.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { stateDirectory } from '../../view/state-directory.ts'
import { type Change, type Installation, InstallError, type Scope } from '../adapter.ts'
import { pinProgram } from '../program.ts'
import { GATE_SECONDS } from '../seal.ts'
import { hookCommand, shimScript } from '../shim.ts'
import { ENTRYPOINT_VARIABLE } from './commands.ts'
import { withHooks, withoutHooks } from './settings.ts'

/** The files of an installation. */
export interface Places {
  readonly settings: string
  readonly script: string
  /** Null where each user has their own. */
  readonly policy: string | null
  /** Null: the state directory of whoever runs the hook. */
  readonly home: string | null
}

/** The files of a scope; managed ones belong to root and serve every user of the machine. */
export function placesOf(scope: Scope, managedDirectory = MANAGED): Places {
  if (scope === 'managed') {
    const script = join(managedDirectory, 'countersign', 'claude-code-hook')
    return { settings: join(managedDirectory, 'managed-settings.json'), script, policy: null, home: null }
  }
  const home = stateDirectory()
  const directory = scope === 'project' ? join(process.cwd(), '.claude') : (process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude'))
  return {
    settings: join(directory, 'settings.json'),
    script: join(home, 'bin', 'claude-code-hook'),
    policy: join(home, 'countersign.yaml'),
    home,
  }
}

const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code'

/** What the script says of its agent. */
const AGENT = { agent: 'claude-code', title: 'Claude Code', entrypoint: ENTRYPOINT_VARIABLE } as const

/** What decides where no daemon answers. */
export type Program = Omit<Installation, 'scope'>

/** What has to change for the hook to be installed: nothing where it is in place. */
export function installChanges({ settings, script, policy, home }: Places, gate: Program): readonly Change[] {
  // Every user must be able to read what belongs to root; what belongs to one user is for nobody else.
  const [file, program, directoryMode] = home === null ? [0o644, 0o755, 0o755] : [0o600, 0o700, 0o700]
  const { role = roleIn(textOf(script) ?? ''), node, program: entry, build } = gate
  const started = { node, program: entry }
  const shim = shimScript({ ...AGENT, home, ...started, build, pin: pinProgram(started), seconds: GATE_SECONDS, role })
  const before = textOf(settings)
  const read = readSettings(settings)
  const original = originalOf({ settings, script })
  const untouched = before !== null && sameJson(withoutHooks(read), read)
  return [
    ...(policy === null || existsSync(policy) ? [] : [{ path: policy, before: null, after: DEFAULT_POLICY, mode: file, directoryMode }]),
    { path: script, before: textOf(script), after: shim, mode: program, directoryMode },
    ...(untouched ? [{ path: original, before: textOf(original), after: before, mode: file, directoryMode }] : []),
    {
      path: target(settings),
      before,
      after: jsonText(withHooks(read, hookCommand(script, shim))),
      mode: modeOf(settings, file),
      directoryMode,
    },
  ].filter((change) => change.before !== change.after)
}

/**
 * What has to change for the hook to be gone. Settings in which nothing else changed since become what they were, byte for byte,
 * and a file that only held the hook goes.
 */
export function uninstallChanges({ settings, script, home }: Places): readonly Change[] {
  const before = textOf(settings)
  if (before === null) return []
  const read = readSettings(settings)
  const rest = withoutHooks(read)
  if (sameJson(rest, read)) return []
  const original = originalOf({ settings, script })
  const kept = existsSync(original) && sameJson(rest, readSettings(original)) ? textOf(original) : null
  // A link leads to a file that somebody keeps elsewhere: it stays, empty.
  const empty = isLink(settings) ? '{}\n' : null
  const after = kept ?? (Object.keys(rest).length === 0 ? empty : jsonText(rest))
  return [{ path: target(settings), before, after, mode: modeOf(settings, home === null ? 0o644 : 0o600), directoryMode: 0o700 }]
}

/** The role that `init` wrote into a script, in either form; any other line is none of ours. */
export function roleIn(script: string): NonNullable<Installation['role']> | null {
  const name = /^role='([^'\n]+)'$/m.exec(script)?.[1]
  if (name !== undefined) return { name }
  const variable = /^role=\$\{([A-Za-z_]\w*):-\}$/m.exec(script)?.[1]
  return variable === undefined ? null : { variable }
}

/** The file itself, where the settings are a link to it. */
function target(settings: string): string {
  return isLink(settings) ? realpathSync(settings) : settings
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** Settings that are there keep their mode. */
function modeOf(settings: string, otherwise: number): number {
  return existsSync(settings) ? statSync(settings).mode & 0o777 : otherwise
}

/** Where the settings as they were before the first installation are kept: among the gate's own files. */
function originalOf({ settings, script }: Pick<Places, 'settings' | 'script'>): string {
  const name = createHash('sha256').update(settings).digest('hex').slice(0, 16)
  return join(dirname(script), `settings-before-${name}.json`)
}

function sameJson(one: JsonObject, other: JsonObject): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

/** Strict: a file that the host would drop silently must not be written over, either. */
export function readSettings(path: string): JsonObject {
  const text = textOf(path)
  if (text === null) return {}
  const read = readJson(text.replace(/^\u{feff}/u, ''))
  if (!read.ok)
    throw new InstallError(
      `\`${path}\` is not valid JSON (${read.refusal.message}); the host ignores such a file with all its hooks: mend it first`,
    )
  if (!isJsonObject(read.value)) throw new InstallError(`\`${path}\` does not hold a JSON object; mend it first`)
  return read.value
}

/** The settings that Claude Code reads besides those of `init`, beside the project's. */
export function localSettings(): string {
  return join(dirname(placesOf('project').settings), 'settings.local.json')
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

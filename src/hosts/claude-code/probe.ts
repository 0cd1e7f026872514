/** Whether the installed hook is in force: what the settings of every scope say, and canaries through the command itself. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import type { Check, Scope } from '../adapter.ts'
import { localSettings, placesOf, readSettings } from './install.ts'
import { installedCommand, weaknesses } from './settings.ts'
import { hookCommand } from './shim.ts'

/** A call that no policy permits: it would delete the gate's own state. Nothing of it is ever run. */
const CANARY = { tool_name: 'Bash', tool_input: { command: 'rm -rf ~/.countersign && rm -rf /' } }
const HARMLESS = { tool_name: 'Read', tool_input: { file_path: 'README.md' } }

/** What one settings file says of the hook. */
interface Settings {
  readonly scope: Scope | 'local'
  readonly path: string
  /** The command of our hook where it stands for every tool. */
  readonly command: string | null
  readonly weak: readonly string[]
  readonly disabled: boolean
  readonly error: string | null
}

export function probeInstallation(): readonly Check[] {
  const all = lookAtSettings()
  const managed = all.some((each) => each.scope === 'managed' && each.command !== null && !each.disabled)
  const checks = all.flatMap((each) => checksOf(each, managed))
  if (!all.some((each) => each.command !== null))
    checks.push({ name: 'settings', state: 'fail', detail: 'no settings install the hook; run `countersign init`' })
  if (!managed) {
    checks.push({
      name: 'scope',
      state: 'warn',
      detail: 'not in managed settings: a project file with `disableAllHooks`, `--bare` or `--setting-sources` can switch the hook off',
    })
  }
  return checks
}

function lookAtSettings(): readonly Settings[] {
  const files = (['managed', 'user', 'project'] as const).map((scope) => ({ scope, path: placesOf(scope).settings }))
  return [...files, { scope: 'local' as const, path: localSettings() }]
    .filter(({ path }) => existsSync(path))
    .filter(isFirstName)
    .map(({ scope, path }) => {
      const nothing = { scope, path, command: null, weak: [], disabled: false, error: null }
      try {
        const settings = readSettings(path)
        const disabled = own(settings, 'disableAllHooks') === true
        return { ...nothing, command: installedCommand(settings), weak: weaknesses(settings), disabled }
      } catch (error) {
        return { ...nothing, error: error instanceof Error ? error.message : String(error) }
      }
    })
}

/** Where the project is the home directory, its settings are the user's. */
function isFirstName({ path }: { readonly path: string }, index: number, all: readonly { readonly path: string }[]): boolean {
  return all.findIndex((other) => realpathSync(other.path) === realpathSync(path)) === index
}

/** Managed hooks survive what other settings say (`disableAllHooks` there); hooks of other scopes do not. */
function checksOf({ scope, path, command, weak, disabled, error }: Settings, managed: boolean): Check[] {
  const name = `${scope} settings`
  if (error !== null) return [{ name, state: 'fail', detail: error }]
  const installed: Check[] = command === null ? [] : [{ name, state: 'ok', detail: `${path} installs the hook for every tool` }]
  const state = disabled && !managed ? 'fail' : 'warn'
  return [...installed, ...weak.map((detail): Check => ({ name, state, detail })), ...(command === null ? [] : hookChecks(scope, command))]
}

/** A canary through the command that the settings hold, run as the host runs it. */
function hookChecks(scope: Settings['scope'], command: string): Check[] {
  const { script } = placesOf(scope === 'local' ? 'project' : scope)
  const again = `run \`countersign init${scope === 'user' || scope === 'local' ? '' : ` --scope ${scope}`}\``
  // Only what `init` wrote is run: settings of a repository may hold anything.
  if (!existsSync(script) || command !== hookCommand(script, readFileSync(script, 'utf8')))
    return [{ name: 'hook', state: 'fail', detail: `the command in the ${scope} settings is not the one of this installation; ${again}` }]
  try {
    accessSync(script, constants.X_OK)
  } catch {
    return [{ name: 'hook', state: 'fail', detail: `\`${script}\` is missing or cannot be executed; ${again}` }]
  }
  const checks: Check[] = []
  if ((statSync(script).mode & 0o022) !== 0) checks.push({ name: 'hook', state: 'warn', detail: 'others may write the hook script' })
  const canary = probe(command, CANARY)
  checks.push(
    canary === 'deny'
      ? { name: 'canary', state: 'ok', detail: 'a destructive call through the installed hook is denied' }
      : { name: 'canary', state: 'fail', detail: `a destructive call through the installed hook gives: ${canary}` },
  )
  const harmless = probe(command, HARMLESS)
  checks.push(
    harmless === 'no opinion'
      ? { name: 'harmless call', state: 'ok', detail: 'a harmless read passes' }
      : { name: 'harmless call', state: 'warn', detail: `a harmless read through the installed hook gives: ${harmless}` },
  )
  return checks
}

/** Feeds one event to the installed command as the host would. */
function probe(command: string, event: JsonObject): string {
  const input = JSON.stringify({
    session_id: 'doctor',
    transcript_path: '',
    cwd: process.cwd(),
    hook_event_name: 'PreToolUse',
    tool_use_id: `doctor-${Date.now()}`,
    ...event,
  })
  const env = { ...process.env, CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }
  const run = spawnSync('/bin/sh', ['-c', command], { input, encoding: 'utf8', timeout: 60_000, env })
  if (run.status !== 0) return `exit ${run.status ?? run.signal}: ${run.stderr.trim()}`
  const read = readJson(run.stdout)
  const output = read.ok && isJsonObject(read.value) ? own(read.value, 'hookSpecificOutput') : undefined
  if (!isJsonObject(output)) return 'no valid answer'
  const decision = own(output, 'permissionDecision')
  return decision === undefined ? 'no opinion' : String(decision)
}

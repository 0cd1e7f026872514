/** Whether the installed hook is in force: what the settings of every scope say, what the files hold, and canaries through the command. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Check, Probe, Scope } from '../adapter.ts'
import * as shared from '../install.ts'
import { hookCommand } from '../shim.ts'
import { canaries, send } from './canary.ts'
import { AGENT, filesOf, localSettings, placesOf } from './install.ts'
import { installedCommand, weaknesses } from './settings.ts'
import { type Weakness, weakSettings, weakVariables, wrongTypes } from './weak.ts'

/** What one settings file says of the hook. */
interface Settings {
  readonly scope: Scope | 'local'
  readonly path: string
  /** The command of our hook where it stands for every tool. */
  readonly command: string | null
  /** Of the entries that are ours. */
  readonly weak: readonly string[]
  /** Of hooks anywhere. */
  readonly general: readonly Weakness[]
  readonly error: string | null
}

export function probeInstallation(probe: Probe): readonly Check[] {
  const all = lookAtSettings()
  const managed = all.some(({ scope, command }) => scope === 'managed' && command !== null)
  const checks = all.flatMap((each) => checksOf(each, managed, probe))
  checks.push(...weakVariables(process.env, 'the environment').map((weak) => checkOf('environment', weak, managed)))
  if (!all.some((each) => each.command !== null))
    checks.push({ name: 'settings', state: 'fail', detail: 'no settings install the hook; run `countersign init`' })
  if (!managed) {
    checks.push({
      name: 'scope',
      state: 'warn',
      detail:
        'not in managed settings: a project file with `disableAllHooks` or `env`, `--bare`, `--safe-mode` or `--setting-sources` can switch the hook off',
    })
  }
  return checks
}

function lookAtSettings(): readonly Settings[] {
  const files = (['managed', 'user', 'project'] as const).map((scope) => ({ scope, path: placesOf(scope).settings }))
  return [...files, ...managedParts(), { scope: 'local' as const, path: localSettings() }]
    .filter(({ path }) => existsSync(path))
    .filter(isFirstName)
    .map(({ scope, path }) => {
      const nothing = { scope, path, command: null, weak: [], general: [], error: null }
      try {
        const settings = shared.readSettings(path)
        const dropped = scope === 'managed' ? [] : wrongTypes(settings)
        if (dropped.length > 0) return { ...nothing, error: `${dropped.join(', ')}: the client drops \`${path}\` with all its hooks` }
        return { ...nothing, command: installedCommand(settings), weak: weaknesses(settings), general: weakSettings(settings, scope) }
      } catch (error) {
        return { ...nothing, error: error instanceof Error ? error.message : String(error) }
      }
    })
}

/** Files beside the managed settings that the client joins to them. */
function managedParts(): readonly { readonly scope: Scope; readonly path: string }[] {
  const directory = join(dirname(placesOf('managed').settings), 'managed-settings.d')
  if (!existsSync(directory)) return []
  return readdirSync(directory).map((name) => ({ scope: 'managed', path: join(directory, name) }))
}

/** Where the project is the home directory, its settings are the user's. */
function isFirstName({ path }: { readonly path: string }, index: number, all: readonly { readonly path: string }[]): boolean {
  return all.findIndex((other) => realpathSync(other.path) === realpathSync(path)) === index
}

/** Managed hooks survive what other settings say; hooks of other scopes do not. */
function checksOf({ scope, path, command, weak, general, error }: Settings, managed: boolean, probe: Probe): readonly Check[] {
  const name = `${scope} settings`
  if (error !== null) return [{ name, state: 'fail', detail: error }]
  const installed: Check[] = command === null ? [] : [{ name, state: 'ok', detail: `${path} installs the hook for every tool` }]
  return [
    ...installed,
    ...weak.map((detail): Check => ({ name, state: 'warn', detail })),
    ...general.map((each) => checkOf(name, each, managed)),
    ...(command === null ? [] : hookChecks(installedIn(scope), command, probe)),
  ]
}

function checkOf(name: string, { fatal, detail }: Weakness, managed: boolean): Check {
  return { name, state: fatal && !managed ? 'fail' : 'warn', detail }
}

/** An installation of which the settings hold the command. */
export interface Installed {
  readonly places: shared.Places
  readonly agent: shared.Agent
  /** What to do where it is not as it was made. */
  readonly again: string
}

/** Only what `init` wrote is run: settings of a repository may hold anything. */
export function hookChecks(installed: Installed, command: string, probe: Probe): readonly Check[] {
  const { places, again } = installed
  const different = differs(installed, command, probe)
  if (different !== null) return [{ name: 'hook', state: 'fail', detail: `${different}; ${again}` }]
  const writable = (statSync(places.script).mode & 0o022) !== 0
  return [
    ...(writable ? [{ name: 'hook', state: 'fail' as const, detail: `others may write \`${places.script}\`; ${again}` }] : []),
    ...canaryChecks(command, places, probe),
  ]
}

function installedIn(scope: Settings['scope']): Installed {
  const again = `run \`countersign init${scope === 'user' || scope === 'local' ? '' : ` --scope ${scope}`}\``
  return { places: filesOf(placesOf(scope === 'local' ? 'project' : scope)), agent: AGENT, again }
}

/** How the installation differs from what `init` would write now, byte for byte; null: it does not. */
function differs({ places, agent }: Installed, command: string, probe: Probe): string | null {
  const { script } = places
  try {
    accessSync(script, constants.X_OK)
  } catch {
    return `\`${script}\` is missing or cannot be executed`
  }
  const text = readFileSync(script, 'utf8')
  if (command !== hookCommand(script, text))
    return 'the command in the settings is not the one of this installation, or the hook script was changed'
  try {
    const gate = { node: probe.node, program: probe.program, build: probe.build }
    if (!shared.installChanges(places, agent, gate).some(({ path }) => path === script)) return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "the hook script is not what `init` writes: it was changed, or Countersign's program or Node was, since it was installed"
}

/** Denials count only where the gate also recorded them: a stand-in could say no to everything. */
function canaryChecks(command: string, { home }: shared.Places, { home: own, recorded }: Probe): readonly Check[] {
  const checks: Check[] = []
  const failed: string[] = []
  for (const canary of canaries(home ?? own)) {
    const answer = send(command, canary)
    if (canary.expected === null) {
      checks.push(
        answer === 'no opinion'
          ? { name: 'harmless call', state: 'ok', detail: 'a harmless read passes' }
          : { name: 'harmless call', state: 'warn', detail: `a harmless read through the installed hook gives: ${answer}` },
      )
    } else if (answer !== canary.expected) failed.push(`a destructive call through the installed hook gives: ${answer}`)
    else if (!recorded(canary.session, canary.id))
      failed.push('the hook says that it denied a destructive call, but the gate recorded none')
  }
  const [first] = failed
  return [
    first === undefined
      ? { name: 'canary', state: 'ok', detail: 'a destructive call through the installed hook is denied, and recorded' }
      : { name: 'canary', state: 'fail', detail: first },
    ...checks,
  ]
}

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { hasHooks, weaknesses } from '../../adapters/hooks/claude-code/settings.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { stateDirectory } from '../../open.ts'
import { socketPath } from '../../server/daemon.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print } from '../terminal.ts'
import { hookScriptPath, readSettings, settingsPath } from './init.ts'

/** One thing that was looked at. `warn` weakens the gate, `fail` means it is not in force. */
interface Check {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
}

/** A call that no policy permits: it would delete the gate's own state. Nothing of it is ever run. */
const CANARY = { tool_name: 'Bash', tool_input: { command: 'rm -rf ~/.countersign && rm -rf /' } }
const HARMLESS = { tool_name: 'Read', tool_input: { file_path: 'README.md' } }

/** `countersign doctor`: exit 0 where the gate is in force, 1 where it is not. */
export async function doctor(options: { json?: boolean }): Promise<number> {
  const checks = [...policyChecks(), ...settingsChecks(), ...hookChecks(), daemonCheck()]
  const failed = checks.some((check) => check.state === 'fail')
  if (options.json === true) print(JSON.stringify({ in_force: !failed, checks }, null, 2))
  else {
    for (const check of checks) print(`${MARK[check.state]} ${check.name}: ${check.detail}`)
    print(failed ? 'The gate is NOT in force.' : 'The gate is in force.')
  }
  return failed ? EXIT.broken : EXIT.ok
}

const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

function policyChecks(): Check[] {
  const state = loadInForce(null)
  if (state.policy === null) return [{ name: 'policy', state: 'fail', detail: `cannot be used, so every call is denied: ${state.error}` }]
  const { policy } = state
  const checks: Check[] = [{ name: 'policy', state: 'ok', detail: `${policy.path ?? 'shipped default'}, ${policy.digest.slice(0, 19)}` }]
  if (policy.mode === 'shadow') checks.push({ name: 'mode', state: 'warn', detail: 'shadow: calls are only recorded, not stopped' })
  if (policy.registry.unregistered === 'allow')
    checks.push({ name: 'unregistered', state: 'warn', detail: 'tools that are not registered run' })
  for (const warning of policy.warnings) checks.push({ name: 'policy', state: 'warn', detail: `line ${warning.line}: ${warning.message}` })
  return checks
}

function settingsChecks(): Check[] {
  const scopes = ['managed', 'user', 'project'] as const
  const found = scopes.flatMap((scope): Check[] => {
    const path = settingsPath({ agent: 'claude-code', scope })
    if (!existsSync(path)) return []
    try {
      const settings = readSettings(path)
      const weak = weaknesses(settings).map(
        (detail): Check => ({ name: `${scope} settings`, state: own(settings, 'disableAllHooks') === true ? 'fail' : 'warn', detail }),
      )
      return hasHooks(settings)
        ? [{ name: `${scope} settings`, state: 'ok', detail: `${path} installs the hook for every tool` }, ...weak]
        : weak
    } catch (error) {
      return [{ name: `${scope} settings`, state: 'fail', detail: error instanceof Error ? error.message : String(error) }]
    }
  })
  if (!found.some((check) => check.state === 'ok'))
    found.push({ name: 'settings', state: 'fail', detail: 'no settings install the hook; run `countersign init`' })
  if (!found.some((check) => check.state === 'ok' && check.name === 'managed settings')) {
    found.push({
      name: 'scope',
      state: 'warn',
      detail: 'not in managed settings: a project file with `disableAllHooks`, `--bare` or `--setting-sources` can switch the hook off',
    })
  }
  return found
}

function hookChecks(): Check[] {
  const script = hookScriptPath()
  try {
    accessSync(script, constants.X_OK)
  } catch {
    return [{ name: 'hook', state: 'fail', detail: `\`${script}\` is missing or cannot be executed; run \`countersign init\`` }]
  }
  const checks: Check[] = []
  if ((statSync(script).mode & 0o022) !== 0) checks.push({ name: 'hook', state: 'warn', detail: 'others may write the hook script' })
  const canary = probe(script, CANARY)
  checks.push(
    canary === 'deny'
      ? { name: 'canary', state: 'ok', detail: 'a destructive call through the installed hook is denied' }
      : { name: 'canary', state: 'fail', detail: `a destructive call through the installed hook gives: ${canary}` },
  )
  const harmless = probe(script, HARMLESS)
  checks.push(
    harmless === 'no opinion'
      ? { name: 'harmless call', state: 'ok', detail: 'a harmless read passes' }
      : { name: 'harmless call', state: 'warn', detail: `a harmless read through the installed hook gives: ${harmless}` },
  )
  return checks
}

/** Feeds one event to the installed script as the host would. */
function probe(script: string, event: JsonObject): string {
  const input = JSON.stringify({
    session_id: 'doctor',
    transcript_path: '',
    cwd: process.cwd(),
    hook_event_name: 'PreToolUse',
    tool_use_id: `doctor-${Date.now()}`,
    ...event,
  })
  const run = spawnSync(script, { input, encoding: 'utf8', timeout: 60_000, env: { ...process.env, CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } })
  if (run.status !== 0) return `exit ${run.status ?? run.signal}: ${run.stderr.trim()}`
  const read = readJson(run.stdout)
  const output = read.ok && isJsonObject(read.value) ? own(read.value, 'hookSpecificOutput') : undefined
  if (!isJsonObject(output)) return 'no valid answer'
  const decision = own(output, 'permissionDecision')
  return decision === undefined ? 'no opinion' : String(decision)
}

function daemonCheck(): Check {
  const socket = socketPath(stateDirectory())
  return existsSync(socket)
    ? { name: 'daemon', state: 'ok', detail: `socket at ${socket}` }
    : {
        name: 'daemon',
        state: 'warn',
        detail: 'not running: every call starts a process of its own (about 100 ms); run `countersign serve`',
      }
}

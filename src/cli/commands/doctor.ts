import { existsSync } from 'node:fs'
import type { Check, HostAdapter, Probe } from '../../hosts/adapter.ts'
import { HOSTS } from '../../hosts/all.ts'
import { doubled, doubledLine } from '../../hosts/borrowed.ts'
import { probePlugin } from '../../hosts/claude-code/plugin.ts'
import { isPresent } from '../../hosts/present.ts'
import { stateDirectory } from '../../open.ts'
import { pulse, socketPath } from '../../server/daemon.ts'
import { openStore } from '../../store/sqlite/open.ts'
import type { StoredRecord } from '../../store/store.ts'
import { daemonOfHooks } from '../../view/own.ts'
import { copyChecks } from '../doctor-copies.ts'
import { loopbackChecks } from '../doctor-server.ts'
import { uninspectedChecks } from '../looking/uninspected.ts'
import { serverChecks } from '../mcp/clients/around.ts'
import { loadInForce } from '../open.ts'
import { applyChecks, previewChecks } from '../preview/doctor.ts'
import { scopeChecks } from '../scopes/doctor.ts'
import { EXIT, print } from '../terminal.ts'
import { gateProgram } from '../version.ts'
import { channelCheck } from './doctor-channels.ts'
import { judgeChecks } from './doctor-judges.ts'

interface DoctorOptions {
  readonly json?: boolean
  /** Run the real client, too. */
  readonly live?: boolean
  readonly client?: string
  /** A directory that holds the plug-in of Claude Code. */
  readonly plugin?: string
}

/** `countersign doctor`: exit 0 where the gate is in force, 1 where it is not. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const daemon = await daemonCheck()
  const carried = daemon.state === 'ok' && daemonOfHooks(stateDirectory()) === null
  const probe = probeHere()
  const checks = [
    ...policyChecks(carried),
    ...(await scopeChecks()),
    ...(await previewChecks(loadInForce(null).policy)),
    ...applyChecks(stateDirectory()),
    ...(await headChecks(carried)),
    ...uninspectedChecks(stateDirectory()),
    ...hostChecks(probe, options.plugin !== undefined),
    ...(options.plugin === undefined ? [] : probePlugin(options.plugin, probe)),
    ...serverChecks(new Set(HOSTS.filter((host) => host.installed()).map(({ name }) => name))),
    daemon,
    ...(await loopbackChecks(socketPath(stateDirectory()))),
  ]
  if (options.live === true)
    for (const { probeLive } of HOSTS) if (probeLive !== undefined) checks.push(...(await probeLive(probe, options.client ?? 'claude')))
  const failed = checks.some((check) => check.state === 'fail')
  if (options.json === true) print(JSON.stringify({ in_force: !failed, checks }, null, 2))
  else {
    for (const check of checks) print(`${MARK[check.state]} ${check.name}: ${check.detail}`)
    print(failed ? 'The gate is NOT in force.' : 'The gate is in force.')
  }
  return failed ? EXIT.broken : EXIT.ok
}

export function probeHere(): Probe {
  return { ...gateProgram(), home: stateDirectory(), recorded }
}

/** Every host that the gate stands before; one that is here without it is named. The first row is looked at whatever there is. */
function hostChecks(probe: Probe, elsewhere: boolean): readonly Check[] {
  const gated = HOSTS.filter((host) => host.installed())
  const looked = HOSTS.filter((host, at) => gated.includes(host) || (at === 0 && gated.length === 0 && !elsewhere))
  const open = HOSTS.filter((host, at) => !looked.includes(host) && isPresent(host.about) && !(elsewhere && at === 0))
  return [
    ...looked.flatMap((host) => [...host.probe(probe), ...(host.installed() ? factsOf(host) : [])]),
    ...doubled(looked).map(
      (each): Check => ({ name: each.host.name, state: each.told === 'once' ? 'ok' : 'warn', detail: doubledLine(each) }),
    ),
    ...open.map((host): Check => {
      const detail = `${host.about.title} is on this machine, and its calls are not judged: \`countersign init --agent ${host.name}\``
      return { name: host.name, state: 'warn', detail }
    }),
  ]
}

/** What the host does with a question, and what of it never comes to the gate. */
function factsOf({ name, about }: HostAdapter): readonly Check[] {
  const { ask, escapes, failing } = about
  const open = Object.entries(failing).flatMap(([way, what]) => (what === 'stopped' ? [] : [way]))
  const holes: Check[] =
    open.length === 0 ? [] : [{ name, state: 'warn', detail: `the host may run the call where its hook is: ${open.join(', ')}` }]
  return [
    { name, state: 'ok', detail: `a question becomes ${ASKED[ask.attended]} (headless: ${ASKED[ask.headless]}): ${ask.why}` },
    ...holes,
    ...escapes.map((each): Check => ({ name, state: 'warn', detail: `not seen by the gate: ${each}` })),
  ]
}

const ASKED = { prompt: "the host's own prompt", denial: 'a denial that names the approval' } as const

const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

function policyChecks(carried: boolean): Check[] {
  const state = loadInForce(null)
  if (state.policy === null)
    return [{ name: 'policy', state: 'fail', detail: `cannot be used, so every call is denied: ${state.detail ?? state.error}` }]
  const { policy } = state
  const checks: Check[] = [{ name: 'policy', state: 'ok', detail: `${policy.path ?? 'shipped default'}, ${policy.digest.slice(0, 19)}` }]
  if (policy.mode === 'shadow') checks.push({ name: 'mode', state: 'warn', detail: 'shadow: calls are only recorded, not stopped' })
  if (policy.registry.unregistered === 'allow')
    checks.push({ name: 'unregistered', state: 'warn', detail: 'tools that are not registered run' })
  checks.push(...policy.approvals.channels.map((channel) => channelCheck(channel, { carried, env: (name) => process.env[name] })))
  for (const warning of policy.warnings) checks.push({ name: 'policy', state: 'warn', detail: `line ${warning.line}: ${warning.message}` })
  return [...checks, ...judgeChecks(policy)]
}

/** Looked up in the log itself: what answers for the gate must have written there. */
function recorded(session: string, callId: string): boolean {
  const store = openStore({ directory: stateDirectory() })
  try {
    const found = store.read({ kind: 'decision', session, limit: 2 }) as Iterable<StoredRecord>
    return [...found].some(({ decision, body }) => decision === 'deny' && JSON.stringify(body).includes(callId))
  } finally {
    store.close()
  }
}

async function headChecks(carried: boolean): Promise<readonly Check[]> {
  const { policy } = loadInForce(null)
  return policy === null ? [] : copyChecks(policy, stateDirectory(), carried)
}

async function daemonCheck(): Promise<Check> {
  const socket = socketPath(stateDirectory())
  const state = await pulse(socket)
  if (state === 'answers')
    return { name: 'daemon', state: 'ok', detail: `socket at ${socket}${daemonOfHooks(stateDirectory()) === null ? '' : STARTED}` }
  if (state === 'hangs')
    return {
      name: 'daemon',
      state: 'fail',
      detail: `it takes connections at ${socket} and answers none: approvals wait for nobody; restart it`,
    }
  const gone = existsSync(socket) ? `the socket at ${socket} was left by a daemon that is gone` : 'not running'
  return process.env.COUNTERSIGN_DAEMON === 'off'
    ? { name: 'daemon', state: 'warn', detail: `${gone}, and \`COUNTERSIGN_DAEMON=off\`: every call starts a process of its own` }
    : { name: 'daemon', state: 'ok', detail: `${gone}; the next call starts it` }
}

const STARTED = ', started by the hook: the private socket alone, no console, no channels'

import { existsSync } from 'node:fs'
import type { Check } from '../../hosts/adapter.ts'
import { HOSTS } from '../../hosts/index.ts'
import { stateDirectory } from '../../open.ts'
import { answers, socketPath } from '../../server/daemon.ts'
import { loopbackChecks } from '../doctor-server.ts'
import { loadInForce } from '../open.ts'
import { scopeChecks } from '../scopes/doctor.ts'
import { EXIT, print } from '../terminal.ts'
import { gateProgram } from '../version.ts'
import { channelCheck } from './doctor-channels.ts'
import { judgeChecks } from './doctor-judges.ts'

/** `countersign doctor`: exit 0 where the gate is in force, 1 where it is not. */
export async function doctor(options: { json?: boolean }): Promise<number> {
  const daemon = await daemonCheck()
  const checks = [
    ...policyChecks(daemon.state === 'ok'),
    ...(await scopeChecks()),
    ...HOSTS.flatMap((host) => host.probe(gateProgram())),
    daemon,
    ...(await loopbackChecks(socketPath(stateDirectory()))),
  ]
  const failed = checks.some((check) => check.state === 'fail')
  if (options.json === true) print(JSON.stringify({ in_force: !failed, checks }, null, 2))
  else {
    for (const check of checks) print(`${MARK[check.state]} ${check.name}: ${check.detail}`)
    print(failed ? 'The gate is NOT in force.' : 'The gate is in force.')
  }
  return failed ? EXIT.broken : EXIT.ok
}

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

async function daemonCheck(): Promise<Check> {
  const socket = socketPath(stateDirectory())
  if (await answers(socket)) return { name: 'daemon', state: 'ok', detail: `socket at ${socket}` }
  const cost = 'every call starts a process of its own (about 100 ms); run `countersign serve`'
  const detail = existsSync(socket) ? `the socket at ${socket} was left by a daemon that is gone: ${cost}` : `not running: ${cost}`
  return { name: 'daemon', state: 'warn', detail }
}

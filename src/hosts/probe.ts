/** Whether an installed hook is in force: what the files hold, and calls that nobody can know beforehand through its command. */
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import type { Check, Probe, Scope } from './adapter.ts'
import { type Agent, type Entry, installChanges, type Places, textOf } from './install.ts'
import { hookCommand } from './shim.ts'

/** A call that the doctor proposes; nothing of it is ever run. */
export interface Proposal {
  readonly session: string
  readonly id: string
  readonly cwd: string
  readonly call: { readonly kind: 'shell'; readonly command: string } | { readonly kind: 'read'; readonly path: string }
}

/** What the host would do: refuse, ask, or go on as without a hook. */
export type Heard = 'deny' | 'ask' | 'none'

export interface Probed {
  readonly name: string
  readonly scope: Scope
  readonly agent: Agent
  readonly places: Places
  readonly hears?: 'answer' | 'exit'
  readonly proposal: (proposal: Proposal) => JsonObject
  /** Variables that the host says the rest of the call by. Absent: none. */
  readonly surroundings?: (proposal: Proposal) => Readonly<Record<string, string>>
  readonly heard: (answer: JsonObject) => Heard
  readonly weak?: () => readonly Check[]
}

/** Nothing where nothing of ours is installed in this scope. */
export function probeHost(host: Probed, probe: Probe): readonly Check[] {
  const name = `${host.name}, ${host.scope} settings`
  const found = host.places.entries.map((entry) => ({ entry, state: stateOf(entry) }))
  const broken = found.flatMap(({ state }) => (state instanceof Error ? [state.message] : []))
  if (broken.length > 0) return broken.map((detail): Check => ({ name, state: 'fail', detail }))
  if (!found.some(({ state }) => state !== null)) return []
  const fault = differs(host, probe)
  const again = `run \`countersign init --agent ${host.name}${host.scope === 'user' ? '' : ` --scope ${host.scope}`}\``
  if (fault !== null) return [{ name, state: 'fail', detail: `${fault}; ${again}` }]
  return [
    { name, state: 'ok', detail: `${host.places.entries.map(({ path }) => path).join(', ')}: the hook stands as it was installed` },
    ...(host.weak?.() ?? []),
    canaryCheck(host, name, probe),
  ]
}

function stateOf(entry: Entry): string | Error | null {
  try {
    const text = textOf(entry.path)
    return text === null ? null : entry.command(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** How the installation differs from what `init` would write now; null: it does not. */
function differs({ places, agent }: Probed, { node, program, build }: Probe): string | null {
  const { script, entries } = places
  try {
    accessSync(script, constants.X_OK)
  } catch {
    return `\`${script}\` is missing or cannot be executed`
  }
  if ((statSync(script).mode & 0o022) !== 0) return `others may write \`${script}\``
  const command = hookCommand(script, readFileSync(script, 'utf8'), agent.wire)
  for (const { path, holds } of entries) {
    const text = textOf(path)
    if (text === null || !holds(text, command)) return `the hook in \`${path}\` is not the one of this installation`
  }
  try {
    if (!installChanges(places, agent, { node, program, build }).some(({ path }) => path === script)) return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return "the hook script is not what `init` writes: it was changed, or Countersign's program or Node was, since it was installed"
}

/** A denial counts only where the gate also recorded it: a stand-in could say no to everything. */
function canaryCheck(host: Probed, name: string, probe: Probe): Check {
  const command = host.places.entries.flatMap((entry) => entry.command(textOf(entry.path) ?? '') ?? [])[0] ?? ''
  const state = host.places.home ?? probe.home
  const id = `call_${randomBytes(6).toString('hex')}`
  // Where the host gives calls no ids, the log holds the word in the command.
  const hostile = randomInt(2) === 0 ? `rm -rf ${join(state, id)} ${state}` : `echo ${id} > ${join(state, id)}`
  const said: string[] = []
  for (const call of [{ kind: 'shell', command: hostile } as const, { kind: 'read', path: `${id}.md` } as const]) {
    const proposal = { session: randomUUID(), id, cwd: process.cwd(), call }
    const answer = send(command, host, proposal)
    said.push(answer)
    if (call.kind === 'shell' && answer === 'deny' && !probe.recorded(proposal.session, proposal.id))
      return { name, state: 'fail', detail: 'the hook says that it denied a destructive call, but the gate recorded none' }
  }
  const [denied = '', passed = ''] = said
  if (denied !== 'deny') return { name, state: 'fail', detail: `a destructive call through the installed hook gives: ${denied}` }
  return passed === 'none'
    ? { name, state: 'ok', detail: 'a destructive call through the installed hook is denied, and recorded; a harmless read passes' }
    : { name, state: 'warn', detail: `a harmless read through the installed hook gives: ${passed}` }
}

/** What the host would do, or what went wrong. */
function send(command: string, host: Probed, proposal: Proposal): string {
  const env = { ...process.env, ...host.surroundings?.(proposal), COUNTERSIGN_DAEMON: 'off' }
  const input = JSON.stringify(host.proposal(proposal))
  const run = spawnSync('/bin/sh', ['-c', command], { input, encoding: 'utf8', timeout: 60_000, env })
  if (host.hears === 'exit' && run.status === 2 && run.stderr.startsWith('Countersign: ')) return 'deny'
  if (host.hears === 'exit' && run.status === 0) return 'none'
  if (run.status !== 0) return `exit ${run.status ?? run.signal}: ${run.stderr.trim()}`
  const read = readJson(run.stdout)
  return read.ok && isJsonObject(read.value) ? host.heard(read.value) : 'no valid answer'
}

/** What is asked of the world before a call is judged: state that contracts refer to, addresses of host names. Only where the operator says so. */
import { lookup as lookUpName } from 'node:dns/promises'
import { dirname, resolve as resolvePath } from 'node:path'
import type { ToolCall } from './core/call.ts'
import type { Unanswered } from './core/unanswered.ts'
import { hostNames } from './facts/resources/url/index.ts'
import type { Gate, PolicyState } from './gate.ts'
import { lookUpHosts, type Resolve } from './lookup/hosts.ts'
import type { Fetch } from './lookup/http.ts'
import { type Answers, type LookupParts, lookUp, type StateProvider } from './lookup/index.ts'
import { createPostgresReader } from './lookup/postgres.ts'
import type { SqlReaders } from './lookup/sql.ts'
import { createSqliteReader } from './lookup/sqlite.ts'
import type { Policy } from './policy/policy.ts'
import { operatorPolicies, ownDigest } from './policy/scopes/model.ts'
import type { SessionState } from './session/state.ts'

export type Hosts = ReadonlyMap<string, readonly string[]>

/** What the providers of one policy said. */
interface ProviderAnswers {
  readonly answers: Answers
  readonly unanswered: SessionState['unanswered']
}

export interface Asking {
  /** By the digest of the policy that asked: the state of one policy is nothing to another. */
  readonly told: WeakMap<ToolCall, ReadonlyMap<string, ProviderAnswers>>
  readonly sql: SqlReaders
  readonly hosts: WeakMap<ToolCall, Hosts>
  readonly resolve: Resolve
  readonly lookup: LookupParts
  readonly policy: (cwd: string | null) => PolicyState
  /** Resolves once the past of the call's session is read; null: it is read already. */
  readonly past: (call: ToolCall, policy: Policy) => Promise<void> | null
  /** Resolves once a judge has read the request that comes with the call; null: there is nothing to wait for. */
  readonly graphs: (call: ToolCall) => Promise<void> | null
}

export interface AskingOptions {
  readonly policy: Asking['policy']
  readonly providers?: ReadonlyMap<string, StateProvider>
  readonly fetch?: Fetch
  readonly resolve?: Resolve
}

const platformResolve: Resolve = async (name) => (await lookUpName(name, { all: true })).map(({ address }) => address)

export function askingOf(options: AskingOptions, { past, graphs }: Pick<Asking, 'past' | 'graphs'>): Asking {
  const { providers = new Map(), fetch = globalThis.fetch, resolve = platformResolve, policy } = options
  const sql = { sqlite: createSqliteReader(), postgres: createPostgresReader() }
  return { told: new WeakMap(), hosts: new WeakMap(), lookup: { providers, fetch }, sql, policy, resolve, past, graphs }
}

/** Lookups are I/O and so come before the gate, whose layers do none; a policy without any costs nothing here. */
export function askingFirst(gate: Gate, asking: Asking): Gate {
  return {
    ...gate,
    decide: (call, ingressMicros, attended) => {
      const waits = [asksFirst(asking, call) ? lookUpFirst(call, gate, asking) : null, asking.graphs(call)].filter((wait) => wait !== null)
      return waits.length > 0
        ? Promise.all(waits).then(() => gate.decide(call, ingressMicros, attended))
        : gate.decide(call, ingressMicros, attended)
    },
  }
}

/** A policy that cannot be told is for the gate to refuse. */
function asksFirst(asking: Asking, call: ToolCall): boolean {
  try {
    return policiesFor(asking.policy, call).some(
      (each) => hasProviders(each) || each.guards.ssrf.resolve || asking.past(call, each) !== null,
    )
  } catch {
    return false
  }
}

export async function lookUpFirst(call: ToolCall, gate: Gate, asking: Asking): Promise<void> {
  const policies = policiesFor(asking.policy, call)
  // What cannot be read now cannot be read by the gate either, which says so.
  await Promise.allSettled(policies.map((policy) => asking.past(call, policy)))
  const told = await Promise.all(
    policies.filter(hasProviders).map(async (policy) => [ownDigest(policy), await lookUpState(call, policy, asking)] as const),
  )
  if (told.length > 0) asking.told.set(call, new Map(told))
  if (policies.some(({ guards }) => guards.ssrf.resolve)) asking.hosts.set(call, await lookUpHosts(namesIn(gate, call), asking.resolve))
}

function policiesFor(policy: Asking['policy'], { cwd }: ToolCall): readonly Policy[] {
  const loaded = policy(cwd).policy
  return loaded === null ? [] : operatorPolicies(loaded)
}

function hasProviders({ contracts }: Policy): boolean {
  return contracts.providers.length > 0
}

async function lookUpState(call: ToolCall, policy: Policy, { lookup, sql: readers }: Asking): Promise<ProviderAnswers> {
  const problems = new Map<string, Unanswered>()
  const sql = { readers, resolve: (file: string) => resolvePath(dirname(policy.path ?? ''), file) }
  const answers = await lookUp(call, policy, { ...lookup, sql, unanswered: (provider, what) => problems.set(provider, what) })
  return { answers, unanswered: problems }
}

/** Names to look up; where the call cannot be analysed the gate will say so itself. */
function namesIn(gate: Gate, call: ToolCall): readonly string[] {
  try {
    return hostNames(gate.facts(call).effects)
  } catch {
    return []
  }
}

/** The memory of sessions for a gate on this machine, and what it tells of the flow of data in a call. */
import { randomBytes } from 'node:crypto'
import type { ToolCall } from './core/call.ts'
import type { Facts } from './facts/facts.ts'
import { familyTool, splitName } from './facts/tools/registry.ts'
import type { RoleOverrides } from './facts/tools/roles/of-call.ts'
import { flowOf, reachOfCall } from './flow/analyse.ts'
import type { SourceTrust } from './flow/trust.ts'
import { createMemoryParts, type MemoryParts } from './gate/session-memory.ts'
import type { Policy } from './policy/policy.ts'
import { operatorPolicies } from './policy/scopes/model.ts'
import type { SessionState } from './session/state.ts'
import { loadKeys, signerOf } from './store/sqlite/keys.ts'
import type { Store } from './store/store.ts'

export interface MemoryOptions {
  readonly home: string
  /** False: nothing is kept, so the memory is this process's alone. */
  readonly keep: boolean
  readonly store: Pick<Store, 'query'>
}

export function memoryParts({ home, keep, store }: MemoryOptions): MemoryParts {
  const own = signerOf(randomBytes(32))
  return createMemoryParts({
    store,
    keys: () => (keep ? loadKeys(home) : { current: own, ring: new Map([[own.id, own]]) }),
    logged: (tenant, session) => keep && store.query((tx) => tx.get(LOGGED, session, tenant === '' ? null : tenant)) !== undefined,
    reach: ({ call, basis }) => (basis === null ? 'tool' : reachOfCall(call, basis.facts, isHostTool(call, basis.policy))),
  })
}

const LOGGED = `SELECT 1 FROM records WHERE session = ? AND tenant IS ? AND kind = 'decision' LIMIT 1`

/** The facts with what the session knows of where the arguments come from. Without a session nothing is known of it. */
export function withFlow(
  call: ToolCall,
  facts: Facts,
  { state, policy }: { readonly state: SessionState; readonly policy: Policy },
): Facts {
  const known = readable(state.memory)
  if (known === null) return facts
  const hostTool = isHostTool(call, policy)
  const flow = flowOf(call, facts, { ...known, hostTool, roles: rolesOf(call, policy), trust: trustOf(policy) })
  return flow === null ? facts : { ...facts, flow }
}

/** A denial stands without its memory. Nothing is allowed without it: whoever cannot read the memory cannot add to it either. */
function readable(memory: SessionState['memory']): ReturnType<SessionState['memory']> {
  try {
    return memory()
  } catch {
    return null
  }
}

/** A tool of the agent's own host, of a family that the operator registered. */
function isHostTool({ tool }: Pick<ToolCall, 'tool'>, { registry }: Policy): boolean {
  if (splitName(tool.server, tool.name).server !== null) return false
  const family = familyTool(null, tool.name, registry.families)?.family
  return family !== undefined && registry.families.has(family)
}

const NO_ROLES: RoleOverrides = new Map()

function rolesOf({ tool }: ToolCall, policy: Policy): RoleOverrides {
  const { server, name } = splitName(tool.server, tool.name)
  for (const { registry } of operatorPolicies(policy)) {
    const found = registry.tools.get(`${server}/${name}`) ?? registry.tools.get(name)
    if (found !== undefined && found.roles.size > 0) return found.roles
  }
  return NO_ROLES
}

const TRUST = new WeakMap<Policy, readonly SourceTrust[]>()

/** Of the operator's policies: nobody else says who is believed. */
function trustOf(policy: Policy): readonly SourceTrust[] {
  const known = TRUST.get(policy)
  if (known !== undefined) return known
  const made = operatorPolicies(policy).flatMap(({ flow }) =>
    flow.sources.map(({ tools, fields, trust }): SourceTrust => {
      return { matches: (server, tool) => tools.some((pattern) => pattern.matches(server, tool)), fields, trust }
    }),
  )
  TRUST.set(policy, made)
  return made
}

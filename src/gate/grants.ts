/** How the gate uses grants: reads them when a layer first asks, answers asks with them, spends them with the record. */
import type { ToolCall } from '../core/call.ts'
import type { Resolver } from '../gate.ts'
import type { GrantBinding } from '../grants/grant.ts'
import { holdGrants, holdGrantsById } from '../grants/hold.ts'
import { answerByGrant } from '../grants/resolve.ts'
import { spendUses, usesOf } from '../grants/spend.ts'
import type { Policy } from '../policy/policy.ts'
import { operatorPolicies } from '../policy/scopes/model.ts'
import type { SessionState } from '../session/state.ts'
import type { Signer } from '../store/chain.ts'
import type { Store } from '../store/store.ts'
import { type Spender, Spent } from './commit.ts'

export interface GrantSource {
  readonly store: Pick<Store, 'query'>
  /** Keys that may have signed grants; read anew for each use, so that a rotated key is known. */
  readonly ring: () => ReadonlyMap<string, Signer>
}

export interface GrantParts {
  /** For the caller of this call, under this policy. */
  readonly held: (call: ToolCall, policy: Policy, now: number) => SessionState['grants']
  readonly resolver: Resolver
  readonly spender: Spender
}

export function createGrantParts({ store, ring }: GrantSource): GrantParts {
  return {
    held: (call, policy, now) => (effects) =>
      store.query((tx) => holdGrants(effects, holderOf(call), { fromPolicy: policy.capabilities.grants, tx, ring: ring(), now })),
    resolver: async (ask, { call, facts, state }) => {
      if (!ask.resolvers.includes('grant') || typeof ask.finding.evidence.action !== 'string') return undefined
      const asking = { now: state.now, ...holderOf(call) }
      const answer = answerByGrant(ask.finding, { facts, args: call.args, grants: state.grants, asking })
      if (answer === null) return undefined
      const uses = answer.uses.map(({ grant, effect }) => ({ grant, effect }))
      return {
        by: 'grant',
        id: answer.ids.join(' '),
        verdict: 'allow',
        reason: `covered by grant ${answer.ids.join(', ')}`,
        evidence: { uses },
      }
    },
    spender: {
      wants: (decision, { basis }) => basis !== null && usesOf(decision).size > 0,
      spend: (tx, decision, { at, basis }) => {
        if (basis === null || decision.repeats === true) return undefined
        const uses = usesOf(decision)
        // A grant of any policy of the operator may have been used.
        const fromPolicy = operatorPolicies(basis.policy).flatMap(({ capabilities }) => capabilities.grants)
        const held = holdGrantsById(uses.keys(), { fromPolicy, tx, ring: ring(), now: at })
        const problem = spendUses(tx, uses, { held, now: at })
        if (problem !== null) throw new Spent('capability', 'capability.spent', problem)
        return undefined
      },
    },
  }
}

function holderOf({ principal, session }: ToolCall): GrantBinding {
  const { agent, role, user, tenant } = principal
  return { session, role, user, agent, tenant }
}

/** How the gate uses grants: reads them when a layer first asks, answers asks with them, spends them with the record. */
import type { Resolver } from '../gate.ts'
import type { HeldGrant } from '../grants/grant.ts'
import { holdGrants } from '../grants/hold.ts'
import { answerByGrant } from '../grants/resolve.ts'
import { spendUses, usesOf } from '../grants/spend.ts'
import type { Policy } from '../policy/policy.ts'
import { operatorPolicies } from '../policy/scopes/model.ts'
import type { SessionState } from '../session/state.ts'
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction, Store } from '../store/store.ts'
import { type Spender, Spent } from './commit.ts'

export interface GrantSource {
  readonly store: Pick<Store, 'query'>
  /** Keys that may have signed grants; read anew for each use, so that a rotated key is known. */
  readonly ring: () => ReadonlyMap<string, Signer>
}

export interface GrantParts {
  readonly held: (policy: Policy, now: number) => readonly HeldGrant[]
  readonly resolver: Resolver
  readonly spender: Spender
}

export function createGrantParts({ store, ring }: GrantSource): GrantParts {
  const read = (tx: ReadTransaction, policy: Policy, now: number) =>
    holdGrants(tx, { fromPolicy: policy.capabilities.grants, ring: ring(), now })
  /** A grant of any policy of the operator may have been used. */
  const readAll = (tx: ReadTransaction, policy: Policy, now: number) => {
    const held = operatorPolicies(policy).flatMap((each) => read(tx, each, now))
    return [...new Map(held.map((grant) => [grant.id, grant])).values()]
  }
  return {
    held: (policy, now) => store.query((tx) => read(tx, policy, now)),
    resolver: async (ask, { call, facts, state }) => {
      if (!ask.resolvers.includes('grant') || typeof ask.finding.evidence.action !== 'string') return undefined
      const { agent, role, user, tenant } = call.principal
      const asking = { now: state.now, session: call.session, agent, role, user, tenant }
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
        const problem = spendUses(tx, usesOf(decision), { held: readAll(tx, basis.policy, at), now: at })
        if (problem !== null) throw new Spent('capability', 'capability.spent', problem)
        return undefined
      },
    },
  }
}

/** The session state of a call: grants are looked up only where something asks for them. */
export function lazily(state: Omit<SessionState, 'grants'>, held: () => readonly HeldGrant[]): SessionState {
  return new LazyState(state, held)
}

/** A class, as a literal with a getter is slow to make, and one is made for each call. */
class LazyState implements SessionState {
  readonly now: SessionState['now']
  readonly written: SessionState['written']
  readonly denials: SessionState['denials']
  readonly tables: SessionState['tables']
  readonly unanswered: SessionState['unanswered']
  readonly count: SessionState['count']
  readonly pin: SessionState['pin']
  readonly #held: () => readonly HeldGrant[]
  #grants: readonly HeldGrant[] | null = null

  constructor({ now, written, denials, tables, unanswered, count, pin }: Omit<SessionState, 'grants'>, held: () => readonly HeldGrant[]) {
    this.now = now
    this.written = written
    this.denials = denials
    this.tables = tables
    this.unanswered = unanswered
    this.count = count
    this.pin = pin
    this.#held = held
  }

  get grants(): readonly HeldGrant[] {
    this.#grants ??= this.#held()
    return this.#grants
  }
}

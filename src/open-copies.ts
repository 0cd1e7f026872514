/** Copies of the head of the log, where the machine's policy or the user's names them. */
import type { Gate, PolicyState } from './gate.ts'
import type { HeadCopy, Policy } from './policy/policy.ts'
import { standingPolicies } from './policy/scopes/model.ts'
import { type KeptCopies, keepCopies } from './store/copies/keep.ts'
import type { Reaching } from './store/copies/places.ts'
import type { Store } from './store/store.ts'

/** Where the operator has heads kept; a project's policy, trusted or not, names no place. */
export function headCopiesOf(policy: Policy | null): readonly HeadCopy[] {
  if (policy === null) return []
  return standingPolicies(policy).flatMap(({ audit }) => audit.headCopies)
}

type GateStore = Pick<Store, 'append' | 'run' | 'query' | 'read' | 'now' | 'close'>

export interface CopiesOptions extends Partial<Reaching> {
  readonly home: string
  readonly policy: (cwd: string | null) => PolicyState
}

export function openCopies(store: GateStore, { home, policy, ...reaching }: CopiesOptions): KeptCopies {
  return keepCopies(store, { ...reaching, directory: home, copies: () => headCopiesOf(policy(null).policy) })
}

/** A decision says which copies tell nothing; so they are read before it is made. */
export function copiesFirst(gate: Gate, { ready }: KeptCopies): Gate {
  return {
    ...gate,
    decide: (...call) => {
      const waiting = ready()
      return waiting === null ? gate.decide(...call) : waiting.then(() => gate.decide(...call))
    },
  }
}

/** The policy as it is, with what is wrong with copies as a note. */
export function withCopyNotes(policy: CopiesOptions['policy'], { problem }: KeptCopies): CopiesOptions['policy'] {
  return (cwd) => {
    const state = policy(cwd)
    if (state.policy === null) return state
    const notes = [state.degraded, problem()].filter((note) => note !== null)
    return notes.length === 0 ? state : { ...state, degraded: notes.join('; ') }
  }
}

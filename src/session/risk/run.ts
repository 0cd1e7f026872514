/** The risk of the session that a call belongs to, as layers and the record of a decision tell it. */
import type { ToolCall } from '../../core/call.ts'
import type { Outcome } from '../../core/verdict.ts'
import type { SessionState } from '../state.ts'
import { type Fading, joined, type RiskStep, weightNow, weightOf } from './risk.ts'

export interface RunRisk {
  readonly score: number
  /** What weighs most, heaviest first; steps that weigh nothing any more are left out. */
  readonly steps: readonly RiskStep[]
}

export interface Running {
  readonly call: ToolCall
  readonly state: SessionState
  /** Milliseconds. */
  readonly halfLife: number
}

/** Null: the call names no session. */
export function runRisk({ call, state, halfLife }: Running): RunRisk | null {
  const known = state.memory()
  if (known === null || call.session === null) return null
  const { risk } = known.memory
  if (risk.length === 0) return NONE
  return weighed(risk, { now: state.now, halfLife, liftedAt: liftedAt(state.count, call) })
}

/** A decision asks twice: the layer of risk, and its record. A memory whose steps change has new ones. */
const last = new WeakMap<readonly RiskStep[], { readonly fading: Fading; readonly run: RunRisk }>()

function weighed(risk: readonly RiskStep[], fading: Fading): RunRisk {
  const known = last.get(risk)
  if (known !== undefined && isSame(known.fading, fading)) return known.run
  const weights = risk.map((step) => weightNow(step, fading))
  const run = new Weighed(risk, weights)
  last.set(risk, { fading, run })
  return run
}

/** What weighs most is put in order only for those who are told of it. */
class Weighed implements RunRisk {
  readonly score: number
  readonly #steps: readonly RiskStep[]
  readonly #weights: readonly number[]

  constructor(steps: readonly RiskStep[], weights: readonly number[]) {
    this.score = joined(weights)
    this.#steps = steps
    this.#weights = weights
  }

  get steps(): readonly RiskStep[] {
    const all = this.#steps.map((step, at) => ({ step, weight: this.#weights[at] ?? 0 }))
    const left = all.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
    return left.map(({ step }) => step)
  }
}

function isSame(one: Fading, other: Fading): boolean {
  return one.now === other.now && one.halfLife === other.halfLife && one.liftedAt === other.liftedAt
}

/** From 0 to 1: the risk with this decision, which its record tells. */
export function scoreWith(run: RunRisk | null, verdict: Outcome, because: string): number {
  return run === null ? 0 : joined([run.score, weightOf(verdict, because)])
}

const NONE: RunRisk = { score: 0, steps: [] }

/** Milliseconds since the epoch; 0: nobody let the session go on. */
export function liftedAt(count: SessionState['count'], { principal, session }: Pick<ToolCall, 'principal' | 'session'>): number {
  return session === null ? 0 : count(liftedKey(principal.tenant, session)) * 1_000
}

/** Counts seconds since the epoch: when a person last let the session go on. */
export function liftedKey(tenant: string | null, session: string): readonly [string, ...string[]] {
  return [tenant ?? '', 'risk-lifted', session]
}

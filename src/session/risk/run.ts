/** The risk of the session that a call belongs to, as layers and the record of a decision tell it. */
import type { ToolCall } from '../../core/call.ts'
import type { Outcome } from '../../core/verdict.ts'
import type { SessionState } from '../state.ts'
import { type Fading, joined, type RiskStep, scoreOf, weightNow, weightOf } from './risk.ts'

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
  const fading: Fading = { now: state.now, halfLife, liftedAt: liftedAt(state.count, call) }
  const weighed = risk.map((step) => ({ step, weight: weightNow(step, fading) })).filter(({ weight }) => weight > 0)
  return { score: scoreOf(risk, fading), steps: weighed.toSorted((a, b) => b.weight - a.weight).map(({ step }) => step) }
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

/** The risk of the session that a call belongs to, as layers and the record of a decision tell it. */
import type { ToolCall } from '../../core/call.ts'
import type { Outcome } from '../../core/verdict.ts'
import type { SessionState } from '../state.ts'
import { type Fading, type RiskStep, scoreOf, weightNow } from './risk.ts'

export interface RunRisk {
  readonly score: number
  /** What weighs most, heaviest first; steps that weigh nothing any more are left out. */
  readonly steps: readonly RiskStep[]
}

/** `halfLife` in milliseconds. Null: the call names no session. */
export function runRisk({
  call,
  state,
  halfLife,
}: {
  readonly call: ToolCall
  readonly state: SessionState
  readonly halfLife: number
}): RunRisk | null {
  const known = state.memory()
  if (known === null || call.session === null) return null
  const { risk } = known.memory
  if (risk.length === 0) return NONE
  const liftedAt = state.count(liftedKey(call.principal.tenant, call.session)) * 1_000
  const fading: Fading = { now: state.now, halfLife, liftedAt }
  const weighed = risk.map((step) => ({ step, weight: weightNow(step, fading) })).filter(({ weight }) => weight > 0)
  return { score: scoreOf(risk, fading), steps: weighed.toSorted((a, b) => b.weight - a.weight).map(({ step }) => step) }
}

/** From 0 to 1: the risk with this decision, which its record tells. */
export function scoreWith(run: RunRisk | null, decided: Pick<RiskStep, 'because'> & { readonly verdict: Outcome }): number {
  const before = run?.score ?? 0
  if (run === null || decided.verdict === 'allow') return before
  const own = scoreOf([{ step: 0, at: 1, verdict: decided.verdict, because: decided.because }], { now: 1, halfLife: 1, liftedAt: 0 })
  return Math.round((1 - (1 - before) * (1 - own)) * 1_000) / 1_000
}

const NONE: RunRisk = { score: 0, steps: [] }

/** Counts seconds since the epoch: when a person last let the session go on. */
export function liftedKey(tenant: string | null, session: string): readonly [string, ...string[]] {
  return [tenant ?? '', 'risk-lifted', session]
}

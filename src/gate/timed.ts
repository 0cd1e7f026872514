/** A gate that tells of each decision it makes, and how long that took. */
import type { Decision } from '../core/decision.ts'
import type { Gate } from '../gate.ts'

type Deciding = Pick<Gate, 'decide' | 'refuse'>

/** @param tell hears of each decision before whoever asked; `seconds` from when it was asked for. */
export function timed(gate: Deciding, tell: (decision: Decision, seconds: number) => void): Deciding {
  const told = async (decide: () => Promise<Decision>): Promise<Decision> => {
    const started = performance.now()
    const decision = await decide()
    tell(decision, (performance.now() - started) / 1000)
    return decision
  }
  return { decide: (...call) => told(() => gate.decide(...call)), refuse: (...refused) => told(() => gate.refuse(...refused)) }
}

/** A gate that tells of each decision it makes, on whichever thread it is. */
import type { Decision } from '../../core/decision.ts'
import type { Gate } from '../../gate.ts'
import type { Decided } from './message.ts'

export function watched(gate: Gate, tell: (decided: Decided) => void): Gate {
  const told = (decision: Decision, started: number): Decision => {
    const seconds = (performance.now() - started) / 1000
    tell({ decision: decision.decision, would: decision.would, seconds, recorded: decision.auditEntryId !== null })
    return decision
  }
  return {
    ...gate,
    decide: async (...call) => {
      const started = performance.now()
      return told(await gate.decide(...call), started)
    },
    refuse: async (...refused) => {
      const started = performance.now()
      return told(await gate.refuse(...refused), started)
    },
  }
}

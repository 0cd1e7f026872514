/** A gate that tells of each decision it makes, on whichever thread it is. */
import { timed } from '../../gate/timed.ts'
import type { Gate } from '../../gate.ts'
import type { Decided } from './message.ts'

export function watched(gate: Gate, tell: (decided: Decided) => void): Gate {
  const told = timed(gate, ({ decision, would, auditEntryId }, seconds) =>
    tell({ decision, would, seconds, recorded: auditEntryId !== null }),
  )
  return { ...gate, ...told }
}

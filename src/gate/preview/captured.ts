/** Between decision and record: what a call that is about to run would delete or overwrite is kept, and the record says what was. */
import type { ToolCall } from '../../core/call.ts'
import type { Decision } from '../../core/decision.ts'
import type { Effect } from '../../core/effect.ts'
import type { JsonObject } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import type { UndoSection } from '../../policy/undo/model.ts'
import { waysOf } from '../../undo/catalogue.ts'
import type { Ways } from '../../undo/compensator.ts'
import type { Basis } from '../commit.ts'
import { overruled } from '../compose.ts'

export interface Keeping {
  readonly call: ToolCall
  /** What the call says that it does, and what it was seen to do. */
  readonly effects: readonly Effect[]
  readonly section: UndoSection
  readonly ways: Ways
}

/** What the log says of what was kept; null: there was nothing to keep. Rejects where it could not be. */
export type Capturing = (keeping: Keeping) => Promise<JsonObject | null>

export interface Running {
  readonly call: ToolCall
  readonly basis: Basis | null
  /** A person at the host may still let an `ask` run, and the gate is not told before. */
  readonly attended: boolean
}

export async function withCapture(
  { capture }: { readonly capture?: Capturing },
  decision: Decision,
  { call, basis, attended }: Running,
): Promise<Decision> {
  const mayRun = runs(decision.decision) || (attended && decision.decision === 'ask')
  if (capture === undefined || basis === null || !mayRun || decision.repeats === true) return decision
  const { undo: section } = basis.policy
  const ways = waysOf(basis.policy)
  if (section === null || ways === null) return decision
  try {
    const kept = await capture({ call, section, ways, effects: effectsOf(basis) })
    return kept === null ? decision : { ...decision, undo: kept }
  } catch (error) {
    const message = `what the call would change could not be kept: ${error instanceof Error ? error.message : String(error)}`
    if (section.onFailure === 'pass' || decision.mode === 'shadow') return { ...decision, undo: { id: null, problem: message } }
    return overruled(decision, { layer: 'undo', rule: 'capture', code: 'undo.capture_failed', message })
  }
}

const effectsOf = ({ facts, preview }: Basis): readonly Effect[] => [...facts.effects, ...(preview?.seen?.effects ?? [])]

import type { PolicyState } from '../gate.ts'
import { watchPolicy } from '../policy/file.ts'
import { policyFileOptions, policyPath } from './open.ts'

export interface InForce {
  readonly path: string | null
  /** The policy now; the last good one, marked degraded, where a change could not be loaded. */
  readonly current: () => PolicyState
  readonly stop: () => void
}

/** The policy for a process that lives on: read again whenever its file changes. */
export function watchInForce(explicit: string | null, note: (line: string) => void): InForce {
  return { path: policyPath(explicit), ...watchPolicy(policyFileOptions(explicit), note) }
}

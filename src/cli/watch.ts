import type { PolicyState } from '../gate.ts'
import { watchPolicy } from '../policy/file.ts'
import { COMPILE, loadInForce, policyPath } from './open.ts'

export interface InForce {
  readonly path: string | null
  /** The policy now; the last good one, marked degraded, where a change could not be loaded. */
  readonly current: () => PolicyState
}

/** The policy for a process that lives on: read again whenever its file changes. */
export function watchInForce(explicit: string | null): InForce {
  const path = policyPath(explicit)
  if (path === null) {
    const state = loadInForce(null)
    return { path, current: () => state }
  }
  return { path, current: watchPolicy({ ...COMPILE, path, now: Date.now }).current }
}

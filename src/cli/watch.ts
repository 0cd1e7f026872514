import type { PolicyState } from '../gate.ts'
import { type PolicyDirectory, watchPolicies } from '../policy/watch.ts'
import { policyFileOptions } from './open.ts'

interface InForce extends PolicyDirectory {
  /** The policy for a call from this directory; the last good one, marked degraded, where a change could not be loaded. */
  readonly current: (cwd: string | null) => PolicyState
}

/** The policies for a process that lives on: read again whenever their files change. */
export function watchInForce(explicit: string | null, note: (line: string) => void): InForce {
  const watched = watchPolicies(policyFileOptions(explicit), note)
  watched.current(null)
  return { ...watched, current: oncePerTurn(watched.current) }
}

/** A daemon asks a dozen times for each call, and every time the disk is asked: in one turn of the event loop one answer is enough. */
function oncePerTurn(current: InForce['current']): InForce['current'] {
  const known = new Map<string | null, PolicyState>()
  return (cwd) => {
    const before = known.get(cwd)
    if (before !== undefined) return before
    if (known.size === 0) setImmediate(() => known.clear())
    const state = current(cwd)
    known.set(cwd, state)
    return state
  }
}

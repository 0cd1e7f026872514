/** What earlier calls of the session left behind, reduced from its events; facts and layers read it, never write it. */
export interface SessionState {
  /** Milliseconds since the epoch at which this decision is made: layers read no clock (H3). */
  readonly now: number
  /** Files the agent wrote earlier in the session, by kernel-true path, with the digest of what it wrote. */
  readonly written: ReadonlyMap<string, string>
  /** Denials so far, by effect family and target. */
  readonly denials: ReadonlyMap<string, number>
}

/** A session nothing is known of; a missing trace never permits (PIT-20). */
export function emptySession(now: number): SessionState {
  return { now, written: new Map(), denials: new Map() }
}

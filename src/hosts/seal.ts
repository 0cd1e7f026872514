/** What the installed hook and the gate agree on. */

/** Seconds the gate has for an answer; at most 80 % of what the host waits, shared by the daemon's try and the fallback. */
export const GATE_SECONDS = 20

/** The last line of a whole answer: what was cut off lacks it. */
export const SEAL = '.'

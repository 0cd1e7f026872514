/** How long clients wait for the answer of a tool, as observed with the real ones; the gate has to answer before they give up. */

interface Patience {
  readonly client: RegExp
  /** Milliseconds without a sign of progress. */
  readonly silent: number
  /** Milliseconds where progress is told every few seconds. */
  readonly told: number
}

const SECOND = 1_000

/** By the name that a client gives itself. Whatever else it is, it gains nothing by it: a call that waits does not run. */
const KNOWN: readonly Patience[] = [
  { client: /codex/i, silent: 290 * SECOND, told: 290 * SECOND },
  { client: /opencode/i, silent: 50 * SECOND, told: 320 * SECOND },
  { client: /copilot/i, silent: 170 * SECOND, told: 320 * SECOND },
  { client: /claude|gemini|qwen/i, silent: 320 * SECOND, told: 3_600 * SECOND },
]

/** The default of the official SDKs is a minute, whatever is told in between. */
const OTHER: Patience = { client: /^/, silent: 50 * SECOND, told: 50 * SECOND }

/** Milliseconds between two signs of progress. */
export const BEAT_MS = 10 * SECOND

/** Milliseconds that the client can be kept waiting. */
export function patienceOf(client: string | null, progress: boolean): number {
  const { silent, told } = KNOWN.find((each) => each.client.test(client ?? '')) ?? OTHER
  return progress ? told : silent
}

/** How long clients wait for an answer that is silent, and what keeps them waiting. Observed with the clients themselves. */
import type { ModelApi } from './api.ts'

export interface Patience {
  /** Milliseconds that the client waits for a whole answer at most. */
  readonly limit: number
  readonly sign: Buffer
}

const MINUTE = 60_000

/** SDKs give up on a request after ten minutes. */
const USUAL = 9 * MINUTE

/** It counts only events with data as signs of life, and any will do. */
const CODEX = Buffer.from('data: {"type":"keepalive"}\n\n')

const COMMENT = Buffer.from(': keepalive\n\n')

const FAMILIES: readonly (readonly [agent: RegExp, limit: number])[] = [
  // Both send the request again after five minutes without a byte before the head, or in a silent stream.
  [/\b(?:opencode|ai-sdk)\b/i, 4 * MINUTE + 45_000],
  [/\bqwen/i, 8 * MINUTE],
]

/** @param agent the header `User-Agent`. */
export function patienceOf(agent: string | undefined, api: ModelApi | null): Patience {
  const known = FAMILIES.find(([pattern]) => pattern.test(agent ?? ''))
  const sign = api?.name === 'responses' && /\bcodex/i.test(agent ?? '') ? CODEX : (api?.heartbeat ?? COMMENT)
  return { limit: known?.[1] ?? USUAL, sign }
}

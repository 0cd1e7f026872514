import { type Handover, takeTurn } from '../gate/handover.ts'
import type { ResultEvent } from '../hosts/adapter.ts'
import { type KeptResult, type Landed, landResult } from '../open-results.ts'
import { withWords } from './session-words.ts'

type Opened = Landed

/**
 * Answers what the agent should know of the response, or null. Keeps what a tool returned, for the reader of the log and for
 * contracts that refer to what the session knows, and what is wrong with it.
 */
export async function recordResult(opened: Opened, event: ResultEvent, handover: Handover | null = null): Promise<string | null> {
  const call = event.call.context.task === null ? withWords(opened, event.call, false) : event.call
  const { seen, kept } = keepResult(opened, { ...event, call }, handover)
  await kept
  return seen?.note ?? null
}

/** Of a call with its user's words. The session knows the result when this returns; the log, when `kept` resolves. */
export function keepResult(opened: Opened, event: Omit<ResultEvent, 'kind'>, handover: Handover | null = null): KeptResult {
  return landResult(opened, event, (tx, now) => {
    if (handover !== null) takeTurn(tx, handover, now)
  })
}

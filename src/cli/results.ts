import type { ToolCall } from '../core/call.ts'
import { type Handover, takeTurn } from '../gate/handover.ts'
import type { ResultEvent } from '../hosts/adapter.ts'
import { type KeptResult, type Landed, type LookElsewhere, landElsewhere, landResult } from '../open-results.ts'
import { withWords } from './session-words.ts'

type Opened = Landed

/**
 * Answers what the agent should know of the response, or null. Keeps what a tool returned, for the reader of the log and for
 * contracts that refer to what the session knows, and what is wrong with it.
 */
export async function recordResult(opened: Opened, event: ResultEvent, handover: Handover | null = null): Promise<string | null> {
  const call = withTask(opened, event.call)
  const { seen, kept } = keepResult(opened, { ...event, call }, handover)
  await kept
  return seen?.note ?? null
}

/** As `recordResult`, of a result that nobody is answered a note on: a large one is looked through elsewhere, so that other work goes on. */
export async function recordElsewhere(opened: Opened, event: Pick<ResultEvent, 'call' | 'response'>, look: LookElsewhere): Promise<void> {
  const call = withTask(opened, event.call)
  await landElsewhere(opened, { ...event, call }, look)
}

function withTask(opened: Opened, call: ToolCall): ToolCall {
  return call.context.task === null ? withWords(opened, call, false) : call
}

/** Of a call with its user's words. The session knows the result when this returns; the log, when `kept` resolves. */
export function keepResult(opened: Opened, event: Omit<ResultEvent, 'kind'>, handover: Handover | null = null): KeptResult {
  return landResult(opened, event, (tx, now) => {
    if (handover !== null) takeTurn(tx, handover, now)
  })
}

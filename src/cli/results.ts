import type { ToolCall } from '../core/call.ts'
import { type Handover, takeTurn } from '../gate/handover.ts'
import type { ResultEvent } from '../hosts/adapter.ts'
import { lookThrough } from '../open-looking.ts'
import { type Elsewhere, type KeptResult, type Landed, type LookElsewhere, landElsewhere, landLooked, landResult } from '../open-results.ts'
import { observationOf } from '../open-returning.ts'
import type { ReturnedApart } from '../server/apart/message.ts'
import { withWords } from './session-words.ts'

type Opened = Landed

interface Recording {
  readonly handover?: Handover | null
  /** Where a large result is looked through, so that other work goes on; null: here. */
  readonly look?: LookElsewhere | null
}

/**
 * Answers what the agent should know of the response, or null. Keeps what a tool returned, for the reader of the log and for
 * contracts that refer to what the session knows, and what is wrong with it.
 */
export async function recordResult(
  opened: Opened,
  event: Omit<ResultEvent, 'kind'> & Partial<Pick<ResultEvent, 'kind'>>,
  { handover = null, look = null }: Recording = {},
): Promise<string | null> {
  const call = withTask(opened, event.call)
  const seen = await landElsewhere(opened, { ...event, call }, { look, also: turnOf(handover) }).kept
  return seen?.note ?? null
}

/** What `recordResult` does, up to the session and the log: those are for whoever holds them for everybody (`landApart`). */
export function lookApart(
  opened: Opened,
  event: ResultEvent,
  handover: Handover | null,
): { readonly returned: ReturnedApart; readonly note: string | null } {
  const call = withTask(opened, event.call)
  const { response, failed = false } = event
  const looked = lookThrough(opened.looking(call), { response, failed })
  const turn = handover === null ? null : { nonce: handover.nonce, takesOver: handover.takesOver }
  return { returned: { call, looked, handover: turn }, note: observationOf(looked)?.note ?? null }
}

/** A result that a thread looked through: what comes next in its session is mostly judged here. Resolves once it is durable. */
export async function landApart(opened: Opened, { call, looked, handover }: ReturnedApart): Promise<void> {
  await landLooked(opened, { call, looked }, turnOf(handover)).kept
}

function withTask(opened: Opened, call: ToolCall): ToolCall {
  return call.context.task === null ? withWords(opened, call, false) : call
}

/** Of a call with its user's words. The session knows the result when this returns; the log, when `kept` resolves. */
export function keepResult(opened: Opened, event: Omit<ResultEvent, 'kind'>, handover: Handover | null = null): KeptResult {
  return landResult(opened, event, turnOf(handover))
}

function turnOf(handover: Handover | null): NonNullable<Elsewhere['also']> {
  return (tx, now) => {
    if (handover !== null) takeTurn(tx, handover, now)
  }
}

import { resultRecord } from '../audit/record.ts'
import { redactJson } from '../audit/redact.ts'
import { type Handover, takeTurn } from '../gate/handover.ts'
import type { ResultEvent } from '../hosts/adapter.ts'
import { flightCounter } from '../layers/roles/rates.ts'
import type { Observation, OpenedGate } from '../open.ts'
import type { Transaction } from '../store/store.ts'
import { withWords } from './session-words.ts'

type Opened = Pick<OpenedGate, 'store' | 'returned'>

export interface KeptResult {
  /** What is wrong with it; null: nothing. */
  readonly seen: Observation | null
  /** Resolves once it is durable; rejects with what the store throws. */
  readonly kept: Promise<unknown>
}

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
  const { store } = opened
  const now = store.now()
  const { seen, land } = opened.returned(event.call, event.response)
  const landed = (tx: Transaction): void => {
    if (handover !== null) takeTurn(tx, handover, now)
    land(tx)
    const key = flightCounter(event.call)
    if (tx.count(key, now) > 0) tx.add(key, -1, { now, expiresAt: now })
  }
  const record = resultRecord(event.call, event.response, now)
  const findings = (seen?.findings ?? []).map(({ code, rule, message, evidence }) => ({ code, rule, message, evidence }))
  // What tags spell may be a secret, too.
  const body = findings.length === 0 ? record.body : { ...record.body, findings: redactJson(findings).value }
  return { seen, kept: store.run(landed, { ...record, body, code: seen?.code ?? null }) }
}

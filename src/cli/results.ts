import { resultRecord } from '../audit/record.ts'
import { redactJson } from '../audit/redact.ts'
import { type Handover, takeTurn } from '../gate/handover.ts'
import type { ResultEvent } from '../hosts/adapter.ts'
import { flightCounter } from '../layers/roles/rates.ts'
import type { OpenedGate } from '../open.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Answers what the agent should know of the response, or null. Keeps what a tool returned, for the reader of the log and for
 * contracts that refer to what the session knows, and what is wrong with it.
 */
export async function recordResult(
  { store, observe }: Pick<OpenedGate, 'store' | 'observe'>,
  event: ResultEvent,
  handover: Handover | null = null,
): Promise<string | null> {
  const now = store.now()
  const landed = (tx: Transaction): void => {
    if (handover !== null) takeTurn(tx, handover, now)
    const key = flightCounter(event.call)
    if (tx.count(key, now) > 0) tx.add(key, -1, { now, expiresAt: now })
  }
  const seen = observe(event.call, event.response)
  const record = resultRecord(event.call, event.response, now)
  const findings = (seen?.findings ?? []).map(({ code, rule, message, evidence }) => ({ code, rule, message, evidence }))
  // What tags spell may be a secret, too.
  const body = findings.length === 0 ? record.body : { ...record.body, findings: redactJson(findings).value }
  await store.run(landed, { ...record, body, code: seen?.code ?? null })
  return seen?.note ?? null
}

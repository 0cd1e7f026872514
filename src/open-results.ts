/** Keeps what a call returned: the session learns it, the log has its record, and the call no longer counts as running. */
import { resultRecord } from './audit/record.ts'
import { redactJson } from './audit/redact.ts'
import type { ToolCall } from './core/call.ts'
import type { Json } from './core/json.ts'
import { flightCounter } from './layers/roles/rates.ts'
import type { Observation, OpenedGate } from './open.ts'
import type { Transaction } from './store/store.ts'

export interface KeptResult {
  /** What is wrong with it; null: nothing. */
  readonly seen: Observation | null
  /** Resolves once it is durable; rejects with what the store throws. */
  readonly kept: Promise<unknown>
}

/**
 * The session knows the result when this returns; the log, when `kept` resolves.
 * @param also takes part in the transaction, before everything else.
 */
export function landResult(
  { store, returned }: Pick<OpenedGate, 'store' | 'returned'>,
  { call, response }: { readonly call: ToolCall; readonly response: Json },
  also: (tx: Transaction, now: number) => void = () => {},
): KeptResult {
  const now = store.now()
  const { seen, land } = returned(call, response)
  const landed = (tx: Transaction): void => {
    also(tx, now)
    land(tx)
    const key = flightCounter(call)
    if (tx.count(key, now) > 0) tx.add(key, -1, { now, expiresAt: now })
  }
  const record = resultRecord(call, response, now)
  const findings = (seen?.findings ?? []).map(({ code, rule, message, evidence }) => ({ code, rule, message, evidence }))
  // What tags spell may be a secret, too.
  const body = findings.length === 0 ? record.body : { ...record.body, findings: redactJson(findings).value }
  return { seen, kept: store.run(landed, { ...record, body, code: seen?.code ?? null }) }
}

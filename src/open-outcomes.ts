/** Outcomes on this machine: those that results tell, and what a person found out where none did. */
import { eventRecord } from './audit/record.ts'
import type { ToolCall } from './core/call.ts'
import type { Json } from './core/json.ts'
import { settleAttempt } from './gate/outcome/answers.ts'
import type { Ended, OutcomeParts } from './gate/outcome/attempts.ts'
import type { Store, Transaction } from './store/store.ts'

export interface Settling {
  /** Id of the record of the decision. */
  readonly record: string
  readonly happened: boolean
  readonly by: string
  readonly reason: string
  readonly now: number
}

class NothingOpen extends Error {}

/** Id of the record; null where nothing is open there: then there is no record either. */
export async function settleOutcome(store: Pick<Store, 'run'>, { record, happened, by, reason, now }: Settling): Promise<string | null> {
  const state = happened ? 'ran' : 'refused'
  const why = `${by} says so: ${reason}`
  const note = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: now } as const
  try {
    const { receipt } = await store.run(
      (tx) => {
        if (!settleAttempt(tx, record, { state, why })) throw new NothingOpen()
      },
      eventRecord({ ...note, body: { event: 'outcome_settled', by, reason, outcome: { state, why, of: [record] } } }),
    )
    return receipt.id
  } catch (error) {
    if (error instanceof NothingOpen) return null
    throw error
  }
}

/** Tells the session a result. `land` belongs into the transaction of its record, and answers what became of the call. */
export type Returning<Seen> = (
  call: ToolCall,
  result: Json,
  failed?: boolean,
) => { readonly seen: Seen | null; readonly land: (tx: Transaction) => Ended }

interface Remembering<Seen> {
  readonly observe: (call: ToolCall, result: Json) => Seen | null
  readonly returned: (call: ToolCall, result: Json) => { readonly seen: Seen | null; readonly land: (tx: Transaction) => void }
}

export function withOutcome<Seen>({ observe, returned }: Remembering<Seen>, close: OutcomeParts['land']) {
  const closing: Returning<Seen> = (call, result, failed = false) => {
    const { seen, land } = returned(call, result)
    return {
      seen,
      land: (tx) => {
        land(tx)
        return close(tx, { call, response: result, failed })
      },
    }
  }
  return { observe, returned: closing }
}

/** Outcomes on this machine: those that results tell, and what a person found out where none did. */
import { eventRecord } from './audit/record.ts'
import { settleAttempt } from './gate/outcome/answers.ts'
import type { Store } from './store/store.ts'

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

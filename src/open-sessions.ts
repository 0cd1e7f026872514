/** A stopped session is let go on by a person, and the log says by whom and why. */
import { sessionEvent } from './audit/record.ts'
import { type Denials, denialsOf, forgetDenials, type SessionKey } from './gate/session-lock.ts'
import { liftedKey } from './session/risk/run.ts'
import type { Store, Transaction } from './store/store.ts'

export interface Unlocking extends SessionKey {
  /** Who lets it go on, such as `human:alice`. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What happened so far adds nothing to the risk of the run any more. */
function lift(tx: Transaction, { tenant, session }: SessionKey, now: number): void {
  const lifted = liftedKey(tenant, session)
  tx.add(lifted, Math.floor(now / 1_000) + 1 - tx.count(lifted, now), { now, expiresAt: now + REMEMBERED })
}

/** As long as the memory of a session: 30 days, in milliseconds. */
const REMEMBERED = 2_592_000_000

/** What was forgotten, with the id of the record; null, and no record, where nothing was remembered of such a session. */
export async function unlockSession(
  store: Pick<Store, 'run' | 'query'>,
  { tenant, session, by, reason, now }: Unlocking,
): Promise<(Denials & { readonly id: string }) | null> {
  const key = { tenant, session }
  if (store.query((tx) => denialsOf(tx, key, now)).until === null) return null
  const { result, receipt } = await store.run(
    (tx) => {
      const before = denialsOf(tx, key, now)
      forgetDenials(tx, key)
      lift(tx, key, now)
      return before
    },
    ({ locked, remembered }) =>
      sessionEvent({
        session,
        tenant,
        at: now,
        body: { event: 'session_unlocked', session, by, reason, locked, forgotten: remembered.length },
      }),
  )
  return { ...result, id: receipt.id }
}

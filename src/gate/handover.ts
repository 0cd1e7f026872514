/**
 * One event of a host, decided once: a hook that gave the daemon up decides by itself and says so in the log's own transaction; a
 * daemon that comes back finds that, and records nothing.
 */
import type { Transaction } from '../store/store.ts'
import type { Spender } from './commit.ts'

/** Which event a decision belongs to. */
export interface Handover {
  /** The number that the hook gave this event alone. */
  readonly nonce: string
  /** True for whoever decides in the place of the daemon. */
  readonly takesOver: boolean
  /** Asked in that transaction: true once whoever waited was told that time is over. Default never. */
  readonly lapsed?: () => boolean
}

/** Longer than any daemon hangs that anybody still waits for: a day, in milliseconds. */
const REMEMBERED_MS = 86_400_000

/** The hook decided without us. Nothing is recorded a second time. */
class HandedOver extends Error {
  override readonly name = 'HandedOver'
}

/** Part of the transaction that records what became of an event. Throws where the hook decided it meanwhile, or no longer waits. */
export function takeTurn(tx: Transaction, { nonce, takesOver, lapsed }: Handover, now: number): void {
  if (lapsed?.() === true) throw new HandedOver('its time is over, and whoever asked was told so')
  const key = ['handover', nonce] as const
  if (takesOver) tx.add(key, 1, { now, expiresAt: now + REMEMBERED_MS })
  else if (tx.count(key, now) > 0) throw new HandedOver('the hook gave up waiting and decided by itself')
}

export const handover: Spender = {
  wants: (_, context) => context.handover != null,
  spend: (tx, _, context) => {
    if (context.handover != null) takeTurn(tx, context.handover, context.at)
    return undefined
  },
}

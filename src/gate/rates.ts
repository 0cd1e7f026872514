/** Counts calls that were let through against the rates and the concurrency of their roles, with the record (PIT-17). */
import { runs } from '../core/verdict.ts'
import { countedLimits, flightCounter, rateCounter } from '../layers/roles/rates.ts'
import { type Spender, Spent } from './commit.ts'

/** A call whose result never came stops counting as running after this time. */
const LONGEST_FLIGHT = 10 * 60_000

export const rates: Spender = {
  wants: (decision, { call, basis }) => basis !== null && runs(decision.decision) && countedLimits(basis.policy, call).length > 0,
  spend: (tx, _decision, { call, at, basis }) => {
    const counted = basis === null ? [] : countedLimits(basis.policy, call)
    for (const limits of counted) {
      if (limits.rate === null) continue
      const used = tx.add(rateCounter(limits, call, at), 1, { now: at, expiresAt: at + 2 * limits.rate.window })
      if (used > limits.rate.limit) throw new Spent('roles', 'roles.rate', `\`${limits.id}\` allows ${limits.rate.limit} calls in its time`)
    }
    const most = Math.min(...counted.map((limits) => limits.maxConcurrent ?? Infinity))
    if (most === Infinity) return undefined
    const running = tx.add(flightCounter(call), 1, { now: at, expiresAt: at + LONGEST_FLIGHT })
    if (running > most) throw new Spent('roles', 'roles.concurrency', `${most} calls may run at the same time`)
    return undefined
  },
}

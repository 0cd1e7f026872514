/** Counts calls that were let through against the rates and the concurrency of their roles, with the record (PIT-17). */
import type { ToolCall } from '../core/call.ts'
import { runs } from '../core/verdict.ts'
import { countedLimits, flightCounters, rateCounter } from '../layers/roles/rates.ts'
import type { Policy, RoleLimits } from '../policy/policy.ts'
import { type Spender, Spent } from './commit.ts'

/** A call whose result never came stops counting as running after this time. */
const LONGEST_FLIGHT = 10 * 60_000

export const rates: Spender = {
  wants: (decision, { call, basis }) => basis !== null && runs(decision.decision) && counted(basis.policy, call).length > 0,
  spend: (tx, _decision, { call, at, basis }) => {
    const limited = basis === null ? [] : counted(basis.policy, call)
    const used = new Map<string, number>()
    for (const limits of limited) {
      if (limits.rate === null) continue
      const counter = rateCounter(limits, call, at)
      const key = JSON.stringify(counter)
      // Two policies may have a limit of one name: the call is one call.
      const now = used.get(key) ?? tx.add(counter, 1, { now: at, expiresAt: at + 2 * limits.rate.window })
      used.set(key, now)
      if (now > limits.rate.limit) throw new Spent('roles', 'roles.rate', `the role allows ${limits.rate.limit} such calls in its time`)
    }
    const most = Math.min(...limited.map((limits) => limits.maxConcurrent ?? Infinity))
    if (most === Infinity) return undefined
    const running = Math.max(...flightCounters(call).map((each) => tx.add(each, 1, { now: at, expiresAt: at + LONGEST_FLIGHT })))
    if (running > most) throw new Spent('roles', 'roles.concurrency', `${most} calls may run at the same time`)
    return undefined
  },
}

/** True where a limit counts calls like this one. */
export function isCounted(policy: Policy, call: ToolCall): boolean {
  return counted(policy, call).length > 0
}

/** Of every policy that judges the call: one that only raises limits as well. */
function counted(policy: Policy, call: ToolCall): readonly RoleLimits[] {
  const lower = policy.scopes?.lower ?? []
  return [policy, ...lower.map((each) => each.policy)].flatMap((each) => countedLimits(each, call))
}

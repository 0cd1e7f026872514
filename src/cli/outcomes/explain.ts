/** What the outcome rule says of a call, in words: which of its acts are one more each time, and what their repetition gets. */
import type { ToolCall } from '../../core/call.ts'
import type { Facts } from '../../facts/facts.ts'
import { keyedEffects } from '../../outcome/effect-key.ts'
import type { Policy } from '../../policy/policy.ts'

const HOUR_MS = 3_600_000

export function outcomeLines(call: ToolCall, facts: Facts, policy: Policy): readonly string[] {
  const { onUnknown, rememberMs } = policy.outcome
  const within = `${Math.round((rememberMs / HOUR_MS) * 10) / 10} h`
  return keyedEffects(call, facts, policy).map(({ effect: { verb, action, target }, idempotency }) => {
    const what = `outcome: ${action ?? verb} of \`${target.value}\` is one more each time`
    if (onUnknown === 'pass') return `${what}; the policy lets a repetition pass (\`outcome.on_unknown\`)`
    const key = idempotency === null ? '' : ', unless it carries the same idempotency key'
    return `${what}: while its result is not known, a repetition within ${within} gets ${onUnknown}${key}`
  })
}

/** What is said of a response that is larger than its role allows. The tool has run: it can only be reported. */
import type { ToolCall } from '../../core/call.ts'
import { canonicalJson } from '../../core/canonical.ts'
import type { Json } from '../../core/json.ts'
import type { Policy } from '../../policy/policy.ts'
import type { ResultFinding } from '../integrity/result.ts'
import { limitsOf } from './rates.ts'

/** How large a response to the call may be, in bytes, by the strictest of its roles; infinite where none says so. */
export function maxResponse(policy: Pick<Policy, 'roles'>, call: ToolCall): number {
  return Math.min(...limitsOf(policy, call).map((limits) => limits.maxResponseSize ?? Infinity))
}

/** Null where it is within the limit. Sizes are bytes of UTF-8, of a text as it is and of anything else as canonical JSON. */
export function oversize(most: number, response: Json): ResultFinding | null {
  if (most === Infinity) return null
  const size = new TextEncoder().encode(typeof response === 'string' ? response : canonicalJson(response)).length
  if (size <= most) return null
  return {
    code: 'roles.response_size',
    rule: 'response-size',
    message: `the response has ${size} bytes; ${most} are allowed`,
    evidence: { size, limit: most },
    note: `The response has ${size} bytes; ${most} are allowed here. Ask for less at a time.`,
  }
}

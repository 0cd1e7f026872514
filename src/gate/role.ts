/** Calls whose sender names no role are judged under the one that the policy gives them. */
import type { ToolCall } from '../core/call.ts'
import type { Gate, GateParts } from '../gate.ts'

/** The gate, for calls in the role of their own or of the policy. What cannot be told of the policy is the gate's to refuse. */
export function inRole(gate: Gate, policy: GateParts['policy']): Gate {
  const roled = (call: ToolCall): ToolCall => {
    if (call.principal.role !== null) return call
    const role = defaultRole(policy, call)
    return role === null ? call : { ...call, principal: { ...call.principal, role } }
  }
  return {
    ...gate,
    decide: (call, ingressMicros, host) => gate.decide(roled(call), ingressMicros, host),
    facts: (call) => gate.facts(roled(call)),
  }
}

function defaultRole(policy: GateParts['policy'], { cwd }: ToolCall): string | null {
  try {
    return policy(cwd).policy?.defaultRole ?? null
  } catch {
    return null
  }
}

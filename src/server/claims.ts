/** Whom a call is judged as. Without a token the host's word is all there is; a token stands above it (SIG-W3). */
import type { ToolCall } from '../core/call.ts'
import type { Caller } from './auth/caller.ts'

/**
 * The call as its sender's token lets it be. An agent is exactly who its token says, down to the fields that are empty there; a
 * person who sends a call asked for it in person, whatever agent the call names, and so cannot approve it (P8).
 */
export function claimed(call: ToolCall, caller: Caller): ToolCall {
  const { principal } = call
  switch (caller.kind) {
    case 'nobody':
      return call
    case 'agent':
      return { ...call, principal: { ...principal, ...caller.claims } }
    case 'person':
      return { ...call, principal: { ...principal, agent: null, user: caller.name, tenant: caller.tenant ?? principal.tenant } }
  }
}

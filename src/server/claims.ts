/** Whom a call is judged as. Without a token the host's word is all there is; a token stands above it (SIG-W3). */
import type { ToolCall } from '../core/call.ts'
import { sessionName } from '../core/session-name.ts'
import type { Caller } from './auth/caller.ts'
import type { Listener } from './parts.ts'

export interface Sender {
  readonly caller: Caller
  readonly listener: Listener
}

/**
 * The call as its sender's token lets it be. An agent is exactly who its token says, down to the fields that are empty there; a
 * person who sends a call asked for it in person, whatever agent the call names, and so cannot approve it (P8).
 */
export function claimed(call: ToolCall, sender: Sender): ToolCall {
  const { caller } = sender
  const { principal, context } = call
  const session = call.session === null ? null : sessionName({ name: call.session, owner: ownerOf(sender) })
  const said = { ...call, session, context: { ...context, vouched: vouches(call, sender) } }
  switch (caller.kind) {
    case 'nobody':
      return said
    case 'agent':
      return { ...said, principal: { ...principal, ...caller.claims } }
    case 'person':
      return { ...said, principal: { ...principal, agent: null, user: caller.name, tenant: caller.tenant ?? principal.tenant } }
  }
}

/** Whose session it is; null: the gate's own user, as only that user's processes reach the socket. */
function ownerOf({ caller, listener }: Sender): string | null {
  switch (caller.kind) {
    case 'nobody':
      return listener === 'socket' ? null : 'loopback'
    case 'agent':
      return caller.token
    case 'person':
      return caller.name
  }
}

/**
 * A task is the user's own where a person sends it, a host that the operator trusts to pass it on, or the installed hook, which
 * has it from the host's prompt event. JSON of a call never says so of itself.
 */
function vouches({ context }: ToolCall, { caller, listener }: Sender): boolean {
  if (caller.kind === 'nobody') return listener === 'socket' && context.vouched === true
  return caller.kind === 'person' || caller.vouches
}

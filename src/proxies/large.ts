/** Large calls, which are decided beside everything else: only what comes behind them in their own session waits for them. */
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { Gate, HostSide } from '../gate.ts'
import { isLargeCall, LARGE_CALL } from '../open-results.ts'

/** A call on its way there. */
export interface LargeCall {
  readonly call: Omit<ToolCall, 'args'>
  /** As text, which is handed over at once, whatever they are made of; or the message of MCP whose `params.arguments` they are. */
  readonly args: string | Uint8Array
  readonly ingress: number
  readonly host: boolean | HostSide
}

type Deciding = Pick<Gate, 'decide' | 'refuse'>

export interface LargeParts {
  readonly gate: Deciding
  /** Judges and records it somewhere else, where only what is durable is known. Rejects where nobody can say how far it came. */
  readonly elsewhere: (large: LargeCall) => Promise<Decision>
  /** True where the call is judged by what only this process knows. */
  readonly here: (call: ToolCall) => boolean
  /** Resolves once everything that sessions learned in this process is durable. */
  readonly durable: () => Promise<unknown>
  readonly digest: (bytes: Uint8Array) => string
}

/** Large calls under way; each is held in memory. */
const MAX_LARGE = 16

/** Messages of large calls, by their arguments: their bytes need not be written again to hand them over. */
const MESSAGES = new WeakMap<JsonObject, Uint8Array>()

/** `args` are the `params.arguments` of this message. */
export function cameIn(args: JsonObject, message: Uint8Array): void {
  if (message.length > LARGE_CALL) MESSAGES.set(args, message)
}

export function besideLarge(parts: LargeParts): Deciding {
  const { gate } = parts
  /** Per session, the last call whose turn has not come to an end; only there while a large one is among them. */
  const turns = new Map<string, Promise<unknown>>()
  let large = 0
  const decideThere = async (call: ToolCall, ingress: number, host: boolean | HostSide): Promise<Decision> => {
    const { args, ...rest } = call
    const given = MESSAGES.get(args) ?? JSON.stringify(args)
    large += 1
    try {
      if (large > MAX_LARGE) throw new Error('too many large calls wait')
      await parts.durable()
      return await parts.elsewhere({ call: rest, args: given, ingress, host })
    } catch (error) {
      const message = `the call was lost while it was decided: ${error instanceof Error ? error.message : String(error)}`
      const { principal, session, cwd, tool } = call
      const digest = parts.digest(typeof given === 'string' ? new TextEncoder().encode(given) : given)
      return await gate.refuse({ code: 'infra.internal', message, digest, agent: principal.agent, session, cwd, tool })
    } finally {
      large -= 1
    }
  }
  return {
    refuse: gate.refuse,
    decide: (call, ingress = 0, host = false) => {
      const name = JSON.stringify([call.principal.tenant, call.session])
      const before = turns.get(name)
      const apart = isLargeCall(call) && (typeof host === 'boolean' || host.handover == null) && !parts.here(call)
      if (before === undefined && !apart) return gate.decide(call, ingress, host)
      const own = (before ?? Promise.resolve()).then(() => (apart ? decideThere(call, ingress, host) : gate.decide(call, ingress, host)))
      const over = own.catch(() => {})
      turns.set(name, over)
      void over.then(() => {
        if (turns.get(name) === over) turns.delete(name)
      })
      return own
    },
  }
}

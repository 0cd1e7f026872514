/** A request on its way to a thread, and the answer on its way back. */
import type { ToolCall } from '../../core/call.ts'
import type { Outcome } from '../../core/verdict.ts'
import type { Handover } from '../../gate/handover.ts'
import type { Looked } from '../../open-looking.ts'
import type { Caller } from '../auth/caller.ts'
import type { Listener } from '../parts.ts'

/** The tasks of the threads. */
export const ANSWER = 'answer'
export const HEARD = 'heard'
export const VERIFY = 'verify'
export const CHECKPOINT = 'checkpoint'
export const DECIDE = 'decide'
export const LOOK_THROUGH = 'look-through'
export const LOOK_AT_ANSWER = 'look-at-answer'

export interface ApartRequest {
  readonly method: string
  /** Of the route, with its names in braces. */
  readonly path: string
  readonly caller: Caller
  readonly listener: Listener
  readonly params: Readonly<Record<string, string>>
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly query: unknown
  readonly bytes: Uint8Array
  /** Where the server is reached now; null: on the socket alone. */
  readonly base: string | null
}

export interface ApartAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly decided: readonly Decided[]
  /** Results that are to be landed before it is answered. */
  readonly returned: readonly ReturnedApart[]
}

/** A result that was looked through, and that neither the session nor the log knows yet. */
export interface ReturnedApart {
  readonly call: ToolCall
  readonly looked: Looked
  readonly handover: Pick<Handover, 'nonce' | 'takesOver'> | null
}

/** A decision that was made there, for whoever counts them here. */
export interface Decided {
  readonly decision: Outcome
  readonly would: Outcome
  readonly seconds: number
  readonly recorded: boolean
}

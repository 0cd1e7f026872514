/** What a channel is: it carries a notice out, and reads answers that come back. It decides nothing. */
import type { Code } from '../../core/codes.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import type { Notice } from './notice.ts'
import type { ResolveAddresses } from './request.ts'

/** An answer as a channel read it, checked for where it comes from and for nothing else. */
export interface ChannelAnswer {
  /** Names this answer, so that it is taken once. */
  readonly id: string
  readonly approval: string
  /** The call that was shown, as its notice named it. */
  readonly digest: string
  readonly verdict: 'approve' | 'deny'
  /** `human:…`, by the policy's map. */
  readonly by: string
  readonly comment: string
}

export interface ReplyRefusal {
  readonly code: Code
  /** For the operator; never what was expected instead. */
  readonly message: string
}

export type Reply = { readonly ok: true; readonly answer: ChannelAnswer } | { readonly ok: false; readonly refusal: ReplyRefusal }

/** What came in, as bytes: signatures are over these and nothing that was parsed and written again. */
export interface Incoming {
  /** A header by its lower-case name; null where there is none. */
  readonly header: (name: string) => string | null
  readonly body: Uint8Array
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface Delivered {
  /** What is needed to change the message later. */
  readonly receipt: JsonObject | null
  /** Where the channel answers at once. */
  readonly answer: ChannelAnswer | null
}

/** One message on its way. */
export interface Sending {
  /** The same for every attempt. */
  readonly id: string
  readonly notice: Notice
  /** Of the message that asked, for one that says it is over. */
  readonly receipt: JsonObject | null
  readonly now: number
}

export interface ChannelParts {
  readonly env: (name: string) => string | undefined
  readonly resolve: ResolveAddresses
  /** Ends programs that wait for somebody when the gate stops. */
  readonly signal?: AbortSignal
}

export interface Channel {
  /** @throws {ChannelFailure} where it did not arrive. */
  readonly tell: (sending: Sending) => Promise<Delivered>
  /** Absent: its answers do not come in from outside. */
  readonly receive?: (incoming: Incoming) => Reply
  /** Asks for the answer; null: nobody answered yet. Absent: it is never asked. */
  readonly poll?: (approval: string, now: number) => Promise<ChannelAnswer | null>
  /** Wants to be told of the end, too. */
  readonly resolves: boolean
  /** False where its messages are too short for the call of this notice. Absent: they hold whatever a notice holds. */
  readonly shows?: (notice: Notice) => boolean
}

export type ChannelOf<P extends ChannelPolicy> = (policy: P, parts: ChannelParts) => Channel

/** A message did not arrive. It is no answer, and so no denial either (PRO-27). */
export class ChannelFailure extends Error {
  override readonly name = 'ChannelFailure'
  /** No further attempt would help. */
  readonly final: boolean
  /** Milliseconds that the receiver asked to wait. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    { final = false, retryAfter = null }: { readonly final?: boolean; readonly retryAfter?: number | null } = {},
  ) {
    super(message)
    this.final = final
    this.retryAfter = retryAfter
  }
}

export function refuse(code: Code, message: string): { readonly ok: false; readonly refusal: ReplyRefusal } {
  return { ok: false, refusal: { code, message } }
}

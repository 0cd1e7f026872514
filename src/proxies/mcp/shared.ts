/** What the parts of the traffic between one client and one server know of each other. */
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { Principal, ToolCall } from '../../core/call.ts'
import type { Decision } from '../../core/decision.ts'
import type { Digester } from '../../core/digest.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Gate } from '../../gate.ts'
import type { Observation } from '../../open.ts'
import type { KeptResult, LookedResult, ResultOfCall } from '../../open-results.ts'
import type { OfferedTool } from '../../pins/offered.ts'
import type { Policy } from '../../policy/policy.ts'
import type { LargeAnswer, LookedAnswer } from './apart.ts'
import type { CallSide } from './call.ts'
import type { Catalog } from './catalog.ts'
import type { Request, Response } from './message.ts'
import type { ServerPreviews } from './preview-mode.ts'

/** A call that went on to its server. */
export interface JudgedCall {
  /** What it has to be answered to. */
  readonly request: Request
  /** With the arguments that it ran with. */
  readonly call: ToolCall
  /** For the model, beside the result. */
  readonly notes: readonly string[]
  /** The next call may be judged before the record of the result is durable. */
  readonly quiet: boolean
}

export interface Told extends Pick<KeptResult, 'kept'> {
  /** True: the session knows it only once it is durable. */
  readonly apart?: boolean
}

export interface TrafficParts {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly queue: ApprovalQueue
  readonly digester: Digester
  /** Digest of bytes that never became a call. */
  readonly bytesDigest: (bytes: Uint8Array) => string
  /** The policy in force for calls from the side's directory; null where there is none, which denies every call. */
  readonly policy: () => Policy | null
  /** What is wrong with what a call returned; neither the session nor the log is told yet. */
  readonly findings: (call: ToolCall, response: Json) => Observation['findings']
  /** Tells the session and the log what a call returned; that of a large call is looked through beside everything else. */
  readonly keep: (result: ResultOfCall) => Told
  /** The same of a result that was looked through already. */
  readonly land: (result: LookedResult) => KeptResult
  /** Reads a large answer and looks it through beside everything else, as `lookAtAnswer`; null: there is no thread for it. */
  readonly lookApart: ((answer: LargeAnswer, call: ToolCall) => Promise<LookedAnswer | null>) | null
  /**
   * Another process judges calls of this session: what a call returned goes on only once the log has it. Absent: no other one does.
   */
  readonly shares?: () => boolean
  /** The call with what is known of its session. */
  readonly withWords: (call: ToolCall) => ToolCall
  /** The value without its secrets. */
  readonly redact: (value: Json) => Json
  /** Holds what a server offers to what it offered before. */
  readonly learn: (offered: readonly ToolCall[]) => Promise<readonly OfferedTool[]>
  /** What the layers alone say of a call; nothing is recorded. */
  readonly consider: (call: ToolCall) => Promise<Pick<Decision, 'findings'>>
  /** Judges a call whose server can be asked what it would do. */
  readonly asking: ServerPreviews['asking']
  /** What is wrong with a text that a server sends, as in results. */
  readonly inspect: (value: Json) => Observation['findings']
  /** One line for the operator. */
  readonly note: (line: string) => void
  /** Counts what could not be inspected. */
  readonly uninspected: (what: string, passed: boolean) => void
}

/** Whose traffic it is, in the operator's words. */
export interface TrafficSide extends Omit<CallSide, 'principal'> {
  /** `agent` is null where the client may name itself. */
  readonly principal: Principal
  /** Where the server is: its command line or address. */
  readonly origin: string
}

/** One message's way there and back. */
export interface Exchange {
  /** Ids of requests are told apart by it: empty where all messages share one connection. */
  readonly scope: string
  /** Aborted once its client is gone. */
  readonly signal: AbortSignal
  /** Sends the client a message beside the answer. */
  readonly tell: (bytes: Uint8Array) => void
  /** Sends the server a message of our own; its answer comes like all others. */
  readonly ask: (bytes: Uint8Array) => void
}

export type Onward =
  | { readonly kind: 'forward'; readonly bytes: Uint8Array }
  /** To the client, in the server's stead. */
  | { readonly kind: 'answer'; readonly bytes: Uint8Array }
  | { readonly kind: 'drop' }

/** What goes on to the client of one message of the server. */
export type Outgoing = readonly Uint8Array[] | Promise<readonly Uint8Array[]>

/** Hands each message on, as soon as it is there. */
export function deliver(outgoing: Outgoing, send: (bytes: Uint8Array) => void): void {
  if (outgoing instanceof Promise) void outgoing.then((all) => all.forEach(send))
  else outgoing.forEach(send)
}

export interface Delivery {
  readonly deliver: (outgoing: Outgoing) => void
  /** Resolves once everything has been handed on that is under way now. */
  readonly done: () => Promise<unknown>
}

/** The same, for whoever has to know when all has been handed on. */
export function createDelivery(send: (bytes: Uint8Array) => void): Delivery {
  const under = new Set<Outgoing>()
  return {
    deliver: (outgoing) => {
      deliver(outgoing, send)
      if (!(outgoing instanceof Promise)) return
      under.add(outgoing)
      void outgoing.then(() => under.delete(outgoing))
    },
    done: () => Promise.all(under),
  }
}

/** What the client said of itself. */
export interface ClientFacts {
  readonly name: string | null
  readonly capabilities: JsonObject
}

/** What the parts of the traffic know of each other. */
export interface Shared {
  readonly parts: TrafficParts
  readonly side: TrafficSide
  readonly catalog: Catalog
  readonly open: OpenRequests
  readonly client: () => ClientFacts
  /** Sends a request to the client and resolves with its answer; undefined where none came in time. */
  readonly askClient: (method: string, params: JsonObject, to: Asked) => Promise<Response | undefined>
  /** The same with the server. */
  readonly askServer: (method: string, params: JsonObject, to: Asked) => Promise<Response | undefined>
}

interface Asked {
  readonly send: (bytes: Uint8Array) => void
  readonly signal: AbortSignal
}

export type OpenRequest =
  | { readonly kind: 'call'; readonly judged: JudgedCall }
  | { readonly kind: 'list'; readonly request: Request }
  | { readonly kind: 'other'; readonly request: Pick<Request, 'id'> }

export type OpenRequests = Map<string, OpenRequest>

/** Requests that were never answered; the oldest are forgotten first. */
const MAX_OPEN = 10_000

export function remember(open: OpenRequests, key: string, request: OpenRequest): void {
  open.set(key, request)
  if (open.size <= MAX_OPEN) return
  const [oldest] = open.keys()
  if (oldest !== undefined) open.delete(oldest)
}

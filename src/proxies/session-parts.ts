/** What stands behind whoever passes the calls of sessions on: an editor's agent, or a session at a provider. */
import type { ApprovalQueue } from '../approvals/queue.ts'
import type { ToolCall } from '../core/call.ts'
import type { Digester } from '../core/digest.ts'
import type { Json } from '../core/json.ts'
import type { Gate } from '../gate.ts'

export interface SessionParts {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly queue: ApprovalQueue
  readonly digester: Digester
  /** Digest of bytes that never became a call. */
  readonly bytesDigest: (bytes: Uint8Array) => string
  /** Tells the session and the log what a call returned. Later calls of the session are judged once it is known there. */
  readonly keep: (call: ToolCall, response: Json, failed: boolean) => { readonly kept: Promise<unknown> }
  /** The call with what the user asked for. */
  readonly withWords: (call: ToolCall) => ToolCall
  /** Keeps what the user asked for. */
  readonly prompt: (session: string, text: string) => Promise<void>
  /** Counts what could not be inspected, or ran without being asked about. */
  readonly uninspected: (what: string, passed: boolean) => void
  /** One line for the operator. */
  readonly note: (line: string) => void
}

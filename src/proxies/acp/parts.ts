/** What stands behind the traffic between an editor and its agent. */
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { Principal, ToolCall } from '../../core/call.ts'
import type { Digester } from '../../core/digest.ts'
import type { Json } from '../../core/json.ts'
import type { Gate } from '../../gate.ts'

export interface AcpParts {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly queue: ApprovalQueue
  readonly digester: Digester
  /** Digest of bytes that never became a call. */
  readonly bytesDigest: (bytes: Uint8Array) => string
  /** Tells the session and the log what a call returned. */
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

export interface AcpSide {
  readonly principal: Principal
  /** Of sessions that tell none. */
  readonly cwd: string
  /** Before the ids of the agent's own sessions. */
  readonly prefix: string
  /** A person sits at the editor and answers its questions. False: they are answered by approvals. */
  readonly attended: boolean
}

/** The AI SDK: tools by name, each with `execute(input, { toolCallId })`; since version 7, whether a call is approved, before it runs. */
import type { Gate, ProposedCall } from '../gate.ts'
import { at, type FrameworkOptions, gateToolObjects } from './tool-objects.ts'

/** Tools by name, each with `execute(input, …)`. */
export type ToolSet = Readonly<Record<string, object>>

/**
 * The tools of an AI SDK program (versions 5 to 7), each gated. One that does not run throws `CallRefused`, which the SDK hands to the
 * model as the tool's error.
 * @throws {GateError} where one has no `execute` and is not named in `elsewhere`.
 */
export function gateTools<const T extends ToolSet>(gate: Gate, tools: T, options: FrameworkOptions = {}): T {
  const named = Object.entries(tools)
  const gated = gateToolObjects(gate, named, { ...options, method: 'execute', callId: ([context]) => at(context, 'toolCallId') })
  return Object.fromEntries(named.map(([name], index) => [name, gated[index]])) as T
}

interface AskedCall {
  readonly toolCall: { readonly toolName: string; readonly input: unknown; readonly toolCallId: string }
}

/** What `toolApproval` of the AI SDK 7 answers. */
export type ApprovalStatus =
  | { readonly type: 'not-applicable' }
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'user-approval'; readonly reason: string }

/**
 * For `toolApproval` of the AI SDK 7. A denied call is denied before it runs. A call that a person has to see ends the step with a
 * `tool-approval-request`, whose reason names the approval. It runs once the approval is given to the gate (`gate.approve`, the console,
 * a channel): what the browser sends back is not enough. Use it together with `gateTools`. A gate with a `handler` asks by itself.
 */
export function gateApproval(gate: Gate, { caller }: Pick<FrameworkOptions, 'caller'> = {}): (asked: AskedCall) => Promise<ApprovalStatus> {
  return async ({ toolCall: { toolName, input, toolCallId } }) => {
    // What is no object is nothing that could be judged; the gate refuses and records it.
    const call: ProposedCall = { ...caller?.(), tool: toolName, args: input as object, callId: toolCallId }
    const { decision, approval, agentReason } = await gate.decide(call)
    if (decision === 'allow' || decision === 'flag') return { type: 'not-applicable' }
    if (decision !== 'ask' || approval === null) return { type: 'denied', reason: agentReason }
    return gate.waits ? { type: 'not-applicable' } : { type: 'user-approval', reason: agentReason }
  }
}

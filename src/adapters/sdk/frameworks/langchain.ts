/** LangChain and LangGraph: `wrapToolCall` of a middleware, and `interrupt` where a person has to see a call. */
import type { Gate, ProposedCall } from '../gate.ts'
import { checkDeclared, namedTools, type SeamOptions } from './tool-objects.ts'

interface ToolRequest {
  readonly toolCall: { readonly name: string; readonly args: object; readonly id?: string | undefined }
}

/** What a person is shown where a graph is interrupted. */
export interface Interruption {
  readonly type: 'countersign.approval'
  /** What `gate.approve` takes. */
  readonly approval: string
  readonly tool: string
  readonly reason: string
}

export interface MiddlewareOptions extends SeamOptions {
  /** `ToolMessage` of `@langchain/core/messages`: what the model is told of a call that does not run. */
  readonly ToolMessage: new (fields: {
    content: string
    tool_call_id: string
    name: string
    status: 'error'
  }) => unknown
  /**
   * `interrupt` of `@langchain/langgraph`: the graph stops where a person has to see a call, and is resumed once the approval is given to
   * the gate. Default: the model is told that the call waits.
   */
  readonly interrupt?: (value: Interruption) => unknown
}

/**
 * For `createMiddleware({ name: 'countersign', wrapToolCall: gateToolCalls(gate, { ToolMessage }) })`: every tool of the agent stands
 * behind the gate, those that are added while it runs, too. Put it last in `middleware`, so that nothing changes a call after it was judged.
 * Rejects only with what the tool throws, or with the interruption.
 * @throws {GateError} where one of `tools` has no `invoke`, as those that run at the model's provider, and is not named in `elsewhere`.
 */
export function gateToolCalls(gate: Gate, { ToolMessage, interrupt, caller, tools = [], elsewhere = [] }: MiddlewareOptions) {
  checkDeclared(namedTools(tools, 'name'), { method: 'invoke', elsewhere })
  return async <Q extends ToolRequest, R>(request: Q, handler: (request: Q) => R | Promise<R>): Promise<R> => {
    const { name, args, id } = request.toolCall
    const call: ProposedCall = { ...caller?.(), tool: name, args, ...(id === undefined ? {} : { callId: id }) }
    const attempt = () => gate.run(call, (judged) => handler({ ...request, toolCall: { ...request.toolCall, args: judged } }))
    const outcome = await attempt()
    if (outcome.ran) return outcome.result
    const { decision, message } = outcome
    if (interrupt === undefined || decision.decision !== 'ask' || decision.approval === null) return told(message)
    // Whoever resumes the graph only says that somebody answered; whether it was a yes is what the gate knows.
    interrupt({ type: 'countersign.approval', approval: decision.approval.id, tool: name, reason: decision.reason })
    const again = await attempt()
    return again.ran ? again.result : told(again.message)

    function told(content: string): R {
      // The form of what the tool would have given.
      return new ToolMessage({ content, tool_call_id: id ?? '', name, status: 'error' }) as R
    }
  }
}

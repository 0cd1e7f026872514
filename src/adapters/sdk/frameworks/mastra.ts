/** Mastra: tools by key, each with `execute(input, context)`; and `beforeToolCall` of an agent's hooks, for tools that are in no list. */
import type { Gate, ProposedCall } from '../gate.ts'
import { at, checkDeclared, type FrameworkOptions, gateToolObjects, namedTools, type SeamOptions } from './tool-objects.ts'

/** Tools by key, as an agent takes them. */
export type MastraTools = Readonly<Record<string, object>>

/**
 * The tools of a Mastra agent, each gated under its `id`. One that does not run throws `CallRefused`, which the agent hands to the model.
 * @throws {GateError} where one has no `execute` and is not named in `elsewhere`.
 */
export function gateTools<const T extends MastraTools>(gate: Gate, tools: T, options: FrameworkOptions = {}): T {
  const entries = Object.entries(tools)
  const named = entries.map(([key, tool]) => [idOf(tool) ?? key, tool] as const)
  const callId = ([context]: readonly unknown[]) => at(at(context, 'agent'), 'toolCallId')
  const gated = gateToolObjects(gate, named, { ...options, method: 'execute', callId })
  return Object.fromEntries(entries.map(([key], index) => [key, gated[index]])) as T
}

function idOf(tool: object): string | null {
  const id = at(tool, 'id')
  return typeof id === 'string' && id !== '' ? id : null
}

interface HookCall {
  readonly toolName: string
  readonly input: unknown
  readonly context: unknown
}

/** What the model gets in the place of a result. */
export interface NotRun {
  readonly error: string
}

export interface MastraHooks {
  readonly beforeToolCall: (call: HookCall) => Promise<{ readonly proceed: false; readonly output: NotRun } | undefined>
  readonly afterToolCall: (call: HookCall & { readonly output?: unknown; readonly error?: unknown }) => Promise<void>
}

/**
 * For `hooks` of an agent: every tool that it calls, those of its workspace and of MCP servers too, in the place of `gateTools`. The hook
 * waits for nobody: a call that a person has to see does not run until it is called again after a yes.
 * @throws {GateError} where one of `tools` has no `execute` and is not named in `elsewhere`.
 */
export function gateHooks(gate: Gate, { caller, tools = [], elsewhere = [] }: SeamOptions = {}): MastraHooks {
  checkDeclared(namedTools(tools, 'id'), { method: 'execute', elsewhere })
  const refused = new WeakSet<object>()
  const no = (error: string) => {
    const output = { error }
    refused.add(output)
    return { proceed: false as const, output }
  }
  const proposed = ({ toolName, input, context }: HookCall): ProposedCall => {
    const callId = at(at(context, 'agent'), 'toolCallId')
    const call = { ...caller?.(), tool: toolName, args: input as object }
    return typeof callId === 'string' ? { ...call, callId } : call
  }
  return {
    beforeToolCall: async (call) => {
      try {
        const { decision, agentReason } = await gate.decide(proposed(call))
        return decision === 'allow' || decision === 'flag' ? undefined : no(agentReason)
      } catch {
        return no('The gate failed, so this call was not made.')
      }
    },
    afterToolCall: async ({ output, error, ...call }) => {
      if (typeof output === 'object' && output !== null && refused.has(output)) return
      await gate.report(proposed(call), error === undefined ? output : { error: String(error) }).catch(() => null)
    },
  }
}

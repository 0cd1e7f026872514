/** The Claude Agent SDK: hooks of `query` before and after each tool, and `canUseTool`. */
import type { Decision } from '../../../core/decision.ts'
import { GateError } from '../errors.ts'
import type { Gate, ProposedCall } from '../gate.ts'
import { at, type FrameworkOptions } from './tool-objects.ts'

type HookAnswer =
  | { readonly continue: true }
  | {
      readonly hookSpecificOutput:
        | { readonly hookEventName: 'PreToolUse'; readonly permissionDecision: 'deny'; readonly permissionDecisionReason: string }
        | { readonly hookEventName: 'PostToolUse'; readonly additionalContext: string }
    }

interface Matcher {
  hooks: ((input: unknown) => Promise<HookAnswer>)[]
  onFailure: 'block'
}

type Permission = { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string }

/** A part of the options of `query`. */
export interface AgentOptions {
  hooks: { PreToolUse: Matcher[]; PostToolUse: Matcher[]; PostToolUseFailure: Matcher[] }
  canUseTool: (tool: string, input: Record<string, unknown>, context: { readonly toolUseID: string }) => Promise<Permission>
}

const FAILED = 'The gate failed, so this call was not made.'
/** Calls whose permission may still be asked for. */
const MAX_ASKED = 1_000
const GO_ON: HookAnswer = { continue: true }

/**
 * For `query({ prompt, options: { ...gateOptions(gate) } })`: every tool of the agent and of its subagents, those of MCP servers too. What is
 * denied, what a person has to see, and what the gate failed at does not run; the model is told why. It waits for nobody: a call that was
 * approved runs when the agent makes it again. Where the SDK would ask `canUseTool`, it gets the same decision.
 */
export function gateOptions(gate: Gate, { caller }: Pick<FrameworkOptions, 'caller'> = {}): AgentOptions {
  const decide = async (call: ProposedCall): Promise<Pick<Decision, 'decision' | 'agentReason'>> => {
    try {
      return await gate.decide({ ...call, ...caller?.() })
    } catch {
      return { decision: 'deny', agentReason: FAILED }
    }
  }
  // `canUseTool` is told less than the hook: it is asked about the call that the hook was asked about.
  const asked = new Map<string, ProposedCall>()
  const before = async (input: unknown): Promise<HookAnswer> => {
    const call = callOf(input)
    asked.set(String(call.callId), call)
    for (const oldest of asked.keys()) {
      if (asked.size <= MAX_ASKED) break
      asked.delete(oldest)
    }
    const { decision, agentReason } = await decide(call)
    if (decision === 'allow' || decision === 'flag') return GO_ON
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: agentReason } }
  }
  const after = async (input: unknown): Promise<HookAnswer> => {
    const error = at(input, 'error')
    const result = error === undefined ? at(input, 'tool_response') : { error }
    try {
      const note = await gate.report({ ...callOf(input), ...caller?.() }, result)
      if (note !== null && error === undefined) return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } }
    } catch {
      // The tool has run: what cannot be reported any more stops nothing.
    }
    return GO_ON
  }
  GATES.add(before)
  const matching = (hook: Matcher['hooks'][number]): Matcher[] => [{ hooks: [hook], onFailure: 'block' }]
  return {
    hooks: { PreToolUse: matching(before), PostToolUse: matching(after), PostToolUseFailure: matching(after) },
    canUseTool: async (tool, input, { toolUseID }) => {
      const { decision, agentReason } = await decide({ ...asked.get(toolUseID), tool, args: input, callId: toolUseID })
      if (decision === 'allow' || decision === 'flag') return { behavior: 'allow', updatedInput: input }
      return { behavior: 'deny', message: agentReason }
    },
  }
}

/**
 * Stops the start where options for `query` leave tools without the gate, as where hooks of the program were spread over those of `gateOptions`.
 * @throws {GateError} unless the first matcher of `PreToolUse` is the gate's, for every tool, and stops a call whose hook fails.
 */
function assertGatedOptions(options: object): void {
  const [first] = [at(at(options, 'hooks'), 'PreToolUse')].flat() as unknown[]
  const [hook] = [at(first, 'hooks')].flat() as unknown[]
  if (typeof hook !== 'function' || !GATES.has(hook))
    throw new GateError('not gated: the first hooks of `PreToolUse` are not those of `gateOptions`')
  const matcher = at(first, 'matcher')
  if (matcher !== undefined && matcher !== '' && matcher !== '*')
    throw new GateError('not gated: `PreToolUse` has a `matcher`, so that it does not hear of every tool')
  if (at(first, 'onFailure') !== 'block')
    throw new GateError("not gated: `PreToolUse` lacks `onFailure: 'block'`, so that a hook that fails stops nothing")
}

gateOptions.assertGated = assertGatedOptions

/** Hooks that ask a gate. */
const GATES = new WeakSet<object>()

/** What is no text or no object is refused when the call is read. */
function callOf(input: unknown): ProposedCall {
  const text = (name: string) => at(input, name) as string
  return {
    tool: text('tool_name'),
    args: at(input, 'tool_input') as object,
    ...(at(input, 'cwd') === undefined ? {} : { cwd: text('cwd') }),
    ...(at(input, 'session_id') === undefined ? {} : { session: text('session_id') }),
    ...(at(input, 'tool_use_id') === undefined ? {} : { callId: text('tool_use_id') }),
  }
}

/** The form of Claude Code's hooks, as several other hosts took it over: fields of events, and the answers. */
import { isJsonObject, type JsonObject, own } from '../core/json.ts'
import { toolIdentity } from '../core/tool-name.ts'
import { type NativeCall, type NativeEvent, text } from './event.ts'
import type { Answers } from './host.ts'
import type { Heard, Proposal } from './probe.ts'

/** Names of the events, and who they are for. */
const KINDS: Readonly<Record<string, NativeEvent['kind']>> = {
  PreToolUse: 'call',
  PostToolUse: 'result',
  PostToolUseFailure: 'result',
  UserPromptSubmit: 'prompt',
}

/** An event in that form; null for one that is none of these. */
export function claudeEvent(input: JsonObject, headless: (input: JsonObject) => boolean): NativeEvent | null {
  const event = text(input, 'hook_event_name', 'hookEventName') ?? ''
  const session = text(input, 'session_id', 'sessionId')
  switch (Object.hasOwn(KINDS, event) ? KINDS[event] : undefined) {
    case 'call':
      return { kind: 'call', call: claudeCall(input), headless: headless(input) }
    case 'result': {
      const failed = event === 'PostToolUseFailure'
      const response = failed ? { failed, error: own(input, 'error') ?? null } : (own(input, 'tool_response') ?? null)
      return { kind: 'result', call: claudeCall(input), response, failed }
    }
    case 'prompt':
      return { kind: 'prompt', session, text: text(input, 'prompt') }
    default:
      return null
  }
}

function claudeCall(input: JsonObject): NativeCall {
  return {
    tool: toolIdentity(null, text(input, 'tool_name') ?? ''),
    args: own(input, 'tool_input'),
    session: text(input, 'session_id', 'sessionId'),
    cwd: text(input, 'cwd'),
    id: text(input, 'tool_use_id'),
    role: text(input, 'agent_type'),
  }
}

const EVENT = { hookEventName: 'PreToolUse' } as const

/** Their answers: an event name alone is no opinion. */
export const CLAUDE_ANSWERS: Answers = {
  none: {},
  deny: (reason) => ({ hookSpecificOutput: { ...EVENT, permissionDecision: 'deny', permissionDecisionReason: reason } }),
}

export const CLAUDE_NOTE: NonNullable<Answers['note']> = (note) => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note },
})

export function claudeHeard(answer: JsonObject): Heard {
  const output = own(answer, 'hookSpecificOutput')
  const decision = isJsonObject(output) ? own(output, 'permissionDecision') : undefined
  return decision === 'deny' || decision === 'ask' ? decision : 'none'
}

/** A proposed call, with the host's names of its tools. */
export function claudeProposal(shell: string, read: string): (proposal: Proposal) => JsonObject {
  return ({ session, id, cwd, call }) => ({
    session_id: session,
    transcript_path: '',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_use_id: id,
    ...(call.kind === 'shell'
      ? { tool_name: shell, tool_input: { command: call.command } }
      : { tool_name: read, tool_input: { file_path: call.path, path: call.path } }),
  })
}

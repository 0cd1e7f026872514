/** Claude Code's hook JSON, as it arrives on stdin or in the body of an HTTP hook. Unknown fields are tolerated: they are added in most releases. */
import type { ToolCall, ToolDefinition } from '../../core/call.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { type ToolName, toolIdentity } from '../../core/tool-name.ts'
import type { Refused } from '../../gate/compose.ts'
import { readJson } from '../../ingress/json.ts'
import type { HookContext, HookEvent } from '../adapter.ts'
import { isCursor, parseCursor } from '../cursor/adapter.ts'
import { promptEvent } from '../event.ts'
import { isVscode, parseVscode } from '../vscode/event.ts'

interface Source {
  readonly bytes: Uint8Array
  readonly context: HookContext
}

/** Bytes of one hook event. Never throws; what cannot be read is refused with a code. */
export function parseHook(bytes: Uint8Array, context: HookContext): HookEvent {
  const source = { bytes, context }
  const read = readJson(bytes, context.limits?.())
  if (!read.ok) return refuse(source, { code: read.refusal.code, message: read.refusal.message })
  if (!isJsonObject(read.value)) return refuse(source, { code: 'ingress.wrong_type', message: 'the hook input is not a JSON object' })
  const input = read.value
  if (isVscode(input)) return parseVscode(bytes, context)
  if (isCursor(input)) return parseCursor(bytes, context)
  switch (own(input, 'hook_event_name')) {
    case 'PreToolUse':
      return toolEvent(input, source, (call) => ({ kind: 'call', call, headless: isHeadless(input, context) }))
    case 'PostToolUse':
      return toolEvent(input, source, (call) => ({ kind: 'result', call, response: own(input, 'tool_response') ?? null, failed: false }))
    case 'PostToolUseFailure':
      return toolEvent(input, source, (call) => ({ kind: 'result', call, response: failure(input), failed: true }))
    case 'UserPromptSubmit':
      return promptIn(input)
    case 'ConfigChange':
      return { kind: 'settings', session: text(input, 'session_id'), detail: input }
    default:
      return refuse(source, {
        code: 'ingress.unknown_event',
        message: `hook event \`${String(own(input, 'hook_event_name'))}\` is not one this adapter answers`,
      })
  }
}

/** What a tool that failed said, beside that it failed: a response has neither of these names. */
function failure(input: JsonObject): JsonObject {
  return { failed: true, error: own(input, 'error') ?? null, interrupted: own(input, 'is_interrupt') === true }
}

/** Whose prompts are the user's own: not those that the client, a schedule or another program wrote. */
const OWN_WORDS: ReadonlySet<string | null> = new Set([null, 'user', 'sdk'])

/** Not every version says the source. */
function promptIn(input: JsonObject): HookEvent {
  return promptEvent(text(input, 'session_id'), OWN_WORDS.has(text(input, 'source')) ? text(input, 'prompt') : null)
}

type Make = (call: ToolCall) => HookEvent

function toolEvent(input: JsonObject, { bytes, context }: Source, make: Make): HookEvent {
  const name = text(input, 'tool_name')
  const args = own(input, 'tool_input')
  if (name === null || name === '')
    return refuse({ bytes, context }, { code: 'ingress.missing_field', message: 'the hook input has no `tool_name`' })
  if (!isJsonObject(args)) return refuse({ bytes, context }, { code: 'ingress.wrong_type', message: '`tool_input` is not an object' })
  const { server, name: tool } = identity(name, input)
  const definition = server === null || context.definitionDigest === undefined ? null : definitionOf(input)
  return make({
    tool: { server, name: tool, definition: definition === null ? null : (context.definitionDigest?.(definition) ?? null) },
    args,
    principal: {
      agent: 'claude-code',
      role: text(input, 'agent_type') ?? context.role ?? null,
      user: context.user,
      tenant: null,
      chain: [],
    },
    session: text(input, 'session_id'),
    cwd: text(input, 'cwd'),
    context: { task: null, recent: [] },
    definition,
    approval: null,
    callId: text(input, 'tool_use_id'),
    ...inertOf(server, name),
  })
}

/** The model's own words for people, which the client shows and no tool reads. A new wording is the same call. */
const INERT: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['description']],
  ['PowerShell', ['description']],
  ['Monitor', ['description']],
])

function inertOf(server: string | null, name: string): Pick<ToolCall, 'inert'> {
  const inert = server === null ? INERT.get(name) : undefined
  return inert === undefined ? {} : { inert }
}

/** `mcp__server__tool`, split at the server's own name where the host gives it: names are the author's choice. */
function identity(name: string, input: JsonObject): ToolName {
  if (!name.startsWith('mcp__')) return { server: null, name }
  const given = own(input, 'mcp_server')
  const server = isJsonObject(given) ? text(given, 'name') : null
  return toolIdentity(server !== null && name.startsWith(`mcp__${server}__`) ? server : null, name)
}

/**
 * All that the host says of a tool: which settings its server comes from. A server of the same name from a repository's own
 * settings is another one (FUL-W5).
 */
function definitionOf(input: JsonObject): ToolDefinition | null {
  const given = own(input, 'mcp_server')
  const origin = isJsonObject(given) ? text(given, 'source') : null
  return origin === null ? null : { description: null, inputSchema: null, annotations: null, origin }
}

/** Nobody can answer a prompt: the SDK and `-p` say so by their entry point, `dontAsk` by its mode. */
function isHeadless(input: JsonObject, context: HookContext): boolean {
  if (own(input, 'permission_mode') === 'dontAsk') return true
  return context.entrypoint !== null && context.entrypoint !== 'cli'
}

function text(object: JsonObject, key: string): string | null {
  const value = own(object, key)
  return typeof value === 'string' ? value : null
}

function refuse({ bytes, context }: Source, why: Pick<Refused, 'code' | 'message'>): HookEvent {
  return { kind: 'refused', refused: { ...why, digest: context.digest(bytes), agent: 'claude-code', session: null, cwd: null } }
}

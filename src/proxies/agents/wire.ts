/** The wire of Claude Managed Agents: events of a session, and the answer to a call that waits. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'

/** A call that the agent makes on the servers of its provider. */
export interface ToolUse {
  readonly id: string
  /** Null: a tool of the agent's own toolset. */
  readonly server: string | null
  readonly name: string
  readonly input: Json | undefined
  /** `allow`: it runs without being asked about. Null: the event does not say. */
  readonly permission: string | null
}

export type SessionEvent =
  | { readonly kind: 'use'; readonly use: ToolUse }
  /** What the program that owns the session runs itself, and answers itself. */
  | { readonly kind: 'custom'; readonly call: string }
  | { readonly kind: 'result'; readonly call: string; readonly content: Json; readonly failed: boolean }
  | { readonly kind: 'confirmed'; readonly call: string }
  /** Nothing runs; these calls wait for a confirmation. */
  | { readonly kind: 'idle'; readonly waiting: readonly string[] }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'over' }
  | { readonly kind: 'other' }

export interface Read {
  /** Equal for the same event, however often it comes; null: it has none. */
  readonly id: string | null
  readonly event: SessionEvent
}

type Reading = (event: JsonObject) => SessionEvent | null

const READINGS: Readonly<Record<string, Reading>> = {
  'agent.tool_use': (event) => useOf(event, null),
  'agent.mcp_tool_use': (event) => {
    const server = textOf(event, 'mcp_server_name')
    return server === null ? null : useOf(event, server)
  },
  'agent.custom_tool_use': (event) => calling(event, 'id', (call) => ({ kind: 'custom', call })),
  'agent.tool_result': (event) => resultOf(event, 'tool_use_id'),
  'agent.mcp_tool_result': (event) => resultOf(event, 'mcp_tool_use_id'),
  'user.tool_confirmation': (event) => calling(event, 'tool_use_id', (call) => ({ kind: 'confirmed', call })),
  'user.message': (event) => ({ kind: 'prompt', text: textsIn(own(event, 'content')) }),
  'user.interrupt': () => ({ kind: 'interrupted' }),
  'session.status_idle': (event) => ({ kind: 'idle', waiting: waitingIn(own(event, 'stop_reason')) }),
  'session.status_terminated': () => ({ kind: 'over' }),
  'session.deleted': () => ({ kind: 'over' }),
}

/** Null: it is no event, or says less than events of its type do. */
export function eventOf(value: Json): Read | null {
  if (!isJsonObject(value)) return null
  const type = textOf(value, 'type')
  if (type === null) return null
  const reading = Object.hasOwn(READINGS, type) ? READINGS[type] : undefined
  const event = reading === undefined ? ({ kind: 'other' } as const) : reading(value)
  return event === null ? null : { id: textOf(value, 'id'), event }
}

function useOf(event: JsonObject, server: string | null): SessionEvent | null {
  const [id, name] = [textOf(event, 'id'), textOf(event, 'name')]
  if (id === null || name === null) return null
  const use = { id, server, name, input: own(event, 'input'), permission: textOf(event, 'evaluated_permission') }
  return { kind: 'use', use }
}

function resultOf(event: JsonObject, key: string): SessionEvent | null {
  return calling(event, key, (call) => {
    return { kind: 'result', call, content: own(event, 'content') ?? null, failed: own(event, 'is_error') === true }
  })
}

function calling(event: JsonObject, key: string, made: (call: string) => SessionEvent): SessionEvent | null {
  const call = textOf(event, key)
  return call === null ? null : made(call)
}

function waitingIn(reason: Json | undefined): readonly string[] {
  if (!isJsonObject(reason) || own(reason, 'type') !== 'requires_action') return []
  const ids = own(reason, 'event_ids')
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

function textsIn(content: Json | undefined): string {
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  return blocks.flatMap((block) => textOf(block, 'text') ?? []).join('\n')
}

function textOf(object: JsonObject, key: string): string | null {
  const value = own(object, key)
  return typeof value === 'string' && value !== '' ? value : null
}

/** UTF-16 code units of what the agent is told of a denial. */
const MAX_MESSAGE = 2_000

/** @param message what the agent is told; null: the call runs. */
export function confirmation(call: string, message: string | null): JsonObject {
  const said = { type: 'user.tool_confirmation', tool_use_id: call }
  return message === null ? { ...said, result: 'allow' } : { ...said, result: 'deny', deny_message: message.slice(0, MAX_MESSAGE) }
}

/** Tools of a session that run without a question, so that the worker never hears of them in time. */
export interface Ungated {
  readonly agent: string
  /** `server/*` and `*` stand for every tool that is not named. */
  readonly tool: string
  readonly policy: string
}

/**
 * What the definition of the session lets run unasked: `always_allow`, and `auto`, where the provider's own judgement decides. Null: the
 * session does not tell its tools.
 */
export function ungatedTools(session: JsonObject): readonly Ungated[] | null {
  const agent = own(session, 'agent')
  if (!isJsonObject(agent) || !Array.isArray(own(agent, 'tools'))) return null
  const many = own(agent, 'multiagent')
  const others = isJsonObject(many) ? own(many, 'agents') : undefined
  return [agent, ...(Array.isArray(others) ? others.filter(isJsonObject) : [])].flatMap(ungatedOf)
}

function ungatedOf(agent: JsonObject): readonly Ungated[] {
  const tools = own(agent, 'tools')
  const name = textOf(agent, 'name') ?? textOf(agent, 'id') ?? 'agent'
  return (Array.isArray(tools) ? tools.filter(isJsonObject) : []).flatMap((toolset) => {
    // Custom tools run in the program that owns the session: no policy of the session holds for them.
    if (textOf(toolset, 'type') === 'custom') return [{ agent: name, tool: textOf(toolset, 'name') ?? 'custom', policy: 'custom' }]
    const server = textOf(toolset, 'mcp_server_name')
    const configs = own(toolset, 'configs')
    const named = (Array.isArray(configs) ? configs.filter(isJsonObject) : []).map((each) => [textOf(each, 'name') ?? '?', each] as const)
    const common = own(toolset, 'default_config')
    return [...named, ['*', isJsonObject(common) ? common : {}] as const].flatMap(([tool, config]) => {
      const policy = policyOf(config, server)
      const isOff = own(config, 'enabled') === false
      return isOff || policy === 'always_ask' ? [] : [{ agent: name, tool: server === null ? tool : `${server}/${tool}`, policy }]
    })
  })
}

/** Where nothing is said, the agent's own toolset runs unasked, and tools of servers are asked about. */
function policyOf(config: JsonObject, server: string | null): string {
  const policy = own(config, 'permission_policy')
  return (isJsonObject(policy) ? textOf(policy, 'type') : null) ?? (server === null ? 'always_allow' : 'always_ask')
}

/** What a request to `/v1/messages` says besides its prompt. */
import type { ToolDefinition } from '../../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts'
import type { ProviderTool, RequestFacts, ToolResult } from '../api.ts'
import { type Located, type Path, reach, reachList, reachText } from '../json.ts'

/** Tools with a type of Anthropic's that the client runs itself. */
const CLIENT_TYPES = /^(?:custom|(?:bash|text_editor|computer|memory)_\d{8})$/

export function anthropicRequest(body: Located): RequestFacts | null {
  const messages = reach(body.value, 'messages')
  if (!Array.isArray(messages)) return null
  const users = (messages as readonly Json[]).filter((message) => reachText(message, 'role') === 'user')
  const words = users.map(wordsOf).filter((text) => text !== '')
  const tools = reachList(body.value, 'tools')
  return {
    streamed: reach(body.value, 'stream') === true,
    task: words.at(-1) ?? null,
    opening: words[0] ?? null,
    session: sessionOf(reachText(body.value, 'metadata', 'user_id')),
    definitions: new Map(tools.flatMap(definitionOf)),
    providerTools: [...tools.flatMap((tool, index) => providerTool(tool, index)), ...servers(body.value)],
    results: resultsOf(messages),
  }
}

/** What the user wrote; what the client's own program added around it is no part of it. */
function wordsOf(message: Json): string {
  const content = reach(message, 'content')
  if (typeof content === 'string') return content
  return reachList(message, 'content')
    .flatMap((block) => (reachText(block, 'type') === 'text' ? [reachText(block, 'text') ?? ''] : []))
    .filter((text) => !text.trimStart().startsWith('<system-reminder>'))
    .join('\n')
}

/** Claude Code names its session in here, as a suffix or as JSON. */
function sessionOf(userId: string | null): string | null {
  if (userId === null) return null
  const suffix = /_session_([0-9A-Za-z-]{8,64})$/.exec(userId)?.[1]
  return suffix ?? reachText(parseJson(userId), 'session_id')
}

function definitionOf(tool: Json): readonly (readonly [string, ToolDefinition])[] {
  const name = reachText(tool, 'name')
  const schema = reach(tool, 'input_schema')
  if (name === null || schema === undefined) return []
  return [[name, { description: reachText(tool, 'description'), inputSchema: isJsonObject(schema) ? schema : null, annotations: null }]]
}

function providerTool(tool: Json, index: number): readonly ProviderTool[] {
  const type = reachText(tool, 'type')
  if (type === null || CLIENT_TYPES.test(type) || !isJsonObject(tool)) return []
  // A toolset is judged with the server that it belongs to.
  if (type === 'mcp_toolset') return []
  const kind = type.replace(/_\d{8}$/, '').replace(/^tool_search_tool_.*/, 'tool_search')
  return [{ server: 'provider', name: kind, args: settings(tool), kinds: [kind], places: [['tools', index]], asksClient: false }]
}

function servers(body: Json): readonly ProviderTool[] {
  const tools = reachList(body, 'tools')
  return reachList(body, 'mcp_servers').flatMap((server, index) => {
    if (!isJsonObject(server)) return []
    const sets = tools.flatMap((tool, at): Path[] => {
      const own = reachText(tool, 'type') === 'mcp_toolset' && reachText(tool, 'mcp_server_name') === reachText(server, 'name')
      return own ? [['tools', at]] : []
    })
    const places: Path[] = [['mcp_servers', index], ...sets]
    return [{ server: 'provider', name: 'mcp', args: settings(server), kinds: ['mcp'], places, asksClient: false }]
  })
}

const SECRET = new Set(['authorization_token', 'authorization', 'headers'])

function settings(tool: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !SECRET.has(key)))
}

/** What the client hands back after the last turn of the model. */
function resultsOf(messages: readonly Json[]): readonly ToolResult[] {
  const last = messages.at(-1)
  if (last === undefined || reachText(last, 'role') !== 'user') return []
  const calls = new Map(
    messages
      .filter((message) => reachText(message, 'role') === 'assistant')
      .flatMap((message) => reachList(message, 'content'))
      .filter((block) => reachText(block, 'type') === 'tool_use')
      .map((block) => [reachText(block, 'id') ?? '', block]),
  )
  return reachList(last, 'content').flatMap((block) => {
    const id = reachText(block, 'tool_use_id') ?? ''
    const call = reachText(block, 'type') === 'tool_result' ? calls.get(id) : undefined
    const name = call === undefined ? null : reachText(call, 'name')
    if (call === undefined || name === null) return []
    return [{ server: null, name, args: reach(call, 'input') ?? {}, result: reach(block, 'content') ?? null, id }]
  })
}

/** What a request to `/v1/chat/completions` says besides its prompt. */
import type { ToolDefinition } from '../../../core/call.ts'
import { isJsonObject, type Json, parseJson } from '../../../core/json.ts'
import type { ProviderTool, RequestFacts, ToolResult } from '../api.ts'
import { type Located, reach, reachList, reachText } from '../json.ts'

export function chatRequest(body: Located): RequestFacts | null {
  const messages = reach(body.value, 'messages')
  if (!Array.isArray(messages)) return null
  const words = (messages as readonly Json[])
    .filter((message) => reachText(message, 'role') === 'user')
    .map(wordsOf)
    .filter((text) => text !== '')
  const tools = reachList(body.value, 'tools')
  const functions = reachList(body.value, 'functions')
  return {
    streamed: reach(body.value, 'stream') === true,
    task: words.at(-1) ?? null,
    opening: words[0] ?? null,
    session: null,
    definitions: new Map(
      [...tools.map((tool) => reach(tool, 'function') ?? reach(tool, 'custom') ?? null), ...functions].flatMap(definitionOf),
    ),
    providerTools: [...tools.flatMap(providerTool), ...searching(body.value)],
    results: resultsOf(messages),
  }
}

function wordsOf(message: Json): string {
  const content = reach(message, 'content')
  if (typeof content === 'string') return content
  return reachList(message, 'content')
    .flatMap((part) => (reachText(part, 'type') === 'text' ? [reachText(part, 'text') ?? ''] : []))
    .join('\n')
}

function definitionOf(tool: Json): readonly (readonly [string, ToolDefinition])[] {
  const name = reachText(tool, 'name')
  if (name === null) return []
  const schema = reach(tool, 'parameters')
  return [[name, { description: reachText(tool, 'description'), inputSchema: isJsonObject(schema) ? schema : null, annotations: null }]]
}

/** A tool that is neither a function nor a custom one is run by whoever answers. */
function providerTool(tool: Json, index: number): readonly ProviderTool[] {
  const type = reachText(tool, 'type')
  if (!isJsonObject(tool) || type === null || type === 'function' || type === 'custom') return []
  return [{ server: 'provider', name: type, args: tool, kinds: [type], places: [['tools', index]], asksClient: false }]
}

function searching(body: Json): readonly ProviderTool[] {
  const options = reach(body, 'web_search_options')
  if (!isJsonObject(options)) return []
  return [
    { server: 'provider', name: 'web_search', args: options, kinds: ['web_search'], places: [['web_search_options']], asksClient: false },
  ]
}

/** The messages of tools at the end, with the calls that they answer. */
function resultsOf(messages: readonly Json[]): readonly ToolResult[] {
  const calls = new Map(
    messages.flatMap((message) => reachList(message, 'tool_calls')).map((call) => [reachText(call, 'id') ?? '', call] as const),
  )
  const last = messages.findLastIndex((message) => reachText(message, 'role') !== 'tool')
  return messages.slice(last + 1).flatMap((message) => {
    const id = reachText(message, 'tool_call_id') ?? ''
    const call = calls.get(id)
    const name = reachText(call, 'function', 'name') ?? reachText(call, 'custom', 'name')
    if (name === null) return []
    const text = reachText(call, 'custom', 'input')
    const args = text === null ? (parseJson(reachText(call, 'function', 'arguments') ?? '{}') ?? {}) : { input: text }
    return [{ server: null, name, args, result: reach(message, 'content') ?? null, id }]
  })
}

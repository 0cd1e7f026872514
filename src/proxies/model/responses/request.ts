/** What a request to `/v1/responses` says besides its prompt. */
import type { ToolDefinition } from '../../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts'
import type { ProviderTool, RequestFacts, ToolResult } from '../api.ts'
import { type Located, type Path, reach, reachList, reachText } from '../json.ts'
import { proposalOf } from './items.ts'
import { conversationOf } from './withheld.ts'

/** Tools that the client runs. */
const CLIENT: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use_preview',
  'namespace',
])

export function responsesRequest(body: Located): RequestFacts | null {
  if (!isJsonObject(body.value)) return null
  const input = reach(body.value, 'input')
  const words = typeof input === 'string' ? [input] : reachList(body.value, 'input').flatMap(wordsOf)
  const tools = reachList(body.value, 'tools')
  return {
    streamed: reach(body.value, 'stream') === true,
    task: words.at(-1) ?? null,
    opening: words[0] ?? null,
    session:
      reachText(body.value, 'conversation', 'id') ?? reachText(body.value, 'conversation') ?? reachText(body.value, 'prompt_cache_key'),
    definitions: new Map(tools.flatMap((tool) => definitionsOf(tool, null))),
    providerTools: tools.flatMap((tool, index) => providerTool(tool, ['tools', index])),
    results: resultsOf(reachList(body.value, 'input')),
    previous: reachText(body.value, 'previous_response_id'),
    conversation: conversationOf(body.value),
  }
}

function wordsOf(item: Json): readonly string[] {
  if (reachText(item, 'role') !== 'user') return []
  const text =
    reachText(item, 'content') ??
    reachList(item, 'content')
      .map((part) => reachText(part, 'text') ?? '')
      .join('\n')
  return text.trim() === '' ? [] : [text]
}

function definitionsOf(tool: Json, namespace: string | null): readonly (readonly [string, ToolDefinition])[] {
  const type = reachText(tool, 'type')
  const name = reachText(tool, 'name')
  if (name === null) return []
  if (type === 'namespace') return reachList(tool, 'tools').flatMap((inner) => definitionsOf(inner, name))
  if (type !== 'function' && type !== 'custom') return []
  const schema = reach(tool, 'parameters')
  const definition = { description: reachText(tool, 'description'), inputSchema: isJsonObject(schema) ? schema : null, annotations: null }
  return [[namespace === null ? name : `${namespace}/${name}`, definition]]
}

function providerTool(tool: Json, place: Path): readonly ProviderTool[] {
  const type = reachText(tool, 'type')
  if (!isJsonObject(tool) || type === null || CLIENT.has(type)) return []
  if (type === 'shell' && [null, 'local'].includes(reachText(tool, 'environment', 'type'))) return []
  if (type === 'tool_search' && reachText(tool, 'execution') === 'client') return []
  const kind = type.replace(/_(?:preview(?:_\d{4}_\d{2}_\d{2})?|\d{4}_\d{2}_\d{2})$/, '')
  return [{ server: 'provider', name: kind, args: settings(tool), kinds: [kind], places: [place], asksClient: type === 'mcp' }]
}

const SECRET: ReadonlySet<string> = new Set(['authorization', 'headers'])

function settings(tool: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(tool).filter(([key]) => !SECRET.has(key)))
}

/** Outputs at the end, with the calls that they answer, where those are there. */
function resultsOf(input: readonly Json[]): readonly ToolResult[] {
  const calls = new Map(
    input.flatMap((item) => (/_call$/.test(reachText(item, 'type') ?? '') ? [[reachText(item, 'call_id') ?? '', item] as const] : [])),
  )
  const first = input.findLastIndex((item) => !/_call_output$/.test(reachText(item, 'type') ?? '')) + 1
  return input.slice(first).flatMap((item) => {
    const id = reachText(item, 'call_id') ?? ''
    const call = calls.get(id)
    const proposal = call === undefined ? null : proposalOf(call)
    if (proposal === null) return []
    const args = proposal.form === 'text' ? { input: proposal.input } : (parseJson(proposal.input) ?? {})
    return [{ server: proposal.server, name: proposal.name, args, result: reach(item, 'output') ?? null, id }]
  })
}

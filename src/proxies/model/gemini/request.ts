/** What a request to `…:generateContent` says besides its prompt. */
import type { ToolDefinition } from '../../../core/call.ts'
import { isJsonObject, type Json } from '../../../core/json.ts'
import type { ProviderTool, RequestFacts, ToolResult } from '../api.ts'
import { type Located, reach, reachList, reachText } from '../json.ts'

/** Members of a tool that say what the client runs. */
const CLIENT: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations', 'computerUse', 'computer_use'])

export function geminiRequest(body: Located, path: string): RequestFacts | null {
  const contents = reach(body.value, 'contents')
  if (!Array.isArray(contents) && !isJsonObject(contents)) return null
  const turns = Array.isArray(contents) ? (contents as readonly Json[]) : [contents as Json]
  const words = turns
    .filter(isUsers)
    .map(wordsOf)
    .filter((text) => text !== '')
  const tools = reachList(body.value, 'tools')
  return {
    streamed: path.includes(':streamGenerateContent'),
    task: words.at(-1) ?? null,
    opening: words[0] ?? null,
    session: null,
    definitions: new Map(tools.flatMap(definitionsOf)),
    providerTools: tools.flatMap(providerTools),
    results: resultsOf(turns),
    // With it a call comes in pieces that nobody can judge.
    strip: [
      ['toolConfig', 'functionCallingConfig', 'streamFunctionCallArguments'],
      ['tool_config', 'function_calling_config', 'stream_function_call_arguments'],
    ],
  }
}

/** Without a role a turn is the user's. */
function isUsers(turn: Json): boolean {
  return (reachText(turn, 'role') ?? 'user') === 'user'
}

function wordsOf(turn: Json): string {
  return reachList(turn, 'parts')
    .flatMap((part) => reachText(part, 'text') ?? [])
    .join('\n')
}

function definitionsOf(tool: Json): readonly (readonly [string, ToolDefinition])[] {
  const declared = [...reachList(tool, 'functionDeclarations'), ...reachList(tool, 'function_declarations')]
  return declared.flatMap((each): readonly (readonly [string, ToolDefinition])[] => {
    const name = reachText(each, 'name')
    const schema = reach(each, 'parametersJsonSchema') ?? reach(each, 'parameters')
    if (name === null) return []
    return [[name, { description: reachText(each, 'description'), inputSchema: isJsonObject(schema) ? schema : null, annotations: null }]]
  })
}

function providerTools(tool: Json, index: number): readonly ProviderTool[] {
  if (!isJsonObject(tool)) return []
  return Object.entries(tool).flatMap(([key, settings]) => {
    if (CLIENT.has(key)) return []
    const kind = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const args = isJsonObject(settings) ? settings : { settings }
    return [{ server: 'provider', name: kind, args, kinds: [kind, 'server_tool'], places: [['tools', index, key]], asksClient: false }]
  })
}

/** The answers in the last turn, each with the latest call of its name. */
function resultsOf(turns: readonly Json[]): readonly ToolResult[] {
  const calls = turns.flatMap((turn) => reachList(turn, 'parts')).flatMap((part) => reach(part, 'functionCall') ?? [])
  return reachList(turns.at(-1), 'parts').flatMap((part, index) => {
    const name = reachText(part, 'functionResponse', 'name')
    if (name === null) return []
    const id = reachText(part, 'functionResponse', 'id')
    const call = calls.findLast((each) => reachText(each, 'name') === name && (id === null || reachText(each, 'id') === id))
    if (call === undefined) return []
    const result = reach(part, 'functionResponse', 'response') ?? null
    return [{ server: null, name, args: reach(call, 'args') ?? {}, result, id: id ?? `${turns.length}-${index}` }]
  })
}

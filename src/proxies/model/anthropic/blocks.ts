/** What the blocks of a message are to the gate. */
import type { Json } from '../../../core/json.ts'
import type { Judge } from '../api.ts'
import { reachText } from '../json.ts'
import { holdsCall } from '../unknown.ts'

/** Blocks of tools that the provider has run, by the tool of the request that they come from. */
const SERVER_KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^mcp_tool_(?:use|result)$/, 'mcp'],
  [/^(?:bash_|text_editor_)?code_execution(?:_tool_result)?$/, 'code_execution'],
  [/^(?:bash|text_editor)_code_execution(?:_tool_result)?$/, 'code_execution'],
  [/^tool_search(?:_tool(?:_result|_regex|_bm25)?)?$/, 'tool_search'],
  [/^([a-z_]+?)(?:_tool_result)?$/, '$1'],
]

/** The kind of tool that a block of the provider's own belongs to: `web_search`, `mcp`, …; null for a block that is none. */
export function serverKind(block: Json): string | null {
  const type = reachText(block, 'type')
  if (type === null) return null
  const named = type === 'server_tool_use' ? reachText(block, 'name') : /^mcp_tool_use$|_tool_result$/.test(type) ? type : null
  if (named === null) return null
  for (const [pattern, kind] of SERVER_KINDS) {
    const match = pattern.exec(named)
    if (match !== null) return kind === '$1' ? (match[1] ?? named) : kind
  }
  return named
}

const PLAIN: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'container_upload', 'compaction'])

/** `call`: the client runs it. `provided`: the provider ran it, as the request let it. `odd`: not known, with a call in it. */
export function kindOfBlock(block: Json, judge: Pick<Judge, 'offered'>): 'plain' | 'call' | 'provided' | 'odd' {
  const type = reachText(block, 'type')
  if (type === 'tool_use') return 'call'
  if (type !== null && PLAIN.has(type)) return 'plain'
  const kind = serverKind(block)
  if (kind !== null) return judge.offered(kind) ? 'provided' : 'odd'
  return holdsCall(block) ? 'odd' : 'plain'
}

/** The items of a response: which of them a client runs, and what stands in the place of one that may not. */
import type { Json, JsonObject } from '../../../core/json.ts'
import type { Begun, Judge, Proposal } from '../api.ts'
import { edited, type Located, locate, partAt, reach, reachText, replacing, sourceOf } from '../json.ts'
import { settled } from '../judge.ts'
import { holdsCall } from '../unknown.ts'

interface CallKind {
  /** Where its arguments stand. */
  readonly input: string
  readonly form: 'json' | 'text' | 'value'
  /** The tool, where the item does not name it. */
  readonly name?: string
}

/** Items that the client runs, by their type. */
const CALLS: Readonly<Record<string, CallKind>> = {
  function_call: { input: 'arguments', form: 'json' },
  custom_tool_call: { input: 'input', form: 'text' },
  mcp_approval_request: { input: 'arguments', form: 'json' },
  local_shell_call: { input: 'action', form: 'value', name: 'local_shell' },
  shell_call: { input: 'action', form: 'value', name: 'shell' },
  apply_patch_call: { input: 'operation', form: 'value', name: 'apply_patch' },
  computer_call: { input: 'action', form: 'value', name: 'computer' },
  tool_search_call: { input: 'arguments', form: 'value', name: 'tool_search' },
}

/** Items of tools that the provider ran, by the kind of the tool. */
const PROVIDED: Readonly<Record<string, string>> = {
  mcp_call: 'mcp',
  mcp_list_tools: 'mcp',
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_interpreter',
  image_generation_call: 'image_generation',
  shell_call: 'shell',
  shell_call_output: 'shell',
  tool_search_call: 'tool_search',
  tool_search_output: 'tool_search',
  program: 'programmatic_tool_calling',
  program_output: 'programmatic_tool_calling',
}

const PLAIN: ReadonlySet<string> = new Set(['message', 'reasoning', 'compaction'])

export type Kind = 'plain' | 'call' | 'provided' | 'odd'

export function kindOfItem(item: Json, judge: Pick<Judge, 'offered'>): Kind {
  const type = reachText(item, 'type') ?? ''
  if (PLAIN.has(type)) return 'plain'
  const provided = PROVIDED[type]
  const client = type in CALLS && !(provided !== undefined && isHosted(item))
  if (client) return 'call'
  if (provided !== undefined) return judge.offered(provided) ? 'provided' : 'odd'
  return holdsCall(item) ? 'odd' : 'plain'
}

/** Runs in a container of the provider, or is a search that the provider does. */
function isHosted(item: Json): boolean {
  const environment = reachText(item, 'environment', 'type')
  if (reachText(item, 'type') === 'shell_call') return environment !== null && environment !== 'local'
  return reachText(item, 'execution') === 'server'
}

/**
 * Null where it names no tool.
 * @param text of the item, whose very bytes are judged; left out where only another item is compared with it.
 */
export function proposalOf(item: Json, text?: string): Proposal | null {
  const type = reachText(item, 'type') ?? ''
  const kind = CALLS[type]
  const name = kind?.name ?? reachText(item, 'name')
  if (kind === undefined || name === null) return null
  const server = type === 'mcp_approval_request' ? reachText(item, 'server_label') : reachText(item, 'namespace')
  const key = inputKey(item, kind)
  const input = reach(item, key)
  if (kind.form === 'value') return { server, name, form: 'json', input: valueText(item, key, text) }
  return typeof input === 'string' ? { server, name, form: kind.form, input: input === '' && kind.form === 'json' ? '{}' : input } : null
}

function valueText(item: Json, key: string, text: string | undefined): string {
  const located = text === undefined ? null : locate(text)
  const part = partAt(located?.root, key)
  const source = located === null || part === undefined ? JSON.stringify(reach(item, key) ?? null) : sourceOf(located, part)
  return `{${JSON.stringify(key)}:${source}}`
}

function inputKey(item: Json, kind: CallKind): string {
  return kind.input === 'action' && reach(item, 'action') === undefined && reach(item, 'actions') !== undefined ? 'actions' : kind.input
}

/** What is judged of it: two items of which this is the same are one call. */
export function essenceOf(item: Json): string {
  const proposal = proposalOf(item)
  return JSON.stringify([reachText(item, 'type'), callIdOf(item), proposal])
}

/** By what its output names it. */
export function callIdOf(item: Json): string | null {
  return reachText(item, 'type') === 'mcp_approval_request' ? reachText(item, 'id') : reachText(item, 'call_id')
}

export interface Item {
  readonly item: Json
  readonly text: string
  readonly kind: Kind
}

export async function beginItem({ item, text, kind }: Item, judge: Judge): Promise<Begun> {
  const proposal = kind === 'call' ? proposalOf(item, text) : null
  const name = reachText(item, 'name')
  if (kind === 'call' && reachText(item, 'status') === 'incomplete')
    return settled(await judge.unjudged({ why: 'incomplete', what: 'the answer ended within the call', name, sample: text }))
  if (proposal !== null) return judge.begin(proposal)
  const what = kind === 'odd' ? 'an item of a kind that is not known, or that nobody asked for' : 'a call without a name or input'
  return settled(await judge.unjudged({ why: 'uninspected', what, name, sample: text }))
}

/** The item with other arguments, as text. */
export function changedItem(text: string, input: string): string {
  const located = locate(text)
  const kind = CALLS[reachText(located?.value, 'type') ?? '']
  const part = kind === undefined ? undefined : partAt(located?.root, inputKey(located?.value ?? null, kind))
  if (located === null || kind === undefined || part === undefined) return text
  const value = kind.form === 'value' ? unwrapped(located, kind, input) : JSON.stringify(input)
  return edited(located, [replacing(part, value)])
}

function unwrapped({ value }: Located, kind: CallKind, input: string): string {
  return JSON.stringify(reach(JSON.parse(input) as Json, inputKey(value, kind)) ?? null)
}

/** Begins the id of what stands in the place of a call. The API takes ids of messages that begin so. */
export const MARK = 'msg_countersign_'

export function messageItem(id: string, text: string, status: 'in_progress' | 'completed'): JsonObject {
  const content = status === 'completed' ? [textPart(text)] : []
  return { id, type: 'message', status, role: 'assistant', content }
}

export function textPart(text: string): JsonObject {
  return { type: 'output_text', annotations: [], logprobs: [], text }
}

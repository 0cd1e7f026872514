/**
 * Calls that a provider remembers and its client never saw. The provider asks for their output in the next turn: what the client
 * sends back in their place is turned into the call and an output that says that it did not run.
 */
import { randomBytes } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts'
import { type Edit, edited, type Located, partAt, reach, reachList, reachText, replacing, sourceOf } from '../json.ts'
import { callIdOf, MARK } from './items.ts'

export interface Replaced {
  /** Id of the message in the call's place. */
  readonly message: string
  /** The call as the model made it. */
  readonly item: Json
  readonly note: string
}

export interface WithheldCall {
  readonly message: string
  readonly type: string
  /** By what its output names it. */
  readonly callId: string
  /** Id of the item; null: the provider did not give it one. */
  readonly itemId: string | null
  readonly note: string
  /** The item itself, where the provider does not keep it. It is held in memory alone, for it holds the arguments. */
  readonly item: JsonObject | null
}

export interface Withheld {
  readonly response: string
  readonly conversation: string | null
  readonly calls: readonly WithheldCall[]
}

export function replacementId(): string {
  return `${MARK}${randomBytes(12).toString('hex')}`
}

/** @param response as the last event or the whole answer has it. */
export function whatWasWithheld(response: Json, replaced: readonly Replaced[]): Withheld {
  const kept = reach(response, 'store') !== false
  const conversation = conversationOf(response)
  const calls = replaced.flatMap(({ message, item, note }): readonly WithheldCall[] => {
    const callId = callIdOf(item)
    const type = reachText(item, 'type')
    if (callId === null || type === null || !isJsonObject(item) || !(type in OUTPUTS)) return []
    return [{ message, type, callId, itemId: reachText(item, 'id'), note, item: kept ? null : item }]
  })
  return { response: reachText(response, 'id') ?? '', conversation, calls }
}

/** The output that a provider takes for a call, by the type of the call. */
const OUTPUTS: Readonly<Record<string, (callId: string, note: string) => JsonObject>> = {
  function_call: (call_id, output) => ({ type: 'function_call_output', call_id, output }),
  custom_tool_call: (call_id, output) => ({ type: 'custom_tool_call_output', call_id, output }),
  local_shell_call: (call_id, output) => ({ type: 'local_shell_call_output', call_id, output }),
  shell_call: (call_id, stderr) => ({
    type: 'shell_call_output',
    call_id,
    output: [{ stdout: '', stderr, outcome: { type: 'exit', exit_code: 126 } }],
  }),
  apply_patch_call: (call_id, output) => ({ type: 'apply_patch_call_output', call_id, status: 'failed', output }),
  mcp_approval_request: (approval_request_id, reason) => ({ type: 'mcp_approval_response', approval_request_id, approve: false, reason }),
}

export interface WithheldBook {
  readonly keep: (withheld: Withheld) => Promise<void>
  /** The conversation got its outputs: it does not wait for them any more. */
  readonly answered: (conversation: string) => Promise<void>
  readonly ofResponse: (response: string) => readonly WithheldCall[]
  readonly ofConversation: (conversation: string) => readonly WithheldCall[]
  readonly ofMessage: (message: string) => WithheldCall | null
}

export type WithheldLookup = Omit<WithheldBook, 'keep' | 'answered'>

/** Of a request or an answer; null: it belongs to none. */
export function conversationOf(value: Json | undefined): string | null {
  return reachText(value, 'conversation', 'id') ?? reachText(value, 'conversation')
}

/** The request with what the provider waits for. */
export function answeringWithheld(body: Located, book: WithheldLookup): string {
  const previous = reachText(body.value, 'previous_response_id')
  const conversation = conversationOf(body.value)
  const input = reachList(body.value, 'input')
  const answered = new Set(input.map((item) => reachText(item, 'call_id') ?? reachText(item, 'approval_request_id')))
  const waiting = [
    ...(previous === null ? [] : book.ofResponse(previous)),
    ...(conversation === null ? [] : book.ofConversation(conversation)),
  ]
  const outputs = waiting.filter(({ callId }) => !answered.has(callId)).map((call) => JSON.stringify(outputOf(call)))
  return withInput(body, outputs, (item, text) => inPlace(item, text, book))
}

function outputOf({ type, callId, note }: WithheldCall): JsonObject {
  return OUTPUTS[type]?.(callId, note) ?? {}
}

/** A message of ours that comes back is the call again, with its output. */
function inPlace(item: Json, text: string, book: Pick<WithheldBook, 'ofMessage'>): readonly string[] {
  const id = reachText(item, 'id')
  const call = id?.startsWith(MARK) === true ? book.ofMessage(id) : null
  const made = call === null ? null : madeAgain(call)
  if (call !== null && made !== null) return [JSON.stringify(made), JSON.stringify(outputOf(call))]
  // Nobody knows the call any more, and the provider never knew its message.
  return id?.startsWith(MARK) === true && reachText(item, 'type') === 'item_reference' ? [] : [text]
}

function madeAgain({ item, itemId }: WithheldCall): JsonObject | null {
  if (item !== null) return item
  return itemId === null ? null : { type: 'item_reference', id: itemId }
}

type Rewrite = (item: Json, text: string) => readonly string[]

function withInput(body: Located, outputs: readonly string[], rewrite: Rewrite): string {
  const part = partAt(body.root, 'input')
  const items = part?.items?.map((item, at) => ({ text: sourceOf(body, item), value: reach(body.value, 'input', at) ?? null })) ?? []
  const rewritten = items.map(({ text, value }) => rewrite(value, text))
  const same = rewritten.every((texts, at) => texts.length === 1 && texts[0] === items[at]?.text)
  if (part === undefined || (outputs.length === 0 && same)) return body.text
  const said = part.items === undefined ? [JSON.stringify({ role: 'user', content: reach(body.value, 'input') ?? '' })] : rewritten.flat()
  const edits: readonly Edit[] = [replacing(part, `[${[...outputs, ...said].join(',')}]`)]
  return edited(body, edits)
}

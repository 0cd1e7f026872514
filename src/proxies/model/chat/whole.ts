/** A whole chat completion: every choice is looked at; calls that may not run go, and its message says so. */
import { isJsonObject, type Json } from '../../../core/json.ts'
import type { Judge } from '../api.ts'
import { type Edit, edited, type Located, type Part, partAt, reach, reachList, reachText, replacing, sourceOf } from '../json.ts'
import { holdsCall } from '../unknown.ts'
import { Calls, type GrowingCall, ruleOn } from './calls.ts'
import { argumentsOf } from './chunk.ts'
import { isCalling } from './stream.ts'

export async function chatWhole(body: Located, judge: Judge): Promise<string | null> {
  const choices = partAt(body.root, 'choices')
  if (choices?.items === undefined) return holdsCall(body.value) ? null : body.text
  const edits: Edit[] = []
  for (const at of choices.items.keys()) {
    const found = await choiceEdits(body, at, judge)
    if (found === null) return null
    edits.push(...found)
  }
  return edited(body, edits)
}

/** Null where it holds a call that cannot be inspected. */
async function choiceEdits(body: Located, at: number, judge: Judge): Promise<readonly Edit[] | null> {
  const choice = reach(body.value, 'choices', at)
  const message = reach(choice, 'message')
  if (isElsewhere(choice ?? null, message ?? null)) return null
  const place = partAt(body.root, 'choices', at, 'message')
  const calls = new Calls()
  const items = reachList(message, 'tool_calls').map((item, index) =>
    calls.item(withIndex(item, index), argumentsOf(body, partAt(place, 'tool_calls', index))),
  )
  const given = reach(message, 'function_call')
  const legacy = isJsonObject(given) ? calls.legacy(given, argumentsOf(body, partAt(place, 'function_call'))) : null
  await ruleOn(calls.all, judge, reachText(choice, 'finish_reason'))
  const edits =
    calls.all.every(({ ruling }) => ruling?.kind === 'run') || place === undefined
      ? []
      : messageEdits(body, { message: place, items, legacy })
  const left = calls.all.filter(({ ruling }) => ruling?.kind !== 'block').length
  const reason = partAt(body.root, 'choices', at, 'finish_reason')
  const stops = left === 0 && isCalling(reachText(choice, 'finish_reason') ?? '')
  return reason !== undefined && stops ? [...edits, replacing(reason, '"stop"')] : edits
}

/** Whole calls may carry an index of a vendor's; here each is its own. */
function withIndex(item: Json, index: number): Json {
  return isJsonObject(item) ? { ...item, index } : item
}

function isElsewhere(choice: Json, message: Json): boolean {
  if (!isJsonObject(choice)) return true
  const { message: _message, ...beside } = choice
  if (holdsCall(beside)) return true
  if (!isJsonObject(message)) return holdsCall(message)
  const { tool_calls: calls, function_call: _call, ...rest } = message
  return holdsCall(rest) || (calls !== undefined && calls !== null && !Array.isArray(calls))
}

interface Message {
  readonly message: Part
  readonly items: readonly GrowingCall[]
  readonly legacy: GrowingCall | null
}

/** The message as its members, without the calls that do not run and with what is said instead. */
function messageEdits(body: Located, { message, items, legacy }: Message): readonly Edit[] {
  const all = legacy === null ? items : [...items, legacy]
  const note = all.flatMap(({ ruling }) => (ruling?.kind === 'block' ? [ruling.text] : [])).join('\n\n')
  const list = partAt(message, 'tool_calls')
  const kept = items.flatMap((call, at) => {
    const part = partAt(list, at)
    return call.ruling?.kind === 'block' || part === undefined ? [] : [itemText(body, part, call)]
  })
  const members = [...(message.members ?? [])].flatMap(([key, { start, value }]) => {
    if (key === 'tool_calls' && list?.items !== undefined) return kept.length === 0 ? [] : [`"tool_calls":[${kept.join(',')}]`]
    if (key === 'function_call' && legacy !== null)
      return legacy.ruling?.kind === 'block' ? [] : [`"function_call":${itemText(body, value, legacy)}`]
    return key === 'content' && note !== '' ? [] : [body.text.slice(start, value.end)]
  })
  const content = note === '' ? [] : [`"content":${withNote(body, partAt(message, 'content'), note)}`]
  return [replacing(message, `{${[...members, ...content].join(',')}}`)]
}

function itemText(body: Located, part: Part, { ruling, form }: GrowingCall): string {
  if (ruling?.kind !== 'change') return sourceOf(body, part)
  const input = partAt(part, ...(form === 'text' ? ['custom', 'input'] : ['function', 'arguments'])) ?? partAt(part, 'arguments')
  if (input === undefined) return sourceOf(body, part)
  return body.text.slice(part.start, input.start) + JSON.stringify(ruling.input) + body.text.slice(input.end, part.end)
}

/** Content is text, a list of parts, or nothing. */
function withNote(body: Located, content: Part | undefined, note: string): string {
  if (content?.items !== undefined) {
    return `[${[...content.items.map((item) => sourceOf(body, item)), JSON.stringify({ type: 'text', text: note })].join(',')}]`
  }
  const said = content === undefined ? null : (JSON.parse(sourceOf(body, content)) as Json)
  return JSON.stringify(typeof said === 'string' && said !== '' ? `${said}\n\n${note}` : note)
}

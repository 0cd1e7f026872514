/** One chunk with fragments of calls: taken apart where it holds more, and written anew where some of its calls do not run. */
import { isJsonObject, type Json } from '../../../core/json.ts'
import {
  type Edit,
  edited,
  type Located,
  locate,
  type Part,
  partAt,
  reach,
  reachList,
  reachText,
  replacing,
  sourceOf,
  without,
} from '../json.ts'
import { type Frame, withData } from '../sse.ts'
import type { GrowingCall } from './calls.ts'

/** A chunk with one choice that holds nothing but fragments. */
export interface Fragment {
  readonly frame: Frame
  readonly chunk: Located
  /** The call of each fragment, in their order; the one of `function_call` last. */
  readonly calls: GrowingCall[]
}

export function holdsFragments(choice: Json): boolean {
  return reachList(choice, 'delta', 'tool_calls').length > 0 || isJsonObject(reach(choice, 'delta', 'function_call'))
}

/** As it is, where it has one choice and nothing besides; else one chunk for each choice, and one for the text before its fragments. */
export function split(frame: Frame, chunk: Located): readonly (Fragment | Frame)[] {
  const choices = reachList(chunk.value, 'choices')
  if (choices.length > 1) return choices.flatMap((choice, at) => splitChoice(only(frame, chunk, at), choice))
  const [choice = null] = choices
  return splitChoice({ frame, chunk }, choice)
}

interface Pair {
  readonly frame: Frame
  readonly chunk: Located
}

function splitChoice(pair: Pair, choice: Json): readonly (Fragment | Frame)[] {
  if (!holdsFragments(choice)) return [pair.frame]
  const delta = reach(choice, 'delta')
  const says = isJsonObject(delta) && Object.entries(delta).some(([key, value]) => !SILENT.has(key) && value !== null && value !== '')
  if (!says) return [{ ...pair, calls: [] }]
  const part = partAt(pair.chunk.root, 'choices', 0, 'delta')
  if (part === undefined) return [{ ...pair, calls: [] }]
  const reason = partAt(pair.chunk.root, 'choices', 0, 'finish_reason')
  const spoken = [replacing(part, without(pair.chunk, part, FRAGMENTS)), ...(reason === undefined ? [] : [replacing(reason, 'null')])]
  const others = Object.keys(delta).filter((key) => !FRAGMENTS.includes(key))
  return [changed(pair, spoken).frame, { ...changed(pair, [replacing(part, without(pair.chunk, part, others))]), calls: [] }]
}

const FRAGMENTS: readonly string[] = ['tool_calls', 'function_call']
const SILENT: ReadonlySet<string> = new Set([...FRAGMENTS, 'role'])

function only(frame: Frame, chunk: Located, at: number): Pair {
  const choices = partAt(chunk.root, 'choices')
  const item = partAt(choices, at)
  return choices === undefined || item === undefined
    ? { frame, chunk }
    : changed({ frame, chunk }, [replacing(choices, `[${sourceOf(chunk, item)}]`)])
}

function changed({ frame, chunk }: Pair, edits: readonly Edit[]): Pair {
  const data = edited(chunk, edits)
  return { frame: { ...frame, bytes: withData(frame, data), data }, chunk: locate(data) ?? chunk }
}

/** Text of the arguments of an item, however they are written; empty where there are none. */
export function argumentsOf(located: Located, item: Part | undefined): string {
  const part = partAt(item, 'function', 'arguments') ?? partAt(item, 'custom', 'input') ?? partAt(item, 'arguments')
  return part === undefined ? '' : sourceOf(located, part)
}

export interface Remaining {
  /** Calls that run, in their order: their place in it is their index from now on. */
  readonly kept: readonly GrowingCall[]
  /** The choice has no call any more. */
  readonly none: boolean
}

/** The chunk with what is left of it; null where that is nothing. */
export function rewritten(fragment: Fragment, remaining: Remaining): Buffer | null {
  const { frame, chunk } = fragment
  const delta = partAt(chunk.root, 'choices', 0, 'delta')
  if (delta === undefined) return null
  const calls = keptCalls(fragment, remaining)
  const others = [...(delta.members ?? [])].filter(([key]) => !FRAGMENTS.includes(key))
  const reason = reachText(chunk.value, 'choices', 0, 'finish_reason')
  if (calls.length === 0 && others.length === 0 && reason === null && reach(chunk.value, 'usage') === undefined) return null
  const members = [...others.map(([, { start, value }]) => chunk.text.slice(start, value.end)), ...calls]
  const end = partAt(chunk.root, 'choices', 0, 'finish_reason')
  const stop = end !== undefined && remaining.none && (reason === 'tool_calls' || reason === 'function_call')
  return withData(frame, edited(chunk, [replacing(delta, `{${members.join(',')}}`), ...(stop ? [replacing(end, '"stop"')] : [])]))
}

/** The members of the delta that hold calls which run. */
function keptCalls({ chunk, calls }: Fragment, { kept }: Remaining): readonly string[] {
  const items = partAt(chunk.root, 'choices', 0, 'delta', 'tool_calls')?.items ?? []
  const left = items.flatMap((part, at) => {
    const call = calls[at]
    const place = call === undefined ? -1 : kept.indexOf(call)
    return call === undefined || place === -1 ? [] : itemText(chunk, { part, at, call, place })
  })
  const legacy = calls.length > items.length ? calls.at(-1) : undefined
  const list = left.length === 0 ? [] : [`"tool_calls":[${left.join(',')}]`]
  return legacy !== undefined && kept.includes(legacy) ? [...list, legacyText(chunk, legacy)] : list
}

interface Item {
  readonly part: { readonly start: number; readonly end: number }
  readonly at: number
  readonly call: GrowingCall
  readonly place: number
}

/** The fragment under its new index; of a call with other arguments only the one that begins it, with all of them. */
function itemText(chunk: Located, { part, at, call, place }: Item): readonly string[] {
  const item = reach(chunk.value, 'choices', 0, 'delta', 'tool_calls', at)
  const located = locate(sourceOf(chunk, part))
  if (located === null || !isJsonObject(item)) return []
  const numbered = (text: Located): string => {
    const index = partAt(text.root, 'index')
    return index === undefined ? text.text.replace('{', `{"index":${place},`) : edited(text, [replacing(index, String(place))])
  }
  if (call.ruling?.kind !== 'change') return [numbered(located)]
  const kind = call.form === 'text' ? 'custom' : 'function'
  if ((reachText(item, kind, 'name') ?? '') === '') return []
  const input = { name: call.name ?? '', [call.form === 'text' ? 'input' : 'arguments']: call.ruling.input }
  return [numbered(locate(JSON.stringify({ ...item, [kind]: input })) ?? located)]
}

function legacyText(chunk: Located, call: GrowingCall): string {
  const given = reach(chunk.value, 'choices', 0, 'delta', 'function_call')
  if (call.ruling?.kind !== 'change') return `"function_call":${JSON.stringify(given)}`
  const begins = reachText(given, 'name') !== null
  return `"function_call":${JSON.stringify(begins ? { name: call.name, arguments: call.ruling.input } : { arguments: '' })}`
}

/** A chunk like this one that only says something. */
export function withContent({ frame, chunk }: Fragment, content: string): Buffer {
  const { usage: _usage, ...envelope } = chunk.value as Record<string, Json>
  const index = reach(chunk.value, 'choices', 0, 'index') ?? 0
  const role = reachText(chunk.value, 'choices', 0, 'delta', 'role')
  const delta = { ...(role === null ? {} : { role }), content }
  return withData(frame, JSON.stringify({ ...envelope, choices: [{ index, delta, finish_reason: null }] }))
}

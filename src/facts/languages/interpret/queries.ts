import { isJsonObject, type Json, own } from '../../../core/json.ts'
import type { CommandContext, Word } from '../../host.ts'
import { bodyIn, reportQueries } from '../../programs/network/queries.ts'
import { knownWord } from '../../resources/text/word.ts'
import { FROM, type Value } from './value.ts'

/** What a request of code tells the store at its address, as far as its body is known. */

const MAX_DEPTH = 8
/** What stands in a statement for a part that is only known when it runs. */
const UNTOLD = 'x'
const MAX_ITEMS = 64

/** The value as JSON, with null where it is not known. */
function jsonOf(value: Value, depth = 0): Json {
  if (depth > MAX_DEPTH) return null
  if (value.kind === 'text') return value.text
  if (value.kind === 'part') return value.pieces.length < 2 ? null : value.pieces.map((piece) => piece ?? UNTOLD).join('')
  if (value.kind === 'any') return value.options.map((option) => jsonOf(option, depth + 1))
  if (value.kind === 'number' || value.kind === 'constant') return value.value
  if (value.kind === 'list') return value.items.slice(0, MAX_ITEMS).map((item) => jsonOf(item, depth + 1))
  if (value.kind !== 'dict') return null
  const made: Record<string, Json> = Object.create(null)
  for (const [key, item] of [...value.entries].slice(0, MAX_ITEMS)) made[key] = jsonOf(item, depth + 1)
  return made
}

/** Files whose text is the whole of a value, as far as it is known: what is sent is what stands in them. */
function filesIn(value: Value, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return []
  if (value.kind === 'list') return value.items.slice(0, MAX_ITEMS).flatMap((item) => filesIn(item, depth + 1))
  if (value.kind === 'any') return value.options.slice(0, MAX_ITEMS).flatMap((option) => filesIn(option, depth + 1))
  if (value.kind === 'dict') return [...value.entries.values()].slice(0, MAX_ITEMS).flatMap((item) => filesIn(item, depth + 1))
  if ((value.kind !== 'part' && value.kind !== 'object') || (value.taint.bits & FROM.file) === 0) return []
  return value.taint.from.flatMap(({ verb, target }) => (verb === 'read' && target.real !== null ? [target.real] : []))
}

export function reportBody(address: Word, payload: Value | undefined, context: CommandContext): void {
  if (payload === undefined) return
  const values = payload.kind === 'list' ? payload.items.slice(0, MAX_ITEMS) : payload.kind === 'any' ? payload.options : [payload]
  const bodies = values.map((value): string => {
    const json = jsonOf(value)
    // JavaScript hands the body over among the options of the request.
    const body = isJsonObject(json) ? (own(json, 'body') ?? json) : json
    return typeof body === 'string' ? body : JSON.stringify(body)
  })
  const { span } = address
  const files = [...new Set(filesIn(payload))].flatMap((path) => bodyIn(knownWord(path, span), context))
  reportQueries({ method: 'POST', urls: [address], bodies: [...bodies.map((text) => ({ text, prefix: text, span })), ...files] }, context)
}

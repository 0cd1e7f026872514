import { isJsonObject, type Json, own } from '../../../core/json.ts'
import type { CommandContext, Word } from '../../host.ts'
import { reportQueries } from '../../programs/network/queries.ts'
import type { Value } from './value.ts'

/** What a request of code tells the store at its address, as far as its body is known. */

const MAX_DEPTH = 8
const MAX_ITEMS = 64

/** The value as JSON, with null where it is not known. */
function jsonOf(value: Value, depth = 0): Json {
  if (depth > MAX_DEPTH) return null
  if (value.kind === 'text') return value.text
  if (value.kind === 'number' || value.kind === 'constant') return value.value
  if (value.kind === 'list') return value.items.slice(0, MAX_ITEMS).map((item) => jsonOf(item, depth + 1))
  if (value.kind !== 'dict') return null
  const made: Record<string, Json> = Object.create(null)
  for (const [key, item] of [...value.entries].slice(0, MAX_ITEMS)) made[key] = jsonOf(item, depth + 1)
  return made
}

export function reportBody(address: Word, payload: Value | undefined, context: CommandContext): void {
  if (payload === undefined) return
  const values = payload.kind === 'list' ? payload.items.slice(0, MAX_ITEMS) : [payload]
  const bodies = values.map((value): string => {
    const json = jsonOf(value)
    // JavaScript hands the body over among the options of the request.
    const body = isJsonObject(json) ? (own(json, 'body') ?? json) : json
    return typeof body === 'string' ? body : JSON.stringify(body)
  })
  reportQueries({ method: 'POST', urls: [address], bodies: bodies.map((text) => ({ text, prefix: text, span: address.span })) }, context)
}

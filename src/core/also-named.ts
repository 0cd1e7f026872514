/** Other names of a tool as records and approvals hold them, and as people read them. */
import type { OtherName } from './call.ts'
import { isJsonObject, type Json, type JsonObject, own } from './json.ts'

/** A tool with one name has no such field. */
export function alsoNamedToJson(names: readonly OtherName[] = []): JsonObject {
  return names.length === 0 ? {} : { also_named: names.map(({ server, name, sure }) => ({ tool: name, server, sure })) }
}

/** Null where it is anything else: a name that is passed over would be a rule that is passed over. */
export function alsoNamedFrom(value: Json): readonly OtherName[] | null {
  if (!Array.isArray(value)) return null
  const names = value.map(otherName)
  return names.includes(null) ? null : names.filter((name) => name !== null)
}

/** Other names of a call in wire form, one text each; none where it has none. */
export function alsoNamedTexts(call: Json | undefined): readonly string[] {
  const names = isJsonObject(call) ? alsoNamedFrom(own(call, 'also_named') ?? []) : []
  if (names === null) return ['names that cannot be read']
  return names.map(({ server, name, sure }) => `${server === null ? '' : `${server}/`}${name}${sure ? '' : ' (perhaps)'}`)
}

function otherName(value: Json): OtherName | null {
  if (!isJsonObject(value)) return null
  const [server, name, sure] = [own(value, 'server'), own(value, 'tool'), own(value, 'sure')]
  if (typeof name !== 'string' || name === '' || typeof sure !== 'boolean') return null
  return server === null || (typeof server === 'string' && server !== '') ? { server, name, sure } : null
}

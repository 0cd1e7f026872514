/** What a tool's own schema says of its arguments. It only adds: a kind that a name or a value shows already stands. */
import type { ToolDefinition } from '../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { ArgumentKind } from './keys.ts'

const FORMATS: ReadonlyMap<string, ArgumentKind> = new Map([
  ...(['uri', 'url', 'uri-reference', 'iri', 'uri-template'] as const).map((format): [string, ArgumentKind] => [format, 'url']),
  ...(['hostname', 'idn-hostname', 'ipv4', 'ipv6'] as const).map((format): [string, ArgumentKind] => [format, 'host']),
  ...(['path', 'file-path', 'directory-path'] as const).map((format): [string, ArgumentKind] => [format, 'path']),
  ['email', 'recipient'],
  ['idn-email', 'recipient'],
  ['password', 'secret'],
])

const SAYINGS: readonly (readonly [RegExp, ArgumentKind])[] = [
  [/\b(?:shell|bash|terminal|command[ -]line) (?:command|script)\b|\bcommand to (?:run|execute)\b/i, 'command'],
  [/\b(?:sql|database) (?:query|statement)\b|\bsql to (?:run|execute)\b/i, 'sql'],
  [/\b(?:file|directory|folder|absolute|relative) paths?\b|\bpath (?:to|of) (?:the|a|an)\b/i, 'path'],
  [/\b(?:url|uri|web address) (?:to|of)\b/i, 'url'],
  [/\b(?:python|javascript|source) code to (?:run|execute)\b/i, 'code'],
]

const LONGEST = 500
const MAX_PROPERTIES = 500

const NO_KINDS: ReadonlyMap<string, ArgumentKind> = new Map()

/** Kinds by the name of a property, wherever it stands in the schema; iterative and bounded. */
export function schemaKinds(definition: ToolDefinition | null): ReadonlyMap<string, ArgumentKind> {
  if (definition === null || definition.inputSchema === null) return NO_KINDS
  const kinds = new Map<string, ArgumentKind>()
  const open: Json[] = [definition.inputSchema]
  for (let next = open.pop(); next !== undefined && kinds.size < MAX_PROPERTIES && open.length < MAX_PROPERTIES; next = open.pop()) {
    if (!isJsonObject(next)) continue
    const properties = own(next, 'properties')
    for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const kind = kindOf(schema) ?? kindOf(isJsonObject(schema) ? (own(schema, 'items') ?? null) : null)
      if (kind !== null) kinds.set(name, kind)
      open.push(schema)
    }
    open.push(...unnamedSchemas(next))
  }
  return kinds
}

/** The schemas inside of one that have no name: those of members and of choices. */
function unnamedSchemas(schema: JsonObject): readonly Json[] {
  const members = ['items', 'additionalProperties'].map((key) => own(schema, key) ?? null)
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const listed = own(schema, key)
    return Array.isArray(listed) ? listed : []
  })
  return [...members, ...choices]
}

function kindOf(schema: Json): ArgumentKind | null {
  if (!isJsonObject(schema)) return null
  const format = own(schema, 'format')
  const byFormat = typeof format === 'string' ? FORMATS.get(format) : undefined
  if (byFormat !== undefined) return byFormat
  const description = own(schema, 'description')
  if (typeof description !== 'string') return null
  return SAYINGS.find(([pattern]) => pattern.test(description.slice(0, LONGEST)))?.[1] ?? null
}

/**
 * Roles of a tool's arguments as a draft: from the names, types, formats and descriptions of its schema. What a policy says wins over all
 * of it. Pure; a schema is what a server says of itself, so a draft is to be read by the operator before it counts for much.
 */
import type { ToolDefinition } from '../../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { type Named, roleByName } from './names.ts'
import type { RoleOf } from './role.ts'

const MAX_ARGUMENTS = 200
const MAX_DEPTH = 6

/** By the dotted name of each argument that holds a value, `*` for a position: `edits.*.path`. */
export function draftRoles(definition: Pick<ToolDefinition, 'inputSchema'> | null): ReadonlyMap<string, RoleOf> {
  const roles = new Map<string, RoleOf>()
  if (definition?.inputSchema != null) visit(definition.inputSchema, { name: '', key: '', depth: 0, description: '' }, roles)
  return roles
}

interface At {
  readonly name: string
  /** The nearest name. */
  readonly key: string
  readonly depth: number
  readonly description: string
}

function visit(schema: Json, at: At, roles: Map<string, RoleOf>): void {
  if (!isJsonObject(schema) || at.depth > MAX_DEPTH || roles.size >= MAX_ARGUMENTS) return
  const description = `${at.description} ${text(schema, 'description')}`.trim()
  for (const choices of ['anyOf', 'oneOf', 'allOf']) {
    const list = own(schema, choices)
    for (const choice of Array.isArray(list) ? list : []) visit(choice, { ...at, description, depth: at.depth + 1 }, roles)
  }
  const properties = own(schema, 'properties')
  if (isJsonObject(properties)) {
    for (const [key, value] of Object.entries(properties)) {
      visit(value, { name: at.name === '' ? key : `${at.name}.${key}`, key, depth: at.depth + 1, description: '' }, roles)
    }
    return
  }
  const items = own(schema, 'items')
  if (isJsonObject(items)) visit(items, { ...at, name: `${at.name}.*`, description, depth: at.depth + 1 }, roles)
  else if (at.name !== '' && !roles.has(at.name)) {
    const role = roleBySchema(schema, { ...at, description })
    if (role !== null) roles.set(at.name, role)
  }
}

const FORMATS: Readonly<Record<string, Named>> = {
  email: { role: 'target', sort: 'party' },
  'idn-email': { role: 'target', sort: 'party' },
  uri: { role: 'target', sort: 'place' },
  url: { role: 'target', sort: 'place' },
  hostname: { role: 'target', sort: 'place' },
  path: { role: 'target', sort: 'place' },
  password: { role: 'credential', sort: null },
  date: { role: 'option', sort: null },
  time: { role: 'option', sort: null },
  'date-time': { role: 'option', sort: null },
}

/** First match decides. Descriptions say what names leave open. */
const SAYINGS: readonly (readonly [RegExp, Named])[] = [
  [/\b(?:one[- ]time|otp|password|passcode|secret key|access token|api key)\b/, { role: 'credential', sort: null }],
  [/\b(?:session|tab|cursor|pagination|page) (?:id|token|handle)\b|\bopaque\b/, { role: 'handle', sort: null }],
  [/\b(?:iban|e-?mail address(?:es)?|recipients?|phone number|username|wallet|account number)\b/, { role: 'target', sort: 'party' }],
  [
    /\b(?:urls?|web address|web ?page|host ?name|domain|(?:file|directory|folder|absolute|relative) path|path (?:to|of))\b/,
    { role: 'target', sort: 'place' },
  ],
  [/\b(?:id|identifier|name) of (?:the|a|an)\b/, { role: 'target', sort: 'thing' }],
  [/\b(?:search (?:term|query|string)|query|keyword|filter)s?\b/, { role: 'selector', sort: null }],
  [/\b(?:amount|price|sum|quantity|number of)\b/, { role: 'amount', sort: null }],
  [/\b(?:body|content|text|message|subject|description)\b/, { role: 'content', sort: null }],
  [/\b(?:date|time|day|iso format|true|false|whether|optional flag)\b/, { role: 'option', sort: null }],
]

function roleBySchema(schema: JsonObject, { key, description }: At): RoleOf | null {
  const type = own(schema, 'type')
  const format = FORMATS[text(schema, 'format')]
  if (type === 'boolean' || Array.isArray(own(schema, 'enum'))) return { role: 'option', sort: null, by: 'schema' }
  if (format !== undefined) return { ...format, by: 'schema' }
  const named = roleByName(key)
  // A password by its format or its name is one whatever is said of it; where a name only says "which", the description may say whom.
  if (named !== null) return { ...named, by: 'name' }
  const said = SAYINGS.find(([pattern]) => pattern.test(description.slice(0, 500).toLowerCase()))
  if (said !== undefined) return { ...said[1], by: 'schema' }
  return type === 'number' || type === 'integer' ? { role: 'option', sort: null, by: 'schema' } : null
}

function text(schema: JsonObject, key: string): string {
  const value = own(schema, key)
  return typeof value === 'string' ? value : ''
}

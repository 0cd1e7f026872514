/** Requests that tell a store to delete: a statement in the body, or a path by which stores delete what a query finds. */

import { isJsonObject, type Json, parseJson } from '../../../core/json.ts'
import type { CommandContext, Input, Word } from '../../host.ts'
import { textOf } from '../../resources/file-text.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { changesGraph } from '../../sql/index.ts'

/** Statements of SQL that change or remove much, as they begin; prose does not begin so. */
const SQL = new RegExp(
  String.raw`^\s*(?:drop\s+(?:table|database|schema|view|index|keyspace|measurement|series)\s|truncate\s+(?:table\s)?\w|delete\s+from\s+\S` +
    String.raw`|alter\s+table\s|update\s+[\w."${'`'}]{1,80}\s+set\s|grant\s+\w)`,
  'i',
)

/** Paths of stores that delete whatever a query finds, each with the body that says so; without one the path says it alone. */
const DELETES: readonly { readonly path: RegExp; readonly body?: RegExp }[] = [
  { path: /\/_delete_by_query(?:[/?]|$)/ },
  { path: /\/_bulk(?:\?|$)/, body: /\{\s{0,9}"delete"\s{0,9}:/ },
  { path: /\/api\/v1\/admin\/tsdb\/(?:delete_series|clean_tombstones)(?:\?|$)/ },
  { path: /\/api\/v2\/delete(?:\?|$)/ },
  { path: /\/loki\/api\/v1\/delete(?:\?|$)/ },
  { path: /\/solr\/[\w-]{1,80}\/update(?:\/\w+)?(?:\?|$)/, body: /<delete[>\s]|"delete"\s*:/ },
  { path: /\/alter(?:\?|$)/, body: /"drop_(?:all|attr|op)"\s*:/ },
  { path: /\/collections\/[\w-]{1,80}\/points\/delete(?:\?|$)/ },
  { path: /\/v1\/graphql\/?$/, body: /\bdelete_\w{1,80}\s*\(\s*where\s*:\s*\{\s*\}/ },
]

/** A query that every document fits. */
const ALL = /"match_all"|\*:\*|^\s*$|"drop_all"\s*:\s*true|\{\s*\}/

interface Sent {
  /** Upper case; null where it is not known. */
  readonly method: string | null
  readonly urls: readonly Word[]
  readonly bodies: readonly Pick<Word, 'text' | 'prefix' | 'span'>[]
}

/** Bytes of a file with statements that are read; a longer one is not looked through. */
const MAX_FILE = 65_536

/** The body that a file holds when the request is sent; none where that is not known. */
export function bodyIn(file: Word, context: CommandContext): Sent['bodies'] {
  const text = textOf(file, context, MAX_FILE)
  return text === null ? [] : [{ text, prefix: text, span: file.span }]
}

/** What is sent as it is given: a text, or `@` with a file, `-` for what the program reads. */
export function bodiesOf(words: readonly Word[], input: Input, context: CommandContext): Sent['bodies'] {
  return words.flatMap((word) => {
    if (word.prefix === '@-') return inputBody(input, context)
    return word.prefix.startsWith('@') ? bodyIn(sliceWord(word, 1), context) : word
  })
}

/** What a program reads and sends. */
export function inputBody(input: Input, context: CommandContext): Sent['bodies'] {
  if (input.kind === 'file') return bodyIn(input.word, context)
  return input.kind === 'text' && input.text !== null ? [{ text: input.text, prefix: input.text, span: input.span }] : []
}

/** Reports what the bodies of a request tell the store at its address. */
export function reportQueries({ method, urls, bodies }: Sent, context: CommandContext): void {
  const [url] = urls
  if (url === undefined || method === 'GET' || method === 'HEAD') return
  const database = context.thing('database', url.text ?? url.prefix)
  const said = bodies.map(({ text, prefix }) => text ?? prefix)
  for (const [at, body] of said.entries())
    for (const statement of statementsIn(body))
      if (SQL.test(statement) || changesGraph(statement)) context.sql(statement, (bodies[at] ?? url).span, database)
  const address = url.text ?? url.prefix
  const body = said.join('\n')
  if (!DELETES.some(({ path, body: fits }) => path.test(address) && (fits === undefined || fits.test(body)))) return
  const all = said.length === 0 || ALL.test(body)
  context.emit('delete', database, { action: 'sql:delete', span: url.span, reversible: false, attributes: { where: !all, over: 'http' } })
}

const FIELD = /^(?:update|query|statement|statements|cypher|gremlin|sql|stmt|q)$/i
const MAX_BODY = 65_536
const MAX_OPEN = 200

/** The body itself, the fields of a form, and of JSON what stands under the names of statements. */
function statementsIn(body: string): readonly string[] {
  if (body.length > MAX_BODY) return []
  const json = /^\s*[[{]/.test(body) ? parseJson(body) : undefined
  if (json !== undefined) return named(json)
  const [, name = '', value = ''] = /^([\w-]{1,40}):?=([\s\S]*)$/.exec(body) ?? []
  if (!FIELD.test(name)) return [body]
  const inner = /^\s*[[{]/.test(value) ? parseJson(value) : undefined
  return inner === undefined ? [decoded(value)] : named(inner)
}

function named(json: Json): readonly string[] {
  const open: (readonly [string, Json])[] = [['', json]]
  const found: string[] = []
  for (let seen = 0; seen < MAX_OPEN; seen++) {
    const next = open.shift()
    if (next === undefined) break
    const [key, value] = next
    if (typeof value === 'string' && FIELD.test(key)) found.push(value)
    else if (Array.isArray(value)) for (const item of value) open.push([key, item])
    else if (isJsonObject(value)) for (const [name, item] of Object.entries(value)) open.push([name, item])
  }
  return found
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

/**
 * The headers in which a request over HTTP says again what its body says (MCP 2026-07-28): derived for servers behind a bridge, and
 * compared where a client sent them, for a router may go by the one and the server by the other.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { metaOf } from '../answers.ts'

export const VERSION_HEADER = 'mcp-protocol-version'
export const METHOD_HEADER = 'mcp-method'
export const NAME_HEADER = 'mcp-name'
export const PARAM_PREFIX = 'mcp-param-'

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>

/** Where the body holds what `Mcp-Name` repeats. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** An argument that a header repeats, as the tool's schema declares it. */
export interface ParamHeader {
  /** In lower case, with its prefix. */
  readonly header: string
  readonly path: readonly string[]
}

interface Said {
  readonly method: string
  readonly params: JsonObject
}

/** Headers for a request of the stateless protocol; a value that cannot be said in a header is left off. */
export function headersFor({ method, params }: Said, declared: readonly ParamHeader[]): Record<string, string> {
  const version = own(metaOf(params), 'io.modelcontextprotocol/protocolVersion')
  if (typeof version !== 'string' || !isPlain(version)) return {}
  const field = NAMED.get(method)
  const name = field === undefined ? undefined : own(params, field)
  return {
    [VERSION_HEADER]: version,
    ...(isPlain(method) ? { [METHOD_HEADER]: method } : {}),
    ...(typeof name === 'string' ? { [NAME_HEADER]: encoded(name) } : {}),
    ...paramHeaders(own(params, 'arguments'), declared),
  }
}

/** Headers that repeat these arguments. */
export function paramHeaders(args: Json | undefined, declared: readonly ParamHeader[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { header, path } of declared) {
    const text = textOf(at(args, path))
    if (text !== null) found[header] = encoded(text)
  }
  return found
}

/** Why headers and body do not say the same; null where they do, or where the headers say nothing. */
export function headerMismatch(headers: HeaderValues, { method, params }: Said, declared: readonly ParamHeader[]): string | null {
  const version = own(metaOf(params), 'io.modelcontextprotocol/protocolVersion')
  if (typeof version === 'string' && differs(headers[VERSION_HEADER], version))
    return 'the header MCP-Protocol-Version and the body name two versions'
  if (differs(headers[METHOD_HEADER], method)) return 'the header Mcp-Method and the body name two methods'
  const field = NAMED.get(method)
  const name = field === undefined ? undefined : own(params, field)
  const given = headers[NAME_HEADER]
  if (given !== undefined && field !== undefined && differs(given, typeof name === 'string' ? name : null))
    return `the header Mcp-Name and \`params.${field}\` are not the same`
  const args = own(params, 'arguments')
  const odd = declared.find(({ header, path }) => headers[header] !== undefined && differs(headers[header], textOf(at(args, path))))
  return odd === undefined ? null : `a header and the argument \`${odd.path.join('.')}\` that it repeats are not the same`
}

/** Why a request of the stateless protocol lacks a header that it must have; null where it does not. For servers without HTTP of their own. */
export function missingHeader(headers: HeaderValues, { method, params }: Said): string | null {
  if (headers[VERSION_HEADER] === undefined) return 'the header MCP-Protocol-Version is missing'
  if (headers[METHOD_HEADER] === undefined) return 'the header Mcp-Method is missing'
  const field = NAMED.get(method)
  return field !== undefined && typeof own(params, field) === 'string' && headers[NAME_HEADER] === undefined
    ? 'the header Mcp-Name is missing'
    : null
}

/** The first version of the protocol that has no sessions. */
const STATELESS = '2026-07-28'

/** True where the headers name a version without sessions: every request of it introduces its client in `_meta`. */
export function isStatelessHeader({ [VERSION_HEADER]: version }: HeaderValues): boolean {
  return typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && version >= STATELESS
}

/** What a request of the stateless protocol does not say of its client; null where nothing is missing. For servers without HTTP of their own. */
export function missingMeta({ params }: Said): string | null {
  const meta = metaOf(params)
  if (typeof own(meta, 'io.modelcontextprotocol/protocolVersion') !== 'string') return '`_meta` names no protocol version'
  const capabilities = own(meta, 'io.modelcontextprotocol/clientCapabilities')
  return capabilities !== undefined && isJsonObject(capabilities) ? null : '`_meta` names no capabilities of the client'
}

/** The argument that a header must repeat and none does; null where there is none. For servers without HTTP of their own, too. */
export function missingParam(headers: HeaderValues, { params }: Said, declared: readonly ParamHeader[]): string | null {
  const args = own(params, 'arguments')
  const missing = declared.find(({ header, path }) => headers[header] === undefined && textOf(at(args, path)) !== null)
  return missing === undefined ? null : `the header that repeats the argument \`${missing.path.join('.')}\` is missing`
}

/** The keyword by which a schema has an argument repeated in a header. */
export const DECLARING = 'x-mcp-header'

export const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
const MAX_DECLARED = 100

/** The arguments that the schema of a tool has repeated in headers. */
export function paramHeadersOf(schema: JsonObject | null): readonly ParamHeader[] {
  const found: ParamHeader[] = []
  const open: { readonly schema: Json; readonly path: readonly string[] }[] = schema === null ? [] : [{ schema, path: [] }]
  for (let next = open.pop(); next !== undefined && found.length < MAX_DECLARED && open.length < 1_000; next = open.pop()) {
    if (!isJsonObject(next.schema)) continue
    const name = own(next.schema, DECLARING)
    if (typeof name === 'string' && TOKEN.test(name) && next.path.length > 0)
      found.push({ header: `${PARAM_PREFIX}${name.toLowerCase()}`, path: next.path })
    const properties = own(next.schema, 'properties')
    if (!isJsonObject(properties) || next.path.length > 20) continue
    for (const [key, child] of Object.entries(properties)) open.push({ schema: child, path: [...next.path, key] })
  }
  return found
}

function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found = value
  for (const key of path) found = isJsonObject(found) ? own(found, key) : undefined
  return found
}

/** As the protocol writes primitives; null for what has no header. */
function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? String(value) : null
}

/** True where the header was sent and says something else; a header that was sent twice says two things. */
function differs(header: string | string[] | undefined, expected: string | null): boolean {
  if (header === undefined) return false
  return expected === null || typeof header !== 'string' || decoded(header) !== expected
}

const WRAPPED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

function isPlain(text: string): boolean {
  return text !== '' && /^[\x20-\x7e\t]*$/.test(text) && text === text.trim() && !text.startsWith('=?base64?')
}

function encoded(text: string): string {
  return isPlain(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** Null where it is no valid encoding. Only with both its beginning and its end is it one; anything else is meant as it stands. */
function decoded(value: string): string | null {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const [, base64 = null] = WRAPPED.exec(value) ?? []
  if (base64 === null) return null
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString('utf8')
  // What does not come back as it was has two readings.
  return bytes.toString('base64') === base64 && Buffer.from(text, 'utf8').equals(bytes) ? text : null
}

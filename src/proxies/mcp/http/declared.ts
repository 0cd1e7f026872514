/**
 * Tools whose schema declares headers in a form that the stateless protocol forbids: whoever speaks HTTP to their server leaves them out of
 * its list, since no request of them could be told from another by its headers.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { toolsOf } from '../catalog.ts'
import { encode, readMessage } from '../message.ts'
import { DECLARING, TOKEN } from './headers.ts'

export interface Declared {
  /** The message as it came, or without those tools. */
  readonly bytes: Uint8Array
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

/** Of the answer to `tools/list`. */
export function withoutOddTools(bytes: Uint8Array): Declared {
  const message = readMessage(bytes)
  const tools = message.kind === 'response' ? toolsOf(message.result) : []
  const faults = tools.map((tool) => declarationFault(own(tool, 'inputSchema')))
  if (message.kind !== 'response' || !isJsonObject(message.result ?? null) || faults.every((each) => each === null))
    return { bytes, left: [] }
  const left = tools.flatMap((tool, index) => {
    const why = faults[index] ?? null
    return why === null ? [] : [{ name: String(own(tool, 'name')), why }]
  })
  const kept = tools.filter((_tool, index) => faults[index] === null)
  return { bytes: encode({ ...message.value, result: { ...(message.result as JsonObject), tools: kept } }), left }
}

/** Types of arguments that a header can repeat. */
const PRIMITIVE: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Parts of a schema that are looked at. */
const MAX_PARTS = 10_000

/** What is wrong with the headers that a schema declares; null: nothing. */
export function declarationFault(schema: Json | undefined): string | null {
  const names = new Set<string>()
  const open: Json[] = schema === undefined ? [] : [schema]
  for (let parts = 0; open.length > 0; parts += 1) {
    if (parts >= MAX_PARTS) return 'its schema is too large to be looked through'
    const next = open.pop() ?? null
    if (Array.isArray(next)) open.push(...next)
    if (!isJsonObject(next)) continue
    const fault = faultOf(next, names)
    if (fault !== null) return fault
    for (const [key, child] of Object.entries(next)) if (!DATA.has(key)) open.push(child)
  }
  return null
}

/** Members of a schema that hold values, not schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', DECLARING])

function faultOf(schema: JsonObject, names: Set<string>): string | null {
  const name = own(schema, DECLARING)
  // An argument may be called so, too: then it is a schema itself.
  if (name === undefined || isJsonObject(name)) return null
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'it declares a header whose name is none'
  if (!PRIMITIVE.has(own(schema, 'type'))) return `the header \`${name}\` repeats an argument that is no text, whole number or boolean`
  if (names.has(name.toLowerCase())) return `two arguments have the header \`${name}\``
  names.add(name.toLowerCase())
  return null
}

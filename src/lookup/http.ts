/** Reads one JSON value over HTTP for a state provider. `fetch` is handed in: this room opens nothing by itself. */
import type { JsonObject } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import type { HttpLookup } from '../policy/contracts/model.ts'
import { readPath } from '../policy/contracts/path.ts'
import { NothingFound } from './nothing.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const MAX_BYTES = 1_048_576

/** The JSON value that this very address answers for these arguments; 404 and 410 find nothing. Rejects with what is wrong. */
export async function lookUpHttp(
  lookup: HttpLookup,
  args: JsonObject,
  { fetch, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal },
) {
  const missing = lookup.args.find((path) => readPath(args, path) === undefined)
  if (missing !== undefined) throw new NothingFound(`the argument \`${missing.text}\` is missing`)
  const url = addressOf(lookup, args)
  if (url === undefined) throw new Error('an argument cannot be a part of the address')
  // A redirect would let the answer of one host send the request, with its headers, to another.
  const headers = { accept: 'application/json', ...Object.fromEntries(lookup.headers) }
  const response = await fetch(url, { method: 'GET', headers, redirect: 'error', signal })
  if (response.status === 404 || response.status === 410) throw new NothingFound(`the answer is ${response.status}`)
  if (!response.ok) throw new Error(`the answer is ${response.status}`)
  const body = Number(response.headers.get('content-length') ?? 0) > MAX_BYTES ? undefined : await bounded(response)
  if (body === undefined) throw new Error('the answer is empty, or too large')
  const read = readJson(body)
  if (!read.ok) throw new Error(`the answer is no JSON: ${read.refusal.message}`)
  return read.value
}

/** The address with its arguments; undefined where one is missing, or could move the request to another path. */
export function addressOf({ parts, args: paths }: HttpLookup, args: JsonObject): string | undefined {
  let url = parts[0] ?? ''
  for (const [index, path] of paths.entries()) {
    const value = readPath(args, path)
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    const text = String(value)
    // `encodeURIComponent` leaves dots alone, and `..` is a way up even where it is encoded.
    if (text === '' || text === '.' || text === '..' || text.length > 1_024) return undefined
    url += encoded(text) + (parts[index + 1] ?? '')
  }
  return url
}

function encoded(text: string): string {
  // Half a surrogate pair cannot be encoded; it cannot be an id either.
  return text.isWellFormed() ? encodeURIComponent(text) : '%EF%BF%BD'
}

async function bounded(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 0 ? undefined : joined(chunks, size)
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

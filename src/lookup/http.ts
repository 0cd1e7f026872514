/** Reads one JSON value over HTTP for a state provider. `fetch` is handed in: this room opens nothing by itself. */
import type { Json, JsonObject } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import type { HttpLookup } from '../policy/contracts/model.ts'
import { readPath } from '../policy/contracts/path.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const MOST_BYTES = 1_048_576

/** What the address answers for these arguments; undefined for everything that is no JSON value from that very address. */
export async function lookUpHttp(
  lookup: HttpLookup,
  args: JsonObject,
  { fetch, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal },
) {
  const url = addressOf(lookup, args)
  if (url === undefined) return undefined
  // A redirect would let the answer of one host send the request, with its headers, to another.
  const headers = { accept: 'application/json', ...Object.fromEntries(lookup.headers) }
  const response = await fetch(url, { method: 'GET', headers, redirect: 'error', signal })
  if (!response.ok || Number(response.headers.get('content-length') ?? 0) > MOST_BYTES) return undefined
  const body = await bounded(response)
  const read = body === undefined ? null : readJson(body)
  return read?.ok === true ? (read.value as Json) : undefined
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
    if (size > MOST_BYTES) return undefined
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

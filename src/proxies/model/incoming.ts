/** A request's body, and answers that need no upstream. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { JsonObject } from '../../core/json.ts'
import { AUTH_HEADERS } from './upstream.ts'

/** Bytes of a request; images make them long. */
export const MAX_REQUEST = 128 * 1024 * 1024

/** Null where it is longer than may be, or broke off. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > MAX_REQUEST) return null
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

/** The body without its content encoding; null where that is not known or the body is none of it. */
export function plainBody(body: Buffer, encoding: string | undefined): Buffer | null {
  const options = { maxOutputLength: MAX_REQUEST }
  try {
    switch (encoding?.trim().toLowerCase() ?? 'identity') {
      case 'identity':
        return body
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, options)
      case 'deflate':
        return inflateSync(body, options)
      case 'br':
        return brotliDecompressSync(body, options)
      default:
        return null
    }
  } catch {
    return null
  }
}

/** Names one request of one sender: the same again is the same. */
export function fingerprintOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string {
  const senders = [
    ...AUTH_HEADERS,
    'x-countersign-token',
    'x-countersign-session',
    'x-countersign-agent',
    'x-countersign-user',
    'x-signet-session',
  ]
  const claims = [...senders, 'x-agent-id', 'x-commit-owner', 'x-countersign-role', 'x-countersign-tenant'].map(
    (name) => headers[name] ?? null,
  )
  const head = JSON.stringify(['countersign/request/v1', method, url, claims])
  return createHash('sha256').update(head).update('\0').update(body).digest('hex')
}

export function answerJson(response: ServerResponse, status: number, body: JsonObject): void {
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
  })
  response.end(text)
}

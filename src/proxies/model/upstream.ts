/** The way to the model API: which one, with which headers, and its answer as plain bytes. */
import { type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Upstream } from '../../policy/proxies/model.ts'

/** Belong to one connection, and so to neither side's other one. */
const HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Of the request: named anew, or meant for us alone. */
const OURS: readonly RegExp[] = [
  /^(?:host|content-length|accept-encoding)$/,
  /^(?:x-)?countersign-/,
  /^x-(?:commit-owner|agent-id|signet-.*|policy-name|policy-version|classification|caller-clearance)$/,
]

export const AUTH_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const

export interface Destination {
  readonly upstream: Upstream
  /** With its query, as it is sent on. */
  readonly path: string
}

/** The upstream with the longest prefix that the path is below; null where there is none. */
export function destinationOf(target: string, upstreams: readonly Upstream[]): Destination | null {
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  const fitting = upstreams.filter(({ prefix }) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`))
  const [upstream] = fitting.toSorted((a, b) => b.prefix.length - a.prefix.length)
  return upstream === undefined ? null : { upstream, path: target.slice(upstream.prefix.length) || '/' }
}

export type Headers = Record<string, string | string[]>

/** What is sent on of a request's headers. Its key goes along, unless the proxy has one of its own to send. */
export function requestHeaders(given: IncomingHttpHeaders, { drop }: { readonly drop: readonly string[] }): Headers {
  const named = connectionNames(given.connection)
  const kept = Object.entries(given).filter(
    ([name, value]) =>
      value !== undefined && !HOP.has(name) && !OURS.some((pattern) => pattern.test(name)) && !named.has(name) && !drop.includes(name),
  )
  return { ...(Object.fromEntries(kept) as Headers), 'accept-encoding': 'identity' }
}

export function responseHeaders(given: IncomingHttpHeaders): Headers {
  const named = connectionNames(given.connection)
  const kept = Object.entries(given).filter(
    ([name, value]) =>
      value !== undefined && !HOP.has(name) && !named.has(name) && name !== 'content-length' && name !== 'content-encoding',
  )
  return Object.fromEntries(kept) as Headers
}

function connectionNames(value: string | undefined): ReadonlySet<string> {
  return new Set((value ?? '').split(',').map((name) => name.trim().toLowerCase()))
}

const AGENTS = {
  'http:': new PlainAgent({ keepAlive: true, noDelay: true }),
  'https:': new TlsAgent({ keepAlive: true, noDelay: true }),
} as const

export interface Sending {
  readonly method: string
  readonly headers: Headers
  readonly body: Buffer
  readonly signal: AbortSignal
}

/** Sends the request; resolves with the head of the answer, rejects where there is none. */
export function send({ upstream, path }: Destination, { method, headers, body, signal }: Sending): Promise<IncomingMessage> {
  const url = new URL(upstream.url)
  const options = {
    method,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname.replace(/\/$/, '')}${path}`,
    headers: { ...headers, host: url.host, ...(body.length > 0 || method === 'POST' ? { 'content-length': String(body.length) } : {}) },
    signal,
  }
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:' ? tlsRequest({ ...options, agent: AGENTS['https:'] }) : plainRequest({ ...options, agent: AGENTS['http:'] })
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body)
  })
}

/** The body without its content encoding; null where the encoding is not known. */
export function decoded(answer: IncomingMessage): Readable | null {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? ''
  switch (encoding) {
    case '':
    case 'identity':
      return answer
    case 'gzip':
    case 'x-gzip':
      return unpacked(answer, createGunzip())
    case 'deflate':
      return unpacked(answer, createInflate())
    case 'br':
      return unpacked(answer, createBrotliDecompress())
    default:
      return null
  }
}

function unpacked(answer: IncomingMessage, unpacking: ReturnType<typeof createGunzip>): Readable {
  answer.once('error', (error) => unpacking.destroy(error))
  answer.once('aborted', () => unpacking.destroy(new Error('the upstream broke the connection')))
  return answer.pipe(unpacking)
}

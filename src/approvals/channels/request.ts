/**
 * One HTTP request of a channel. Every address of the host is looked up and checked before the connection, which goes to
 * those very addresses (T10); redirects are not followed; time and size are bounded.
 */
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { addressScope } from '../../facts/resources/url/address.ts'
import { ChannelFailure } from './channel.ts'

export interface ChannelRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly allowPrivate: boolean
}

export interface ChannelResponse {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: Uint8Array
}

/** Every address of a host name; rejects where it has none. */
export type ResolveAddresses = (name: string) => Promise<readonly string[]>

const MAX_BYTES = 262_144
const MAX_ADDRESSES = 16

/** The answer, whatever its status. @throws {ChannelFailure} where there is none. The address itself is in no message: it may be secret. */
export async function sendRequest(sent: ChannelRequest, resolve: ResolveAddresses): Promise<ChannelResponse> {
  const url = new URL(sent.url)
  const signal = AbortSignal.timeout(sent.timeoutMs)
  const addresses = await inTime(addressesOf(url.hostname, resolve), signal)
  checkAddresses(addresses, sent.allowPrivate)
  return exchange(sent, { url, addresses, signal })
}

async function addressesOf(hostname: string, resolve: ResolveAddresses): Promise<readonly string[]> {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (isIP(bare) !== 0) return [bare]
  try {
    return (await resolve(bare)).slice(0, MAX_ADDRESSES)
  } catch {
    return []
  }
}

/** One private address among public ones is enough: which one the connection would take is not ours to say. */
function checkAddresses(addresses: readonly string[], allowPrivate: boolean): void {
  if (addresses.length === 0) throw new ChannelFailure('the name of the host has no address')
  for (const address of addresses) {
    const scope = addressScope(address)
    if (scope === 'public' || (allowPrivate && scope !== null && scope !== 'metadata')) continue
    throw new ChannelFailure(`the host has a ${scope ?? 'strange'} address, which this channel may not reach`)
  }
}

interface Connection {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}

function exchange(sent: ChannelRequest, { url, addresses, signal }: Connection): Promise<ChannelResponse> {
  const bytes = Buffer.from(sent.body)
  const headers = { ...sent.headers, 'user-agent': 'countersign', ...(sent.method === 'POST' ? { 'content-length': bytes.length } : {}) }
  const start = url.protocol === 'https:' ? secure : plain
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(signal.aborted ? late() : failureOf(error))
    // No agent: a connection that is kept would outlive the check of its address.
    const options = { method: sent.method, headers, agent: false, signal, lookup: pinned(addresses) }
    const request = start(url, options, (response) => {
      collect(response).then((body) => resolve(answerOf(response, body)), fail)
    })
    request.on('error', fail)
    request.end(bytes)
  })
}

/** Answers only what was checked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const first = known[0]
    if (options.all === true) callback(null, known)
    else if (first !== undefined) callback(null, first.address, first.family)
  }
}

async function collect(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new ChannelFailure(`it answered with more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function answerOf({ statusCode, headers }: IncomingMessage, body: Uint8Array): ChannelResponse {
  return {
    status: statusCode ?? 0,
    header: (name) => {
      const value = headers[name]
      return typeof value === 'string' ? value : null
    },
    body,
  }
}

async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(late()), { once: true }))
  return Promise.race([work, over])
}

function late(): ChannelFailure {
  return new ChannelFailure('it did not answer in time')
}

function failureOf(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'the connection broke'
  return new ChannelFailure(`it cannot be reached: ${code}`)
}

/** How long a receiver that is busy asks to wait, in milliseconds; null where it does not say. */
export function retryAfter({ header }: ChannelResponse): number | null {
  const seconds = header('retry-after')
  return seconds !== null && /^\d{1,5}$/.test(seconds) ? Number(seconds) * 1_000 : null
}

/** The proxy as a server over HTTP: who calls, which server is meant, and the same care for browsers as everywhere. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { plainBody } from '../../model/incoming.ts'
import { errorAnswer, INVALID_REQUEST, PARSE_ERROR } from '../answers.ts'
import { MAX_MESSAGE } from '../message.ts'
import type { Behind, Incoming } from './incoming.ts'
import type { HttpCaller } from './sessions.ts'

export interface AdmittedCaller extends HttpCaller {
  /** Headers that must not go on. */
  readonly drop: readonly string[]
}

export interface McpHttpParts {
  /** Servers by their path, such as `/mcp`. */
  readonly servers: ReadonlyMap<string, Behind>
  /** The counters, for Prometheus. */
  readonly metrics: () => string
  /** Null: nobody who may call. */
  readonly callerOf: (request: IncomingMessage) => AdmittedCaller | null
  /** Why the request may not come from where it says; null: it may. */
  readonly siteFault: (request: IncomingMessage) => string | null
  /** Told in one line of what failed inside. */
  readonly note: (line: string) => void
}

export function createMcpServer(parts: McpHttpParts): Server {
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000 }, (request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      parts.note(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      response.destroy()
    })
  })
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'))
  server.requestTimeout = 0
  server.headersTimeout = 60_000
  return server
}

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'
const WELL_KNOWN = '/.well-known/'

async function handle(parts: McpHttpParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const site = parts.siteFault(request)
  if (site !== null) return refuse(response, 403, site)
  if (path === '/countersign/healthz') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}\n')
  if (path === '/countersign/metrics') return void response.writeHead(200, { 'content-type': TEXT }).end(parts.metrics())
  if (path.startsWith(WELL_KNOWN)) return wellKnown(parts, path.slice(WELL_KNOWN.length), { request, response })
  const behind = parts.servers.get(path)
  if (behind === undefined) return refuse(response, 404, 'no server of Countersign is at this address')
  const caller = parts.callerOf(request)
  if (caller === null) {
    response.setHeader('www-authenticate', 'Bearer realm="countersign"')
    return refuse(response, 401, 'Countersign does not know the caller')
  }
  const raw = request.method === 'POST' ? await bodyOf(request) : new Uint8Array()
  const body = raw === null ? null : plainBody(Buffer.from(raw), encodingOf(request.headers))
  if (body === null)
    return answer(response, 413, errorAnswer(null, PARSE_ERROR, 'the message is too long, broke off, or is packed in an unknown way'))
  const { drop, ...who } = caller
  await behind.handle({ request, response, body, caller: who, drop: [...drop, 'content-encoding'] })
}

async function wellKnown(parts: McpHttpParts, name: string, { request, response }: Pick<Incoming, 'request' | 'response'>): Promise<void> {
  const nobody = { principal: { agent: null, role: null, user: null, tenant: null, chain: [] }, owner: null, session: null }
  const incoming: Incoming = { request, response, body: new Uint8Array(), caller: nobody, drop: [] }
  const [only] = parts.servers.values()
  const at = [...parts.servers].find(([path]) => name.endsWith(path))?.[1] ?? (parts.servers.size === 1 ? only : undefined)
  if (at === undefined || !(await at.wellKnown(incoming, name))) refuse(response, 404, 'there is nothing at this address')
}

function encodingOf({ 'content-encoding': encoding }: IncomingHttpHeaders): string | undefined {
  return encoding
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_MESSAGE) return null
    }
  } catch {
    return null
  }
  return chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  answer(response, status, errorAnswer(null, INVALID_REQUEST, message))
}

function answer(response: ServerResponse, status: number, bytes: Uint8Array): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) })
  response.end(bytes)
}

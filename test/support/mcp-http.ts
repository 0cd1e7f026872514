/** The MCP proxy over HTTP in this process, in front of a scripted server that notes what reached it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Json } from '../../src/core/json.ts'
import { type OpenedGate, openGate } from '../../src/open.ts'
import { createReverse } from '../../src/proxies/mcp/http/reverse.ts'
import { type AdmittedCaller, createMcpServer } from '../../src/proxies/mcp/http/server.ts'
import { createSessions } from '../../src/proxies/mcp/http/sessions.ts'
import { createTraffic } from '../../src/proxies/mcp/traffic.ts'
import { MCP_POLICY, mcpParts, mcpPolicy, TOOLS } from './mcp.ts'
import { stateDirectoryOfTest } from './state.ts'
import { describedView } from './workplace.ts'

export interface Reached {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answering = (reached: Reached, response: ServerResponse) => void

export interface HttpPlace {
  readonly url: string
  readonly origin: string
  readonly opened: OpenedGate
  readonly reached: Reached[]
  readonly uninspected: string[]
  readonly post: (body: Json | string, headers?: Readonly<Record<string, string>>) => Promise<Response>
}

export interface HttpPlaceOptions {
  readonly policy?: string
  /** Answers what the proxy did not ask by itself. */
  readonly answer?: Answering
  readonly callerOf?: (request: IncomingMessage) => AdmittedCaller | null
  readonly headers?: Readonly<Record<string, string>>
}

export const USER: AdmittedCaller = {
  principal: { agent: 'tester', role: null, user: 'me', tenant: null, chain: [] },
  owner: null,
  session: null,
  drop: [],
}

export async function httpPlace({
  policy: text = MCP_POLICY,
  answer = echo,
  callerOf = () => USER,
  headers = {},
}: HttpPlaceOptions = {}): Promise<HttpPlace> {
  const policy = mcpPolicy(text)
  const opened = openGate({ home: stateDirectoryOfTest(), policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
  onTestFinished(() => opened.close())
  const reached: Reached[] = []
  const behind = await listening(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString('utf8')
      const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      if (body.includes('"id":"countersign-')) return json(response, { jsonrpc: '2.0', id: idIn(body), result: { tools: TOOLS } })
      reached.push(seen)
      answer(seen, response)
    }),
  )
  const uninspected: string[] = []
  const parts = mcpParts(opened, () => policy, { uninspected })
  const sessions = createSessions({
    session: null,
    create: (principal, session, facts) =>
      createTraffic(parts, { server: 'filesystem', origin: `${behind}/mcp`, session, cwd: '/repo', principal }, facts),
  })
  const server = createMcpServer({
    servers: new Map([['/mcp', createReverse({ server: { url: new URL(`${behind}/mcp`), headers }, sessions })]]),
    callerOf,
    siteFault: () => null,
    metrics: () => '',
    note: () => {},
  })
  const origin = await listening(server)
  const url = `${origin}/mcp`
  return {
    url,
    origin,
    opened,
    reached,
    uninspected,
    post: (body, more = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function idIn(body: string): Json {
  return (JSON.parse(body) as { readonly id?: Json }).id ?? null
}

export function json(response: ServerResponse, body: Json, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** A result for every request, and 202 for everything else. */
export const echo: Answering = ({ body }, response) => {
  const id = body === '' ? null : idIn(body)
  if (id === null) response.writeHead(202).end()
  else json(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'ran' }] } })
}

/** The MCP proxy: a client's `tools/call`, and a server behind that says that it ran. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { createReverse } from '../../../src/proxies/mcp/http/reverse.ts'
import { type AdmittedCaller, createMcpServer } from '../../../src/proxies/mcp/http/server.ts'
import { createSessions } from '../../../src/proxies/mcp/http/sessions.ts'
import { runStdio } from '../../../src/proxies/mcp/stdio.ts'
import { createTraffic } from '../../../src/proxies/mcp/traffic.ts'
import { mcpParts } from '../../support/mcp.ts'
import type { Case } from '../corpus.ts'
import type { Place } from '../place.ts'
import type { Heard } from '../seam.ts'
import { benchOf, type Opened } from './direct.ts'

const NOBODY = { agent: null, role: null, user: null, tenant: null, chain: [] } as const

function call(tool: string, args: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: tool, arguments: args } }
}

/** The tool's own answer, or the proxy's in its place. */
function told(answer: string): Heard {
  return answer.includes('it ran') ? 'runs' : answer.includes('"isError":true') ? 'stopped' : 'unclear'
}

const toolsOf = (cases: readonly Case[], server: string): JsonObject[] => {
  const names = cases.flatMap(({ form }) => (form.kind === 'server' && form.server === server ? [form.tool] : []))
  return [...new Set(names)].map((name) => ({ name, description: `the tool ${name}`, inputSchema: { type: 'object' } }))
}

/** A server in three lines of `sed`: the tools that it has, and `it ran` for every call. */
function sedServer(tools: readonly JsonObject[]): readonly string[] {
  const answer = (result: Json) => JSON.stringify({ jsonrpc: '2.0', id: 'ID', result }).replace('"ID"', '\\1')
  const id = '.*"id":\\("[^"]*"\\).*'
  const lines = { 'tools\\/list': answer({ tools: [...tools] }), 'tools\\/call': answer({ content: [{ type: 'text', text: 'it ran' }] }) }
  return ['sed', '-un', ...Object.entries(lines).flatMap(([method, text]) => ['-e', `/"method":"${method}"/s|${id}|${text}|p`])]
}

/** A proxy process has one session and one server, so there are as many of each as the corpus has; the gate is one. */
export function mcpStdio(place: Place, cases: readonly Case[]): Opened {
  const opened = place.open('mcp-stdio')
  const parts = mcpParts(opened, () => place.policy, { uninspected: [] })
  const running = new Map<string, { readonly input: PassThrough; readonly output: PassThrough; readonly ended: Promise<number> }>()
  const client = (session: string, server: string, role: string | null) => {
    const known = running.get(session)
    if (known !== undefined) return known
    const [command = '', ...args] = sedServer(toolsOf(cases, server))
    const ends = { input: new PassThrough(), output: new PassThrough() }
    const side = { server, origin: command, session, cwd: place.repo, principal: { ...NOBODY, role } }
    const ended = runStdio({ command, args, env: { PATH: process.env.PATH } }, ends, createTraffic(parts, side))
    running.set(session, { ...ends, ended })
    return { ...ends, ended }
  }
  return {
    ...benchOf(opened),
    send: async ({ named: { server, tool, args }, session, one }) => {
      const { input, output } = client(session, server ?? '', one.role)
      const answer = lineWith(output, '"id":"call"')
      input.write(`${JSON.stringify(call(tool, args))}\n`)
      return told(await answer)
    },
    close: async () => {
      for (const { input } of running.values()) input.end()
      await Promise.all([...running.values()].map(({ ended }) => ended))
      opened.close()
    },
  }
}

async function lineWith(output: PassThrough, part: string): Promise<string> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(output, 'data')) as [Buffer]
    text += chunk.toString('utf8')
    const line = text.split('\n').find((each) => each.includes(part))
    if (line !== undefined && text.includes('\n')) return line
  }
}

const ROLE = 'x-corpus-role'

/** One proxy for all servers, each behind a path of its own; sessions are those that the client names. */
export async function mcpHttp(place: Place, cases: readonly Case[]): Promise<Opened> {
  const opened = place.open('mcp-http')
  const parts = mcpParts(opened, () => place.policy, { uninspected: [] })
  const names = [...new Set(cases.flatMap(({ form }) => (form.kind === 'server' ? [form.server] : [])))]
  const behind = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { id = null, method } = body === '' ? {} : (JSON.parse(body) as { readonly id?: Json; readonly method?: string })
    if (id === null) return response.writeHead(202).end()
    const server = decodeURIComponent((request.url ?? '').slice(1))
    const result = method === 'tools/list' ? { tools: toolsOf(cases, server) } : { content: [{ type: 'text', text: 'it ran' }] }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const upstream = await listening(behind)
  const reverse = names.map((name) => {
    const sessions = createSessions({
      session: null,
      create: (principal, session, facts) =>
        createTraffic(parts, { server: name, origin: upstream, session, cwd: place.repo, principal }, facts),
    })
    return [`/${name}`, createReverse({ server: { url: new URL(`${upstream}/${name}`), headers: {} }, sessions })] as const
  })
  const proxy = createMcpServer({ servers: new Map(reverse), callerOf, siteFault: () => null, metrics: () => '', note: () => {} })
  const url = await listening(proxy)
  return {
    ...benchOf(opened),
    send: async ({ named: { server, tool, args }, session, one }) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-countersign-session': session,
      }
      const role = one.role === null ? {} : { [ROLE]: one.role }
      const init = { method: 'POST', headers: { ...headers, ...role }, body: JSON.stringify(call(tool, args)) }
      return told(await (await fetch(`${url}/${server}`, init)).text())
    },
    close: async () => {
      for (const each of [proxy, behind]) await new Promise<void>((resolve) => each.close(() => resolve()).closeAllConnections())
      opened.close()
    },
  }
}

/** As a token would say it. */
function callerOf({ headers }: IncomingMessage): AdmittedCaller {
  const [role, session] = [headers[ROLE], headers['x-countersign-session']]
  const principal = { ...NOBODY, role: typeof role === 'string' ? role : null }
  return { principal, owner: null, session: typeof session === 'string' ? session : null, drop: [] }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

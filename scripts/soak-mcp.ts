/**
 * Many sessions at once through `countersign mcp` over HTTP: `npm run build && npm run soak:mcp -- --sessions 10000 --seconds 120`. Each session calls
 * a tool again and again. Fails where a call fails, or where memory grows by more than a tenth between the first half and the end. Linux only.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const CLI = new URL('../dist/cli/bin.js', import.meta.url).pathname
const POLICY = 'version: 1\ndefault: ask\nunregistered: ask\ntool_families: [mcp-filesystem]\nrules: { read_only: { auto_allow: true } }\n'
const TOOL = { name: 'read_file', description: 'Reads a file', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '120' },
    /** Requests under way at once. */
    callers: { type: 'string', default: '16' },
  },
})
const [sessions, seconds, callers] = [values.sessions, values.seconds, values.callers].map(Number) as [number, number, number]

const directory = mkdtempSync(join(tmpdir(), 'countersign-soak-'))
const policy = join(directory, 'policy.yaml')
writeFileSync(policy, POLICY)

let opened = 0
const server = createServer((asked, reply) => {
  let body = ''
  asked.on('data', (chunk: Buffer) => {
    body += chunk.toString()
  })
  asked.on('end', () => {
    const { id, method } = JSON.parse(body === '' ? '{}' : body) as { readonly id?: number; readonly method?: string }
    if (id === undefined) return reply.writeHead(202).end()
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [TOOL] },
      'tools/call': { content: [{ type: 'text', text: 'ok' }] },
    }
    opened += method === 'initialize' ? 1 : 0
    const session = method === 'initialize' ? { 'mcp-session-id': `session-${opened}` } : {}
    return reply
      .writeHead(200, { 'content-type': 'application/json', ...session })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method ?? ''] ?? {} }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`

const proxy = spawn(process.execPath, [CLI, 'mcp', '--policy', policy, '--name', 'files', '--listen', '127.0.0.1:0', '--url', upstream], {
  env: { PATH: process.env.PATH ?? '', HOME: directory, COUNTERSIGN_HOME: join(directory, 'home') },
  cwd: directory,
  stdio: ['ignore', 'ignore', 'pipe'],
})
const address = await new Promise<string>((resolve, reject) => {
  let said = ''
  proxy.once('close', () => reject(new Error(`it ended: ${said}`)))
  proxy.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const found = /http:\/\/\S+/.exec(said)?.[0]
    if (found !== undefined) resolve(found)
  })
})

const agent = new Agent({ keepAlive: true, maxSockets: callers })

function post(message: object, session: string | null): Promise<{ readonly session: string | null; readonly body: string }> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session === null ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers, agent }, (answer) => {
      let body = ''
      answer.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      answer.on('end', () => resolve({ session: String(answer.headers['mcp-session-id'] ?? '') || null, body }))
    })
    sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', ...message }))
  })
}

/** Resident memory of the proxy, in MiB. */
function memory(): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${proxy.pid}/status`, 'utf8'))?.[1]) / 1024)
}

/** The same work for each of `count`, so many at once. */
async function each(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let index = next++; index < count; index = next++) await work(index)
    }),
  )
}

try {
  const ids: string[] = []
  const begin = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
  }
  await each(sessions, async (index) => {
    const { session, body } = await post({ ...begin, id: 1 }, null)
    if (session === null) throw new Error(`no session began: ${body}`)
    ids[index] = session
  })
  const atOpen = memory()
  let [calls, failed] = [0, 0]
  const call = { method: 'tools/call', params: { name: 'read_file', arguments: { path: join(directory, 'a.txt') } } }
  const round = async (end: number): Promise<void> => {
    for (let from = Date.now(); from < end; from = Date.now())
      await each(ids.length, async (index) => {
        if (Date.now() >= end) return
        const { body } = await post({ ...call, id: calls + 2 }, ids[index] ?? null)
        calls += 1
        if (!body.includes('"ok"')) failed += 1
      })
  }
  const from = Date.now()
  await round(from + (seconds * 1_000) / 2)
  const half = memory()
  await round(from + seconds * 1_000)
  const end = memory()
  console.log(JSON.stringify({ sessions, seconds, calls, failed, mebibytes: { opened: atOpen, half, end } }))
  process.exitCode = failed === 0 && end <= half * 1.1 ? 0 : 1
} finally {
  proxy.kill()
  server.close()
  server.closeAllConnections()
  agent.destroy()
  await new Promise((resolve) => proxy.once('close', resolve))
  rmSync(directory, { recursive: true, force: true })
}

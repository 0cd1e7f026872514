/** A client that loses the line of its call, and comes back for the answer; with a server over standard streams, a real gate and real sockets. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { call, initialize, MCP_POLICY, mcpParts, mcpPolicy, stateless } from '../../../../test/support/mcp.ts'
import { USER } from '../../../../test/support/mcp-http.ts'
import { stateDirectoryOfTest } from '../../../../test/support/state.ts'
import { describedView } from '../../../../test/support/workplace.ts'
import type { JsonObject } from '../../../core/json.ts'
import { openGate } from '../../../open.ts'
import { createTraffic } from '../traffic.ts'
import { createChildren } from './children.ts'
import { createMcpServer } from './server.ts'
import { STREAM_LIMITS, type StreamLimits } from './streams.ts'

/** Answers a call once the file that it names is there; says progress once another one is. */
const SERVER = `
const { existsSync, appendFileSync } = require('node:fs')
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const once = (file, act) => { const timer = setInterval(() => { if (existsSync(file)) { clearInterval(timer); act() } }, 5) }
const tools = ['echo', 'forbidden', 'delete_account'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') return say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } })
  if (method !== 'tools/call') return say({ id, result: { tools } })
  const { mark, first, wait, size = 2 } = params.arguments
  const answer = () => say({ id, result: { content: [{ type: 'text', text: 'ran'.padEnd(size, '.') }] } })
  if (mark) appendFileSync(mark, params.name + '\\n')
  if (first) once(first, () => say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1 } }))
  if (wait) once(wait, answer)
  else answer()
})
`
const POLICY = `${MCP_POLICY}mcp_proxy: { hold: 2m }\n`

type Headers = Readonly<Record<string, string>>

interface Caller {
  readonly session: string
  readonly post: (body: JsonObject, more?: Headers) => Promise<Taken>
  readonly get: (last: string, more?: Headers) => Promise<Taken>
}

/** One answer as it comes. */
interface Taken {
  readonly status: number
  readonly type: string | null
  readonly text: () => string
  /** The ids of the events so far. */
  readonly ids: () => readonly string[]
  readonly until: (part: string) => Promise<string>
  /** The line breaks. */
  readonly cut: () => void
  readonly ended: Promise<void>
}

async function taken(url: string, init: RequestInit): Promise<Taken> {
  const line = new AbortController()
  const answer = await fetch(url, { ...init, signal: line.signal })
  let text = ''
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString('utf8')
  }
  const ended = read().catch(() => {})
  onTestFinished(() => line.abort())
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: () => text,
    ids: () => [...text.matchAll(/^id: (\S+)$/gm)].map(([, id = '']) => id),
    until: async (part) => {
      await eventually(() => expect(text).toContain(part))
      return text
    },
    cut: () => line.abort(),
    ended,
  }
}

async function place(limits: Partial<StreamLimits> = {}) {
  const home = stateDirectoryOfTest()
  const policy = mcpPolicy(POLICY)
  const opened = openGate({ home, policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
  const parts = mcpParts(opened, () => policy, { uninspected: [] })
  const children = createChildren({
    server: { command: process.execPath, args: ['-e', SERVER], env: {} },
    streams: { ...STREAM_LIMITS, ...limits },
    create: ({ principal }, id, facts) =>
      createTraffic(parts, { server: 'fixture', origin: 'fixture', session: `s-${id}`, cwd: '/repo', principal }, facts),
  })
  const server = createMcpServer({
    servers: new Map([['/mcp', children]]),
    callerOf: ({ headers }) => ({ ...USER, owner: typeof headers['x-owner'] === 'string' ? headers['x-owner'] : null }),
    siteFault: () => null,
    metrics: () => '',
    note: () => {},
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await children.close()
    opened.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const begin = async (more: Headers = {}): Promise<Caller> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more }
    const begun = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize('tester')) })
    await begun.text()
    const session = begun.headers.get('mcp-session-id') ?? ''
    const own = { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    return {
      session,
      post: (body, other = {}) => taken(url, { method: 'POST', headers: { ...own, ...other }, body: JSON.stringify(body) }),
      get: (last, other = {}) =>
        taken(url, { headers: { ...own, accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }), ...other } }),
    }
  }
  const file = (name: string): string => join(home, name)
  const ran = (): string => (existsSync(file('ran')) ? readFileSync(file('ran'), 'utf8') : '')
  const pending = () => opened.queue.list({ tenant: null, status: 'pending' }).approvals
  const approve = async (): Promise<void> => {
    await eventually(() => expect(pending().length).toBe(1))
    await opened.queue.answer(pending()[0]?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve' })
  }
  const read = (kind: 'result') => {
    const found = opened.store.read({ kind })
    if (!(Symbol.iterator in found)) throw new Error('the store reads at once')
    return found
  }
  return { url, read, begin, file, open: (name: string) => writeFileSync(file(name), ''), ran, pending, approve, opened }
}

async function saidOf(client: Caller, body: JsonObject): Promise<string> {
  const answer = await client.post(body)
  await answer.ended
  return answer.text()
}

const PROGRESS = { _meta: { progressToken: 'p' } }

describe('a client that lost the line', () => {
  test('is told at once how to come back, and gets the answer that came while nobody listened', async () => {
    const { begin, file, open, ran } = await place()
    const client = await begin()
    const first = await client.post(call(1, 'echo', { mark: file('ran'), wait: file('go') }))
    expect(await first.until('\n\n')).toBe('id: 1-0\nretry: 1000\ndata: \n\n')
    await eventually(() => expect(ran()).toBe('echo\n'))
    first.cut()
    open('go')
    const again = await client.get('1-0')
    expect(again).toMatchObject({ status: 200, type: 'text/event-stream' })
    await again.ended
    expect(again.text()).toContain('"text":"ran"')
    expect([again.ids(), ran()]).toEqual([['1-1'], 'echo\n'])
  })

  test('gets what came after the last event that it saw, and nothing twice', async () => {
    const { begin, file, open } = await place()
    const client = await begin()
    const first = await client.post(call(1, 'echo', { first: file('told'), wait: file('go') }, PROGRESS))
    await first.until('1-0')
    open('told')
    await first.until('notifications/progress')
    first.cut()
    const again = await client.get('1-1')
    open('go')
    await again.ended
    expect(again.ids()).toEqual(['1-2'])
    expect(again.text()).not.toContain('notifications/progress')
    const third = await client.get('1-0')
    await third.ended
    expect(third.ids()).toEqual(['1-1', '1-2'])
  })

  proves('P7', 'a call that waits for a person waits on, runs once, and the client gets its answer', async () => {
    const { begin, file, approve, ran } = await place()
    const client = await begin()
    const first = await client.post(call(1, 'delete_account', { mark: file('ran') }))
    await first.until('1-0')
    first.cut()
    await approve()
    await eventually(() => expect(ran()).toBe('delete_account\n'))
    const again = await client.get('1-0')
    await again.ended
    expect(again.text()).toContain('"text":"ran"')
    expect(ran()).toBe('delete_account\n')
  })

  proves('P6', 'a call that waits for a person does not run once its client stayed away', async () => {
    const { begin, file, approve, ran } = await place({ patience: 50 })
    const client = await begin()
    const first = await client.post(call(1, 'delete_account', { mark: file('ran') }))
    await first.until('1-0')
    first.cut()
    // The id of the request is free once it is forgotten.
    await eventually(async () => expect(await saidOf(client, call(1, 'forbidden', {}))).toContain('rules.denied'))
    await approve()
    expect(await saidOf(client, call(2, 'echo', {}))).toContain('"text":"ran"')
    expect(ran()).toBe('')
  })

  test('can cancel its call over another line', async () => {
    const { begin, file, approve, ran } = await place()
    const client = await begin()
    const first = await client.post(call(1, 'delete_account', { mark: file('ran') }))
    await first.until('1-0')
    first.cut()
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await approve()
    await (await client.post(call(2, 'echo', {}))).until('"text":"ran"')
    expect(ran()).toBe('')
  })

  test('is told so where there was no room for the answer', async () => {
    const { begin, file, open, read } = await place({ room: 10_000 })
    const client = await begin()
    const first = await client.post(call(1, 'echo', { wait: file('go'), size: 20_000 }))
    await first.until('1-0')
    first.cut()
    open('go')
    await eventually(() => expect([...read('result')].length).toBe(1))
    const again = await client.get('1-0')
    await again.ended
    expect(again.text()).toContain('"error":{"code":-32603,"message":"Countersign: the answer came while nobody listened')
    // Whoever stays on the line gets any answer.
    const whole = await client.post(call(2, 'echo', { size: 20_000 }))
    await whole.ended
    expect(whole.text()).toContain('ran......')
  })

  test('comes back by itself, as the official client does', async () => {
    const { url, file, open, ran } = await place()
    let cut = 0
    const cutting: typeof fetch = async (target, init) => {
      const answer = await fetch(target, init)
      if (answer.body === null || !String(init?.body).includes('"tools/call"')) return answer
      cut += 1
      // Its first event comes through; the line breaks behind it, and the server answers then.
      const once = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk)
          controller.error(new Error('the line broke'))
          open('go')
        },
      })
      return new Response(answer.body.pipeThrough(once), { status: answer.status, headers: answer.headers })
    }
    const client = new Client({ name: 'official', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: cutting }))
    onTestFinished(() => client.close())
    const result = await client.callTool({ name: 'echo', arguments: { mark: file('ran'), wait: file('go') } })
    expect(result.content).toEqual([{ type: 'text', text: 'ran' }])
    expect([cut, ran()]).toEqual([1, 'echo\n'])
  })

  test('what was answered the longest ago makes room for what comes', async () => {
    const { begin } = await place({ room: 10_000 })
    const client = await begin()
    for (const id of [1, 2, 3]) await (await client.post(call(id, 'echo', { size: 4_000 }))).ended
    const [first, last] = [await client.get('1-0'), await client.get('3-0')]
    await Promise.all([first.ended, last.ended])
    expect(first.text()).toContain('there was no room to keep it')
    expect(last.text()).toContain('ran......')
  })
})

describe('nobody else', () => {
  const lost = async () => {
    const at = await place()
    const client = await at.begin({ 'x-owner': 'alice' })
    const first = await client.post(call(1, 'echo', { wait: at.file('go') }))
    await first.until('1-0')
    first.cut()
    at.open('go')
    return { ...at, client }
  }

  proves('T64', 'gets an answer of a session that is not theirs', async () => {
    const { client, begin } = await lost()
    const other = await client.get('1-0', { 'x-owner': 'bob' })
    await other.ended
    expect([other.status, other.text()]).toEqual([404, expect.not.stringContaining('ran')])
    // The same caller in another session has streams of its own.
    const second = await begin({ 'x-owner': 'alice' })
    const strange = await second.get('1-0')
    expect(strange.status).toBe(200)
    const own = await client.get('1-0')
    await own.ended
    expect([strange.text(), own.ids()]).toEqual(['', ['1-1']])
  })

  test('what names no event of a stream gets no answer', async () => {
    const { client } = await lost()
    for (const last of ['2-0', '1-7', '01-0', '1', '1-', '-1-0', '__proto__', '1-0 ', '1-0,1-0', '9'.repeat(16), 'x'.repeat(5_000)]) {
      const other = await client.get(last)
      expect([last, other.status, other.type, other.text()]).toEqual([last, 200, 'text/event-stream', ''])
      other.cut()
    }
    const own = await client.get('1-0')
    await own.ended
    expect(own.ids()).toEqual(['1-1'])
  })
})

describe('as before', () => {
  const others: readonly (readonly [string, Headers, JsonObject])[] = [
    ['an older client', { 'mcp-protocol-version': '2025-06-18' }, {}],
    ['a client that says no version', { 'mcp-protocol-version': '' }, {}],
    ['a client that takes no events', { accept: 'application/json' }, {}],
    [
      'a client without a session',
      { 'mcp-session-id': '', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
      stateless('tester'),
    ],
  ]
  for (const [who, headers, more] of others)
    test(`${who} gets an answer without numbers`, async () => {
      const { begin, file, open } = await place()
      const client = await begin()
      open('go')
      const first = await client.post(call(1, 'echo', { wait: file('go') }, more), headers)
      await first.ended
      expect(first.text()).toContain('"text":"ran"')
      expect(first.text()).not.toMatch(/^(?:id|retry):/m)
    })

  test('the call of an older client whose line is lost does not run', async () => {
    const { begin, file, approve, ran } = await place()
    const client = await begin()
    const older = { 'mcp-protocol-version': '2025-06-18' }
    const first = await client.post(call(1, 'delete_account', { mark: file('ran') }, PROGRESS), older)
    await first.until('Waiting for a person')
    first.cut()
    await eventually(async () => expect(await saidOf(client, call(1, 'forbidden', {}))).toContain('rules.denied'))
    await approve()
    await (await client.post(call(2, 'echo', {}))).until('"text":"ran"')
    expect(ran()).toBe('')
  })

  test('a call that is denied at once is answered in one piece', async () => {
    const { begin } = await place()
    const client = await begin()
    const denied = await client.post(call(1, 'forbidden', {}))
    await denied.ended
    expect(denied.text()).toContain('rules.denied')
  })
})

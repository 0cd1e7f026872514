/** What `countersign proxy` adds to an answer, beside a process that only passes bytes on: the same model, one client, the same run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CLI, makeHome, ROOT, stop } from '../test/hosts/harness.ts'
import { anthropicEvents } from '../test/support/model-turns.ts'
import { type Report, round, summary } from './measure.ts'
import { BARE } from './servers.ts'

const POLICY = 'version: 1\ndefault: deny\nunregistered: deny\ntools: { look: { risk_tier: low } }\nrules: { allow: [{ tool: look }] }\n'
/** Answers before the clock counts. */
const WARM = 1_000
const ROUNDS = 7
const COUNT = 150
/** Sessions that take turns, so that none has a history that nobody has. */
const SESSIONS = 50

const EVENTS = anthropicEvents([{ text: 'I look.' }, { call: { name: 'look', args: { at: 'the sky', in: 'Oslo' } } }])
const CALL_STOPS = EVENTS.findLastIndex((event) => event.includes('content_block_stop'))
const COLUMNS = ['first text, least µs', 'p50', 'p99', 'call after its last byte, least µs', 'p50', 'p99'] as const
const FIRST_TEXT = 'text_delta'
const LAST_OF_CALL = '{"type":"content_block_stop","index":1}'

/** A model whose text comes at once, whose call comes a moment later, and that remembers when its last byte left. */
function startModel(): Promise<{ readonly server: Server; readonly url: string; readonly left: () => number }> {
  let left = 0
  const server = createServer({ noDelay: true }, (asked, reply) => {
    asked.resume()
    asked.on('end', () => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      const calls = EVENTS.findIndex((event) => event.includes('tool_use'))
      reply.write(EVENTS.slice(0, calls).join(''))
      setTimeout(() => {
        for (const event of EVENTS.slice(calls, CALL_STOPS)) reply.write(event)
        setTimeout(() => {
          left = performance.now()
          reply.write(EVENTS[CALL_STOPS] ?? '')
          setTimeout(() => reply.end(EVENTS.slice(CALL_STOPS + 1).join('')), 3)
        }, 3)
      }, 3)
    })
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, left: () => left }),
    ),
  )
}

interface Seen {
  /** Microseconds from the request to the first text, and from the last byte of a call to its arrival. */
  readonly text: number
  readonly call: number
}

interface Asking {
  readonly agent: Agent
  readonly body: string
  readonly session: string
  readonly left: () => number
}

function ask(url: string, { agent, body, session, left }: Asking): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-countersign-session': session }
    const sent = request(`${url}/v1/messages`, { method: 'POST', agent, headers }, (answer) => {
      let [got, text, call] = ['', 0, 0]
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        got += chunk
        if (text === 0 && got.includes(FIRST_TEXT)) text = (performance.now() - started) * 1000
        if (call === 0 && got.includes(LAST_OF_CALL)) call = (performance.now() - left()) * 1000
      })
      answer.on('end', () =>
        got.includes('"look"') && call !== 0 ? resolve({ text, call }) : reject(new Error(`the call did not arrive: ${got}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** As an agent asks: its instructions, its tools, what was said before. */
function bodyOf(kib: number): string {
  const tool = { name: 'look', description: 'Looks.', input_schema: { type: 'object' } }
  const said = 'How is the weather? '.repeat((kib * 1024) / 20)
  return JSON.stringify({
    model: 'm',
    max_tokens: 100,
    stream: true,
    tools: [tool],
    system: said,
    messages: [{ role: 'user', content: 'Look.' }],
  })
}

export async function modelProxy(): Promise<readonly Report[]> {
  const home = makeHome()
  const policy = join(home.user, 'countersign.yaml')
  writeFileSync(policy, POLICY)
  const model = await startModel()
  const bare = await started(['--import', 'tsx', join(ROOT, 'bench/passthrough.ts'), model.url], BARE)
  const own = await started([CLI, 'proxy', '--upstream', model.url, '--listen', '127.0.0.1:0', '--policy', policy], home.environment)
  const agent = new Agent({ keepAlive: true, noDelay: true })
  try {
    const rows: (string | number)[][] = []
    let number = 0
    const inTurn = async (url: string, body: string, count: number): Promise<readonly Seen[]> => {
      const seen: Seen[] = []
      for (let i = 0; i < count; i++) seen.push(await ask(url, { agent, body, session: `s-${number++ % SESSIONS}`, left: model.left }))
      return seen
    }
    for (const { url } of [bare, own]) await inTurn(url, bodyOf(1), WARM)
    for (const kib of [1, 50]) {
      const [floor, ours] = await compared([bare, own], (url) => inTurn(url, bodyOf(kib), COUNT))
      if (floor === undefined || ours === undefined) throw new Error('nothing was measured')
      rows.push(['bare pass-through', kib, ...floor], ['countersign proxy', kib, ...ours])
      rows.push(['added', kib, ...ours.map((value, at) => round(value - (floor[at] ?? 0)))])
    }
    const columns = ['', 'request KiB', ...COLUMNS]
    const notes = [
      'A decision is recorded durably before its call leaves. Processes of their own on loopback; the model and the client are one process, so one clock.',
      `Each figure is the least of ${ROUNDS} rounds of ${COUNT} in turn.`,
    ]
    return [{ title: 'Model API proxy: what it adds', columns, rows, notes }]
  } finally {
    agent.destroy()
    await stop(bare.child)
    await stop(own.child)
    model.server.closeAllConnections()
    model.server.close()
    home.remove()
  }
}

interface Serving {
  readonly child: ChildProcess
  readonly url: string
}

async function compared(servings: readonly Serving[], act: (url: string) => Promise<readonly Seen[]>): Promise<readonly number[][]> {
  const least = servings.map(() => new Array<number>(COLUMNS.length).fill(Number.POSITIVE_INFINITY))
  for (let i = 0; i < ROUNDS; i++) {
    for (const [at, { url }] of servings.entries()) {
      const seen = await act(url)
      const figures = [seen.map(({ text }) => text), seen.map(({ call }) => call)].flatMap((micros) => {
        const { p50, p99 } = summary('', micros)
        return [round(Math.min(...micros)), p50, p99]
      })
      least[at] = figures.map((value, column) => Math.min(value, least[at]?.[column] ?? value))
    }
  }
  return least
}

function started(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Serving> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    const listen = (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url !== undefined) resolve({ child, url })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('exit', () => reject(new Error(`it did not start: ${printed}`)))
  })
}

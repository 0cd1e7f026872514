/** What a call of two megabytes costs those beside it: calls of another session of the same proxy, and messages of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { INITIALIZE, mcpPlace } from './mcp-place.ts'
import { type Report, round, summary } from './measure.ts'

const CALLS = 60
/** Milliseconds after the large call at which the small one is sent, one after the other. */
const SPREAD_MS = 37

const POLICY = 'version: 1\ndefault: ask\nunregistered: ask\ntools: { fixture/note: { risk_tier: low } }\n'

type Ask = (method: string, params: object) => Promise<string>

/** A client of its own session over HTTP. */
async function client(url: string): Promise<Ask> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  let count = 0
  const ask: Ask = async (method, params) => {
    count += 1
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: count, method, params }) })
    const session = answer.headers.get('mcp-session-id')
    if (session !== null) headers['mcp-session-id'] = session
    return answer.text()
  }
  await ask('initialize', INITIALIZE)
  await ask('tools/list', {})
  return ask
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('close', () => reject(new Error(said)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(said)?.[0]
      if (url !== undefined) resolve(url)
    })
  })
}

export async function mcpLarge(): Promise<readonly Report[]> {
  const { home, work, proxy } = mcpPlace({ tools: ['note'], argument: 'text', text: "'ok'", policy: POLICY })
  const [program = '', ...args] = proxy('fixture', '--listen', '127.0.0.1:0')
  const child = spawn(program, args, { cwd: work, env: home.environment, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    const url = await listening(child)
    const [small, other] = [await client(url), await client(url)]
    const long = { name: 'note', arguments: { text: 'a line of a long text, as people write it\n'.repeat(48_000) } }
    const called: Beside = { act: () => small('tools/call', { name: 'note', arguments: { text: 'short' } }), other, long }
    const pinged: Beside = { ...called, act: () => small('ping', {}) }
    const rows = [
      ...rowsOf('a call', await times({ ...called, long: null }), await times(called)),
      ...rowsOf('a message that is no call', await times({ ...pinged, long: null }), await times(pinged)),
    ]
    return [{ title: 'MCP: beside a call of 2 MB of another session of the proxy', columns: COLUMNS, rows, notes: [NOTE] }]
  } finally {
    child.kill()
    home.remove()
  }
}

const COLUMNS = ['', 'p50 µs', 'p90 µs', 'p99 µs', 'p90, times that of one alone']
const NOTE = `Over HTTP, ${CALLS} each, sent 0 to ${SPREAD_MS - 1} ms after the large call, whose answer is waited for before the next.`

interface Beside {
  readonly act: () => Promise<unknown>
  readonly other: Ask
  /** Null: nothing is beside it. */
  readonly long: object | null
}

async function times({ act, other, long }: Beside): Promise<readonly number[]> {
  const micros: number[] = []
  for (let at = -10; at < CALLS; at++) {
    const under = long === null ? null : other('tools/call', long)
    if (long !== null) await setTimeout((at + 10) % SPREAD_MS)
    const started = performance.now()
    await act()
    if (at >= 0) micros.push((performance.now() - started) * 1000)
    const answer = await under
    if (answer?.includes('isError') === true) throw new Error(`it was not allowed: ${answer}`)
  }
  return micros
}

function rowsOf(name: string, alone: readonly number[], beside: readonly number[]): Report['rows'] {
  const ninety = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.9)] ?? Number.NaN
  const [a, b] = [summary(name, [...alone]), summary(name, [...beside])]
  return [
    [`${name}, alone`, a.p50, round(ninety(alone)), a.p99, 1],
    [`${name}, beside it`, b.p50, round(ninety(beside)), b.p99, Math.round((ninety(beside) / ninety(alone)) * 10) / 10],
  ]
}

/** Decisions over HTTP, each recorded durably, beside a bare hono echo: processes of their own, one client, the same run. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { addToken } from '../src/server/auth/tokens.ts'
import { CLI, makeHome, ROOT, stop } from '../test/hosts/harness.ts'
import { type Report, round, summary } from './measure.ts'
import { BARE, type Serving, started } from './servers.ts'

/** Answers before the clock counts: the compiler is still at work for thousands of decisions. */
const WARM = 10_000
const ROUNDS = 5
/** Answers of one round. */
const COUNT = 2_000
const POLICY = 'version: 1\ntool_families: [claude-code]\nserver: { rates: { agents: 10000000 } }\n'

interface Load {
  readonly serving: Serving
  readonly clients: number
  /** Of an agent: over TCP everybody needs one. */
  readonly token: string
}

/** Clients that send one call after the other, on connections that stay open. */
export async function http(): Promise<readonly Report[]> {
  const home = makeHome()
  const environment = { ...home.environment, COUNTERSIGN_POLICY: join(home.user, 'countersign.yaml') }
  writeFileSync(environment.COUNTERSIGN_POLICY, POLICY)
  const agent = { name: 'bench', role: 'agent', tenant: null, as: { role: null, user: null }, expiresAt: null } as const
  const token = addToken(home.state, agent, Date.now()).secret
  const echo = await started(['--import', 'tsx', join(ROOT, 'bench/echo.ts')], BARE)
  const gate = await started([CLI, 'serve', '--listen', '127.0.0.1:0'], environment)
  try {
    const rows: (string | number)[][] = []
    for (const serving of [echo, gate]) await run({ serving, clients: 16, token }, WARM)
    for (const clients of [1, 16, 64]) {
      const [floor, own] = await compared([echo, gate].map((serving) => ({ serving, clients, token })))
      if (floor === undefined || own === undefined) throw new Error('a load was not measured')
      rows.push(['bare hono echo', clients, Math.round(floor.perSecond), floor.p50, floor.p99, floor.processor, '100 %', '1×'])
      const share = `${round((100 * own.perSecond) / floor.perSecond)} %`
      const ratio = `${round(own.p99 / floor.p99)}×`
      rows.push(['decision, recorded', clients, Math.round(own.perSecond), own.p50, own.p99, own.processor, share, ratio])
    }
    const notes = [
      '`git status` under the shipped tools; a decision reads, judges, hashes, signs and syncs its record before it answers. Calls that wait together share a sync.',
      `Each after ${WARM.toLocaleString('en')} answers, the best of ${ROUNDS} rounds of ${COUNT.toLocaleString('en')} in turn. Processor time is of the server, all threads, where the system tells it.`,
    ]
    const columns = ['', 'clients', 'per second', 'p50 µs', 'p99 µs', 'processor µs', 'share of echo', 'p99 to echo']
    return [{ title: 'HTTP: decisions per second', columns, rows, notes }]
  } finally {
    await stop(echo.child)
    await stop(gate.child)
    home.remove()
  }
}

interface Seen {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time an answer took of the server; NaN where the system does not tell. */
  readonly processor: number
}

/** Round robin; the best round counts, each figure by itself, for other work only ever slows one down. */
async function compared(loads: readonly Load[]): Promise<readonly Seen[]> {
  const rounds: Seen[][] = loads.map(() => [])
  for (let i = 0; i < ROUNDS; i++) for (const [at, load] of loads.entries()) rounds[at]?.push(await run(load, COUNT))
  return rounds.map((seen) => ({
    perSecond: Math.max(...seen.map((each) => each.perSecond)),
    p50: Math.min(...seen.map((each) => each.p50)),
    p99: Math.min(...seen.map((each) => each.p99)),
    processor: Math.min(...seen.map((each) => each.processor)),
  }))
}

/** Processor time of a process so far, in microseconds, from the kernel's hundredths of a second. */
function processorOf({ pid }: ChildProcess): number {
  try {
    const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
    return (user + system) * 10_000
  } catch {
    return Number.NaN
  }
}

async function run({ serving: { url, child }, clients, token }: Load, count: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const micros: number[] = []
  const before = processorOf(child)
  const began = performance.now()
  let left = count
  const client = async (session: number) => {
    const body = JSON.stringify({
      tool: 'Bash',
      args: { command: 'git status' },
      session: `s-${session}`,
      cwd: '/tmp',
      principal: { agent: 'bench' },
    })
    while (left-- > 0) {
      const started = performance.now()
      const status = await post(`${url}/v1/decisions`, { body, agent, token })
      if (status !== 200) throw new Error(`answered ${status}`)
      micros.push((performance.now() - started) * 1000)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, session) => client(session)))
  const seconds = (performance.now() - began) / 1000
  const processor = round((processorOf(child) - before) / count)
  agent.destroy()
  const { p50, p99 } = summary('', micros)
  return { perSecond: micros.length / seconds, p50, p99, processor }
}

function post(
  url: string,
  { body, agent, token }: { readonly body: string; readonly agent: Agent; readonly token: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

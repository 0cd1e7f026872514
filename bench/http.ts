/** Decisions over HTTP, each recorded durably, beside a bare hono echo: processes of their own, one client, the same run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { addToken } from '../src/server/auth/tokens.ts'
import { CLI, makeHome, ROOT, stop } from '../test/hosts/harness.ts'
import { type Report, round, summary } from './measure.ts'

const MILLISECONDS = 4_000
const WARM = 1_000
const ROUNDS = 3
const POLICY = 'version: 1\ntool_families: [claude-code]\nserver: { rates: { agents: 10000000 } }\n'

interface Serving {
  readonly child: ChildProcess
  readonly url: string
}

interface Load {
  readonly name: string
  readonly url: string
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
  const echo = await started(['--import', 'tsx', join(ROOT, 'bench/echo.ts')], process.env)
  const gate = await started([CLI, 'serve', '--listen', '127.0.0.1:0'], environment)
  try {
    const rows: (string | number)[][] = []
    for (const clients of [1, 16, 64]) {
      const loads: readonly Load[] = [
        { name: 'bare hono echo', url: echo.url, clients, token },
        { name: 'decision, recorded', url: gate.url, clients, token },
      ]
      const [floor, own] = await compared(loads)
      if (floor === undefined || own === undefined) throw new Error('a load was not measured')
      for (const [load, seen] of [
        [loads[0], floor],
        [loads[1], own],
      ] as const)
        rows.push([
          load?.name ?? '',
          clients,
          Math.round(seen.perSecond),
          seen.p50,
          seen.p99,
          `${round(floor.perSecond / seen.perSecond)}×`,
        ])
    }
    const notes = [
      '`git status` under the shipped tools; a decision reads, judges, hashes, signs and syncs its record before it answers. Calls that wait together share a sync.',
    ]
    return [{ title: 'HTTP: decisions per second', columns: ['', 'clients', 'per second', 'p50 µs', 'p99 µs', 'echo to it'], rows, notes }]
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
}

/** Round robin; the round with the most requests counts, for other work only ever slows one down. */
async function compared(loads: readonly Load[]): Promise<readonly Seen[]> {
  const best: Seen[] = []
  for (const load of loads) await run(load, WARM)
  for (let i = 0; i < ROUNDS; i++) {
    for (const [at, load] of loads.entries()) {
      const seen = await run(load, MILLISECONDS / ROUNDS)
      if ((best[at]?.perSecond ?? 0) < seen.perSecond) best[at] = seen
    }
  }
  return best
}

async function run({ url, clients, token }: Load, milliseconds: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const micros: number[] = []
  const began = performance.now()
  const until = began + milliseconds
  const client = async (session: number) => {
    const body = JSON.stringify({
      tool: 'Bash',
      args: { command: 'git status' },
      session: `s-${session}`,
      cwd: '/tmp',
      principal: { agent: 'bench' },
    })
    while (performance.now() < until) {
      const started = performance.now()
      const status = await post(`${url}/v1/decisions`, { body, agent, token })
      if (status !== 200) throw new Error(`answered ${status}`)
      micros.push((performance.now() - started) * 1000)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, session) => client(session)))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  const { p50, p99 } = summary('', micros)
  return { perSecond: micros.length / seconds, p50, p99 }
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

function started(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Serving> {
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    const listen = (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url !== undefined) resolve({ child, url })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)))
  })
}

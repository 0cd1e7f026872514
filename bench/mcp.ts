/** What the MCP proxy adds to a message: beside no proxy, and beside one that only passes bytes on, taken in turn in one run. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Home } from '../test/hosts/harness.ts'
import { INITIALIZE, mcpPlace } from './mcp-place.ts'
import { type Report, round, type Sample, summary } from './measure.ts'

const ROUNDS = 20
const PER_ROUND = 50
/** Milliseconds after a call within which a message beside it is sent. */
const SPREAD_MS = 11

/** A long one where the client says so. */
const TEXT = "params.arguments.head > 1 ? 'a line of a long file\\n'.repeat(12000) : 'ok'"

/** Starts the server and passes bytes on, both ways. */
const PASSING = `
const [command, ...args] = process.argv.slice(1)
const child = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
`

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [mcp-filesystem]
rules:
  read_only: { auto_allow: true }
`

interface Peer {
  readonly micros: () => number
  readonly ask: (method: string, params: object) => Promise<unknown>
  readonly end: () => void
}

async function peer(command: readonly string[], home: Home, work: string): Promise<Peer> {
  const [program = '', ...args] = command
  const child: ChildProcess = spawn(program, args, { cwd: work, env: home.environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (answer: unknown) => void>()
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    const message = JSON.parse(line) as { id?: number; method?: string }
    if (message.id !== undefined && message.method === undefined) waiting.get(message.id)?.(message)
  })
  let count = 0
  const ask: Peer['ask'] = (method, params) =>
    new Promise((resolve) => {
      count += 1
      waiting.set(count, resolve)
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: count, method, params })}\n`)
    })
  await ask('initialize', INITIALIZE)
  await ask('tools/list', {})
  return { micros: () => processorMicros(child.pid ?? 0), ask, end: () => child.stdin?.end() }
}

/** Processor time that a process has used by now, without its children, to 10,000 µs; only Linux tells it. */
function processorMicros(pid: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return (Number(user) + Number(system)) * 10_000
  } catch {
    return Number.NaN
  }
}

export async function mcp(): Promise<readonly Report[]> {
  const { home, work, server, proxy } = mcpPlace({ tools: ['read_file', 'deploy'], argument: 'path', text: TEXT, policy: POLICY })
  writeFileSync(join(work, 'a.txt'), 'hello')
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['no proxy', server],
    ['bytes passed on', [process.execPath, '-e', PASSING, ...server]],
    ['countersign mcp', proxy('filesystem')],
  ]
  const peers: Peer[] = []
  try {
    for (const [, command] of ways) peers.push(await peer(command, home, work))
    const params = { name: 'read_file', arguments: { path: join(work, 'a.txt') } }
    const calls = await times(peers, ways, { act: (each) => each.ask('tools/call', params) })
    const pings = await times(peers, ways, { act: (each) => each.ask('ping', {}) })
    const judged = await besideCalls(peers, ways, params)
    const scanned = await besideCalls(peers, ways, { ...params, arguments: { ...params.arguments, head: 12_000 } })
    // No policy permits it, so the proxy holds it for people; the others have their answer at once.
    for (const each of peers) void each.ask('tools/call', { name: 'deploy', arguments: {} })
    const beside = await times(peers, ways, { act: (each) => each.ask('ping', {}) })
    return [
      { title: 'MCP: a message while a call is held for people', columns: COLUMNS, rows: rowsOf(beside), notes: [NOTE] },
      { title: 'MCP: a message while a call is judged and recorded', columns: COLUMNS, rows: rowsOf(judged), notes: [NOTE, BESIDE] },
      {
        title: 'MCP: a message while a result of 264 kB is looked through',
        columns: COLUMNS,
        rows: rowsOf(scanned),
        notes: [NOTE, BESIDE],
      },
      { title: 'MCP: a tool call that is allowed, over standard streams', columns: COLUMNS, rows: rowsOf(calls), notes: [NOTE, RECORDED] },
      { title: 'MCP: a message that is no call', columns: COLUMNS, rows: rowsOf(pings), notes: [NOTE] },
    ]
  } finally {
    for (const each of peers) each.end()
    home.remove()
  }
}

const COLUMNS = ['', 'p50 µs', 'p99 µs', 'added to bytes passed on, p50 µs', 'p99 µs', 'processor time, µs']
const NOTE =
  'Round trips of one client that waits for each answer; the three ways take turns, 50 messages each, so that other work falls on all alike.'
const RECORDED = 'The decision and the result are recorded durably: the decision before the call goes on.'

const BESIDE =
  'Each message is sent 0 to 10 ms after a call, whose answer is waited for before the next. Goal: 5 ms later at the 99th of a hundred.'

/** Messages that are no call, each sent while a call of its own is under way. */
async function besideCalls(
  peers: readonly Peer[],
  ways: readonly (readonly [string, unknown])[],
  params: object,
): Promise<readonly Timed[]> {
  const calls = new Map<Peer, Promise<unknown>>()
  let count = 0
  const begin = async (each: Peer): Promise<void> => {
    await calls.get(each)
    calls.set(each, each.ask('tools/call', params))
    // At another moment of the call each time: while it is judged, recorded, or its result is looked through.
    count += 1
    await setTimeout(count % SPREAD_MS)
  }
  const timed = await times(peers, ways, { begin, act: (each) => each.ask('ping', {}) })
  await Promise.all(calls.values())
  return timed
}

interface Act {
  readonly act: (peer: Peer) => Promise<unknown>
  /** Done before it, and not timed. Default: nothing. */
  readonly begin?: (peer: Peer) => Promise<void>
}

async function times(
  peers: readonly Peer[],
  ways: readonly (readonly [string, unknown])[],
  { act, begin = async () => {} }: Act,
): Promise<readonly Timed[]> {
  const micros = peers.map((): number[] => [])
  const spent = peers.map(() => 0)
  for (let turn = -2; turn < ROUNDS; turn++)
    for (const [index, each] of peers.entries()) {
      const before = each.micros()
      for (let i = 0; i < PER_ROUND; i++) {
        await begin(each)
        const started = performance.now()
        const answer = await act(each)
        // The first two turns only warm up; a denial would be a fast answer to another question.
        if (turn >= 0) micros[index]?.push((performance.now() - started) * 1000)
        else if (JSON.stringify(answer).includes('isError')) throw new Error(`it was not allowed: ${JSON.stringify(answer)}`)
      }
      if (turn >= 0) spent[index] = (spent[index] ?? 0) + each.micros() - before
    }
  return micros.map((all, index) => ({ ...summary(ways[index]?.[0] ?? '', all), processor: (spent[index] ?? 0) / all.length }))
}

interface Timed extends Sample {
  /** Microseconds of processor time for each message, in the process that the client speaks to. */
  readonly processor: number
}

function rowsOf(samples: readonly Timed[]): Report['rows'] {
  const bare = samples[1]
  return samples.map(({ name, p50, p99, processor }, index) => {
    const added = index < 2 || bare === undefined ? ['', ''] : [round(p50 - bare.p50), round(p99 - bare.p99)]
    return [name, p50, p99, ...added, round(processor)]
  })
}

/**
 * What the memory of a session costs when much has happened in it: a decision without a session, after 10 events and after 100,000, in
 * one run and in turn, by time and by processor time; the first decision of a process that starts anew; and how much is kept of a session.
 * Then the first decision of processes that have just started, in a session whose contracts know thousands of results.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepResult } from '../src/cli/results.ts'
import type { ToolCall } from '../src/core/call.ts'
import type { Json } from '../src/core/json.ts'
import { taskOf } from '../src/flow/analyse.ts'
import type { GateStore } from '../src/open.ts'
import { memoryParts } from '../src/open-memory.ts'
import { encodeMemory } from '../src/session/memory/encode.ts'
import type { ResultEvent } from '../src/session/memory/events.ts'
import { observe } from '../src/session/memory/observe.ts'
import { openBench, policyOf } from './gates.ts'
import { mainThreadTime, processorTime, type Report, round, summary } from './measure.ts'
import { callOf } from './rules.ts'

const EVENTS = [10, 3_000, 100_000] as const
const BATCH = 500
/** Decisions of one case that are timed together: a processor's clock is too coarse for one. */
const TOGETHER = 20
const ROUNDS = 30
/** The compiler is at work for the first thousands of decisions, and for those of sessions more than for others. */
const WARM = 60

const POLICY = 'version: 1\ndefault: deny\nunregistered: allow\nhazards: { rules: { message: off } }\n'
const TASK = 'Summarise my unread mails and send the summary to bob@example.org.'

const inSession = (session: string, tool: string, args: ToolCall['args']): ToolCall => {
  return { ...callOf(tool, 'user', args), session, context: { task: TASK, vouched: true, recent: [] } }
}
/** No two are equal: what an equal call did before is looked at, which is no part of the memory. */
const send = (session: string, i: number) =>
  inSession(session, 'send_email', { recipients: ['bob@example.org'], subject: `${session} ${i}`, body: 'see below' })

export async function sessions(): Promise<readonly Report[]> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const policy = policyOf(POLICY)
    const first = openBench({ policy, record: home })
    for (const events of EVENTS) await fill(first.store, home, events)
    first.close()
    const fresh = await restarts(home)
    const gate = openBench({ policy, record: home })
    const cases = ['none', ...EVENTS.map((events) => `s-${events}`)].map((session) => ({
      session,
      times: [] as number[],
      processor: 0,
      main: 0,
    }))
    for (let i = 0; i < WARM + ROUNDS; i++) for (const each of cases) await timed(gate, each, i)
    const sizes = EVENTS.map((events) => sizeOf(gate.store, home, `s-${events}`))
    gate.close()
    const [without = 1, base = 1] = cases.map(({ processor }) => processor / (ROUNDS * TOGETHER))
    const [mainWithout = 1, mainBase = 1] = cases.map(({ main }) => main / (ROUNDS * TOGETHER))
    const rows = cases.map(({ times, processor, main }, at) => {
      const { count, p50, p99 } = summary('', times)
      const each = processor / (ROUNDS * TOGETHER)
      const events = EVENTS[at - 1]
      const name = events === undefined ? 'without a session' : `after ${events.toLocaleString('en')} events`
      const past = events === undefined ? ['', ''] : [round(fresh[at - 1] ?? 0), round((sizes[at - 1] ?? 0) / 1_024)]
      return [name, count, round(p50), round(p99), round(each), round(main / (ROUNDS * TOGETHER)), round(each / base), ...past]
    })
    return [
      {
        title: 'The memory of a session: a decision with its record, by what happened before',
        columns: ['', 'samples', 'p50 µs', 'p99 µs', 'processor µs', 'main thread µs', 'to 10 events', FIRST, 'kept, KiB'],
        rows,
        notes: [
          `the memory adds ${round(base - without)} µs of processor time to a decision, ${round(mainBase - mainWithout)} of it in the main thread`,
          'Events are results of ten values each, added to the log as results are. The cases are timed in turn, twenty decisions at a time.',
        ],
      },
      await coldTables(),
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const RESULTS = 3_000
/** As it is shipped, where `npm run bench` made it so; from source, each function costs more to load. */
const SHIPPED = process.env.COUNTERSIGN_BENCH_RESTART
const FRESH = SHIPPED === undefined ? ['--import', 'tsx', join(import.meta.dirname, 'restart.ts')] : [SHIPPED]
const PROCESSES = 16

/** Tables of contracts after a restart, each time in a new process: how long the session's own next call takes, and the longest stop of others. */
async function coldTables(): Promise<Report> {
  const rows: (string | number)[][] = []
  for (const [name, value] of [
    ['a whole result', ''],
    ['one field', ', value: result.status'],
  ] as const) {
    const home = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
    try {
      const policy = tablePolicy(value)
      await fillTables(home, policy)
      const times = ['s-empty', 's-full'].map((session) => inNewProcesses([home, policy, session]))
      for (const [at, { took, longest }] of times.entries())
        rows.push([at === 0 ? 'no result' : `${RESULTS.toLocaleString('en')} results of 1 KB, ${name} kept of each`, took, longest])
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
  const columns = ['', 'first decision of a new process, processor ms', 'longest stop of others, processor ms']
  return {
    title: 'State of contracts after a restart',
    columns,
    rows,
    notes: [`Median, upper quartile and longest of ${PROCESSES} processes, each with all of its code to compile.`],
  }
}

function tablePolicy(value: string): string {
  return `${POLICY}contracts:
  enforcement: hard
  state: { order: [{ tools: [get_order], key: args.id${value} }] }
  tools: { update_order: { constraints: [{ kind: known, of: { state: order, of: id } }] } }
`
}

/** A session as it goes: a decision after every fifty results. */
async function fillTables(home: string, policy: string): Promise<void> {
  const opened = openBench({ policy: policyOf(policy), record: home })
  const at = { session: 's-full' }
  for (let from = 0; from < RESULTS; from += 50) {
    const calls = Array.from({ length: Math.min(50, RESULTS - from) }, (_, i) => callOf('get_order', 'user', { id: `o-${from + i}` }))
    await Promise.all(calls.map((call) => keepResult(opened, { call: { ...call, ...at }, response: orderText(call.args.id) }).kept))
    await opened.gate.decide({ ...callOf('update_order', 'user', { id: `o-${from}`, note: `n-${from}` }), ...at })
  }
  opened.close()
}

function orderText(id: unknown): string {
  const lines = Array.from({ length: 14 }, (_, line) => ({
    sku: `sku-${line}`,
    name: `article of line ${line}`,
    price: line * 3.5,
    count: line,
  }))
  return JSON.stringify({ id, status: 'open', lines })
}

/** In milliseconds: half of the processes took no longer, three of four, and all of them. */
function inNewProcesses(args: readonly string[]): { readonly took: string; readonly longest: string } {
  const times = (of: 'took' | 'longest', more: readonly string[]) => {
    const runs = Array.from({ length: PROCESSES }, () => {
      const run = spawnSync(process.execPath, [...FRESH, ...args, ...more], { encoding: 'utf8' })
      if (run.status !== 0) throw new Error(run.stderr)
      return (JSON.parse(run.stdout) as { took: number; longest: number })[of]
    })
    const sorted = runs.toSorted((a, b) => a - b)
    return [0.5, 0.75, 1].map((share) => round(sorted[Math.ceil(share * PROCESSES) - 1] ?? 0)).join(' / ')
  }
  return { took: times('took', []), longest: times('longest', ['watched']) }
}

interface Case {
  readonly session: string
  readonly times: number[]
  /** Microseconds of all that were timed. */
  processor: number
  /** The same of the main thread alone. */
  main: number
}

const FIRST = 'first of a new process, processor ms'

async function timed({ gate }: Pick<ReturnType<typeof openBench>, 'gate'>, each: Case, round: number): Promise<void> {
  const before = processorTime()
  const beforeMain = mainThreadTime()
  for (let i = 0; i < TOGETHER; i += 1) {
    const call = send(each.session, round * TOGETHER + i)
    const begun = performance.now()
    await gate.decide(each.session === 'none' ? { ...call, session: null } : call)
    if (round >= WARM) each.times.push((performance.now() - begun) * 1_000)
  }
  if (round < WARM) return
  each.processor += processorTime() - before
  each.main += mainThreadTime() - beforeMain
}

/** Results with values that were not there before, in the order in which they would come. */
async function fill(store: GateStore, home: string, events: number): Promise<void> {
  const memory = memoryParts({ home, keep: true, store })
  const call = inSession(`s-${events}`, 'get_unread_emails', {})
  const seenIn = (result: Json): ResultEvent => {
    const flight = memory.flight(call)
    if (flight === null) throw new Error('the call names a session')
    return observe({ call, at: Date.now(), result, task: taskOf(call), secrets: [], ...flight })
  }
  for (let done = 0; done < events; done += BATCH) {
    await store.run(
      (tx) => {
        for (let i = done; i < Math.min(done + BATCH, events); i += 1) memory.result(call, seenIn(mails(i)))(tx)
      },
      () => ({ kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: Date.now(), body: {} }),
    )
  }
}

function mails(i: number) {
  return Array.from({ length: 3 }, (_, at) => ({
    id: `${i}-${at}`,
    sender: `u${i}.${at}@example.com`,
    body: `please see case ${i * 7 + at} on page p${i}.example.net`,
  }))
}

/** Milliseconds of processor time of the first decision in each session, each by a gate that was just opened; the median of nine. */
async function restarts(home: string): Promise<readonly number[]> {
  const times: number[] = []
  for (const events of EVENTS) {
    const rounds: number[] = []
    for (let i = 0; i < RESTARTS; i += 1) {
      const gate = openBench({ policy: policyOf(POLICY), record: home })
      await gate.gate.decide(send('other', i))
      const before = processorTime()
      await gate.gate.decide(send(`s-${events}`, 10_000 + i))
      rounds.push((processorTime() - before) / 1_000)
      gate.close()
    }
    times.push(rounds.toSorted((a, b) => a - b)[RESTARTS >> 1] ?? 0)
  }
  return times
}

const RESTARTS = 9

function sizeOf(store: GateStore, home: string, session: string): number {
  const known = memoryParts({ home, keep: true, store }).of(send(session, 0))
  return known === null ? 0 : encodeMemory(known.memory).length
}

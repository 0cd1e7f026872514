/**
 * What the memory of a session costs when much has happened in it: a decision after 10 events and after 100,000, in one run and in turn;
 * the first decision of a process that starts anew; and how much is kept of a session.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolCall } from '../src/core/call.ts'
import type { GateStore } from '../src/open.ts'
import { memoryParts } from '../src/open-memory.ts'
import { encodeMemory } from '../src/session/memory/encode.ts'
import { openBench, policyOf } from './gates.ts'
import { type Report, round, summary } from './measure.ts'
import { callOf } from './rules.ts'

const EVENTS = [10, 100_000] as const
const BATCH = 500
const COUNT = 300
const WARM = 60

const POLICY = 'version: 1\ndefault: deny\nunregistered: allow\nhazards: { rules: { message: off } }\n'
const TASK = 'Summarise my unread mails and send the summary to bob@example.org.'

const inSession = (session: string, tool: string, args: ToolCall['args']): ToolCall => {
  return { ...callOf(tool, 'user', args), session, context: { task: TASK, vouched: true, recent: [] } }
}
const send = (session: string, i: number) =>
  inSession(session, 'send_email', { recipients: ['bob@example.org'], subject: `s${i}`, body: 'see below' })

export async function sessions(): Promise<readonly Report[]> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const policy = policyOf(POLICY)
    const first = openBench({ policy, record: home })
    for (const events of EVENTS) await fill(first.store, home, events)
    first.close()
    const fresh = await restarts(home)
    const gate = openBench({ policy, record: home })
    const times = EVENTS.map((): number[] => [])
    for (let i = 0; i < WARM + COUNT; i++) {
      for (const [at, events] of EVENTS.entries()) {
        const begun = performance.now()
        await gate.gate.decide(send(`s-${events}`, i))
        if (i >= WARM) times[at]?.push((performance.now() - begun) * 1_000)
      }
    }
    const samples = EVENTS.map((events, at) => summary(`after ${events.toLocaleString('en')} events`, times[at] ?? []))
    const sizes = EVENTS.map((events) => sizeOf(gate.store, home, `s-${events}`))
    gate.close()
    const base = samples[0]?.p50 ?? 1
    return [
      {
        title: 'The memory of a session: a decision with its record, by what happened before',
        columns: ['', 'samples', 'p50 µs', 'p99 µs', 'p50 to the first', 'first of a new process, ms', 'kept, KiB'],
        rows: samples.map(({ name, count, p50, p99 }, at) => [
          name,
          count,
          round(p50),
          round(p99),
          round(p50 / base),
          round(fresh[at] ?? 0),
          round((sizes[at] ?? 0) / 1_024),
        ]),
        notes: ['Events are results of ten values each, added to the log as results are. The two are timed in turn, call by call.'],
      },
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Results with values that were not there before, in the order in which they would come. */
async function fill(store: GateStore, home: string, events: number): Promise<void> {
  const memory = memoryParts({ home, keep: true, store })
  const call = inSession(`s-${events}`, 'get_unread_emails', {})
  for (let done = 0; done < events; done += BATCH) {
    await store.run(
      (tx) => {
        for (let i = done; i < Math.min(done + BATCH, events); i += 1) memory.result(call, mails(i), Date.now())(tx)
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

/** Milliseconds of the first decision in each session, each by a gate that was just opened. */
async function restarts(home: string): Promise<readonly number[]> {
  const times: number[] = []
  for (const events of EVENTS) {
    const rounds: number[] = []
    for (let i = 0; i < 5; i += 1) {
      const gate = openBench({ policy: policyOf(POLICY), record: home })
      await gate.gate.decide(send('other', i))
      const begun = performance.now()
      await gate.gate.decide(send(`s-${events}`, 10_000 + i))
      rounds.push(performance.now() - begun)
      gate.close()
    }
    times.push(Math.min(...rounds))
  }
  return times
}

function sizeOf(store: GateStore, home: string, session: string): number {
  const known = memoryParts({ home, keep: true, store }).of(send(session, 0))
  return known === null ? 0 : encodeMemory(known.memory).length
}

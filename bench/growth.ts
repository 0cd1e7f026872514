/**
 * What a decision costs when things have piled up: grants, questions that wait, calls of a session, records of the log. Each row is
 * timed in turn with its own small case, and the ratio is of the medians.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApprovalQueue } from '../src/approvals/queue.ts'
import type { ToolCall } from '../src/core/call.ts'
import type { Gate } from '../src/gate.ts'
import type { Grant } from '../src/grants/grant.ts'
import { mintGrant } from '../src/grants/mint.ts'
import type { GateStore } from '../src/open.ts'
import { loadKeys } from '../src/store/sqlite/keys.ts'
import type { RecordInput, Transaction } from '../src/store/store.ts'
import { openBench, policyOf } from './gates.ts'
import { type Report, round, summary } from './measure.ts'
import { callOf } from './rules.ts'

const GRANTS = 5_000
const PENDING = 1_000
const STORED = 1_000_000
const WARM = 500
const COUNT = 400
const NOTE: RecordInput = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: 0, body: {} }

const POLICY = `version: 1
default: deny
rules: { allow: [{ tool: note, reason: bench }] }
tool_families: [claude-code]
capabilities: { gate: ['git:push'] }
tools: { send: { risk_tier: high, irreversible: true }, note: { risk_tier: low } }
approvals: { max_pending: { session: 1000, tenant: 100000 }, budget: { session: 100000, within: 1h } }
`

interface Case {
  readonly name: string
  readonly fill: (store: GateStore, home: string) => Promise<void>
  readonly call: (i: number) => ToolCall
  readonly expected: string
}

export async function growth(): Promise<readonly Report[]> {
  return [await grants(), await pending(), await stored()]
}

const push = (): ToolCall => ({ ...callOf('Bash', 'user', { command: 'git push origin main' }), cwd: '/home/user/project' })
const ask = (i: number): ToolCall => ({ ...callOf('send', 'user', { to: `t-${i}` }), session: `s-${i}` })

async function grants(): Promise<Report> {
  const none = { session: null, role: null, user: null, agent: null }
  const mine = { ...none, agent: 'bench' }
  const many = (parts: (i: number) => Partial<Grant>) => (store: GateStore, home: string) => minted(store, home, { count: GRANTS, parts })
  const one = (store: GateStore, home: string) => minted(store, home, { count: 1, parts: () => ({ binding: mine }) })
  const both = (parts: (i: number) => Partial<Grant>) => async (store: GateStore, home: string) => {
    await many(parts)(store, home)
    await one(store, home)
  }
  const spent = async (store: GateStore, home: string) => {
    await many(() => ({ binding: mine, expires: Date.now() - 1 }))(store, home)
    await one(store, home)
  }
  const n = GRANTS.toLocaleString('en')
  const cases: readonly Case[] = [
    { name: 'none, so it is denied', fill: async () => {}, call: push, expected: 'deny' },
    { name: 'one, which covers it', fill: one, call: push, expected: 'flag' },
    { name: `${n} for other actions, and the one`, fill: both(() => ({ action: 'npm:publish' })), call: push, expected: 'flag' },
    {
      name: `${n} for other sessions, and the one`,
      fill: both((i) => ({ binding: { ...none, session: `s-${i}x` } })),
      call: push,
      expected: 'flag',
    },
    {
      name: `${n} for other branches, and the one`,
      fill: both((i) => ({ binding: mine, scope: { branch: `b-${i}` } })),
      call: push,
      expected: 'flag',
    },
    { name: `${n} that ended, and the one`, fill: spent, call: push, expected: 'flag' },
    {
      name: `${n} for other branches, so it is denied`,
      fill: many((i) => ({ binding: mine, scope: { branch: `b-${i}` } })),
      call: push,
      expected: 'deny',
    },
  ]
  const rows = await measured(cases)
  return { title: 'A gated call, by the grants that there are', columns: ['', 'p50 µs', 'p99 µs', 'p50 to the first'], rows, notes: [] }
}

/** A call that is decided and recorded after so many others, in one session and in many. */
async function stored(): Promise<Report> {
  const note = () => callOf('note', 'user')
  const filled = (count: number, session: (i: number) => string) => (store: GateStore) => recorded(store, count, session)
  const cases: readonly Case[] = [
    { name: 'an empty log', fill: async () => {}, call: note, expected: 'allow' },
    { name: '10,000 decisions in one session', fill: filled(10_000, () => 's-1'), call: note, expected: 'allow' },
    { name: `${STORED.toLocaleString('en')} decisions`, fill: filled(STORED, (i) => `s-${i % 5_000}`), call: note, expected: 'allow' },
  ]
  const rows = await measured(cases)
  return { title: 'A recorded call, by the decisions in the log', columns: ['', 'p50 µs', 'p99 µs', 'p50 to the first'], rows, notes: [] }
}

async function recorded(store: GateStore, count: number, session: (i: number) => string): Promise<void> {
  const findings = 'x'.repeat(600)
  for (let from = 0; from < count; from += 4_096) {
    await Promise.all(
      Array.from({ length: Math.min(4_096, count - from) }, (_, index) => {
        const body = { call: { tool: 'Bash', args: { command: `git status ${from + index}` } }, decision: { decision: 'allow', findings } }
        const parts = { session: session(from + index), tool: 'Bash', decision: 'allow', code: 'rules.read_only', at: Date.now() } as const
        return store.append({ ...NOTE, ...parts, kind: 'decision', body })
      }),
    )
  }
}

async function minted(
  store: GateStore,
  home: string,
  { count, parts }: { readonly count: number; readonly parts: (i: number) => Partial<Grant> },
): Promise<void> {
  const { current } = loadKeys(home)
  const plain = {
    action: 'git:push',
    scope: {},
    binding: { session: null, role: null, user: null, agent: null },
    notBefore: null,
    expires: null,
    count: null,
    parent: null,
    reason: 'bench',
  }
  await store.run((tx: Transaction) => {
    for (let i = 0; i < count; i++) mintGrant(tx, { ...plain, ...parts(i) }, { signer: current, author: 'bench' })
  }, NOTE)
}

async function pending(): Promise<Report> {
  const asked = (count: number) => async (_: GateStore, __: string, gate: Gate) => {
    for (let i = 0; i < count; i++) await gate.decide(ask(-1 - i))
  }
  const [few, many] = [10, PENDING]
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const policy = policyOf(POLICY)
  const opened = [few, many].map((count) => ({ count, home: join(directory, String(count)) }))
  const gates = opened.map(({ count, home }) => ({ count, home, ...openBench({ policy, record: home }) }))
  try {
    for (const { count, store, home, gate } of gates) await asked(count)(store, home, gate)
    const times: number[][] = gates.map(() => [])
    for (let i = 0; i < 100; i++) {
      for (const [at, { gate }] of gates.entries()) {
        const started = performance.now()
        const { decision } = await gate.decide(ask(i))
        if (decision !== 'ask') throw new Error(`${decision} instead of ask`)
        times[at]?.push((performance.now() - started) * 1000)
      }
    }
    const [base] = times.map((each) => summary('', each).p50)
    const rows: (string | number)[][] = times.map((each, at) => {
      const { p50, p99 } = summary('', each)
      return [`a new question, ${opened[at]?.count} wait`, p50, p99, `${round(p50 / (base ?? 1))}×`]
    })
    const full = gates.at(-1)
    if (full !== undefined) {
      const queue = createApprovalQueue({ store: full.store, keys: () => loadKeys(full.home) })
      const listed = Array.from({ length: 12 }, () => {
        const started = performance.now()
        if (queue.list({ tenant: null, status: 'open', limit: 1_000 }).approvals.length !== 1_000) throw new Error('the list is too short')
        return (performance.now() - started) * 1000
      })
      const { p50, p99 } = summary('', listed.slice(2))
      rows.push(['listing 1,000', p50, p99, '-'])
    }
    return { title: 'Questions to people, by how many wait', columns: ['', 'p50 µs', 'p99 µs', 'p50 to the first'], rows, notes: [] }
  } finally {
    for (const { close } of gates) close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Every case in turn, call by call, so that whatever else the machine does falls on all of them alike. */
async function measured(cases: readonly Case[]): Promise<(string | number)[][]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const policy = policyOf(POLICY)
  const opened = cases.map((each, at) => ({
    each,
    home: join(directory, String(at)),
    ...openBench({ policy, record: join(directory, String(at)) }),
  }))
  try {
    for (const { each, store, home } of opened) await each.fill(store, home)
    const times = cases.map((): number[] => [])
    for (let i = -WARM; i < COUNT; i++) {
      for (const [at, { each, gate }] of opened.entries()) {
        const call = { ...each.call(i), session: `s-${i}` }
        const started = performance.now()
        const { decision } = await gate.decide(call)
        const took = (performance.now() - started) * 1000
        if (decision !== each.expected) throw new Error(`${each.name}: ${decision} instead of ${each.expected}`)
        if (i >= 0) times[at]?.push(took)
      }
    }
    const samples = cases.map(({ name }, at) => summary(name, times[at] ?? []))
    const base = samples[0]?.p50 ?? 1
    return samples.map(({ name, p50, p99 }) => [name, p50, p99, `${round(p50 / base)}×`])
  } finally {
    for (const { close } of opened) close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What people look at in a long log, and for how long that stops everything else: the longest stop of the event loop beside each look. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApprovalQueue } from '../src/approvals/queue.ts'
import { auditVerifyInSlices } from '../src/audit/log.ts'
import { pageOf, recordsOf } from '../src/server/log.ts'
import { sessionsOf } from '../src/server/sessions/list.ts'
import { statsOf } from '../src/server/stats/counters.ts'
import { loadKeys } from '../src/store/sqlite/keys.ts'
import { type EmbeddedStore, openStore } from '../src/store/sqlite/open.ts'
import { type Report, round } from './measure.ts'

const RECORDS = 400_000
const AT = 1_700_000_000_000

export async function looks(): Promise<readonly Report[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const store = openStore({ directory, anchorEvery: 100 })
  try {
    await fill(store)
    const queue = createApprovalQueue({ store, keys: () => loadKeys(directory) })
    const all: readonly [string, () => Promise<unknown>][] = [
      ['a word that is nowhere', () => pageOf(store, { text: 'nowhere', limit: 50 })],
      ['the same in one piece, for comparison', async () => [...recordsOf(store, { text: 'nowhere', limit: 51, newestFirst: true })]],
      ['a tool that was never called', () => pageOf(store, { tool: 'Nothing', limit: 50 })],
      ['the newest decisions', () => pageOf(store, { kind: 'decision', limit: 200 })],
      ['sessions', () => sessionsOf(store, { tenant: null, limit: 200 })],
      ['statistics of a month', () => statsOf({ store, queue }, { hours: 24 * 31, now: AT + RECORDS * 1_000, tenant: null })],
      ['verify', () => auditVerifyInSlices({ directory, summarise: true })],
    ]
    const rows: (string | number)[][] = []
    for (const [title, look] of all) rows.push([title, ...(await beside(look))])
    const notes = [
      `${RECORDS.toLocaleString('en')} records in 5,000 sessions. A decision waits at most for the longest stop, and its own time.`,
    ]
    return [{ title: 'Looking at a long log', columns: ['', 'ms', 'longest stop ms'], rows, notes }]
  } finally {
    store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function beside(look: () => Promise<unknown>): Promise<[number, number]> {
  let longest = 0
  let over = false
  const watched = (async () => {
    for (let last = performance.now(); !over; ) {
      await new Promise((resolve) => setImmediate(resolve))
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  const started = performance.now()
  await look()
  const took = performance.now() - started
  over = true
  await watched
  return [round(took), round(longest)]
}

async function fill(store: EmbeddedStore): Promise<void> {
  const decisions = ['allow', 'allow', 'flag', 'ask', 'deny'] as const
  for (let from = 0; from < RECORDS; from += 2_048) {
    await Promise.all(
      Array.from({ length: Math.min(2_048, RECORDS - from) }, (_, index) => {
        const number = from + index
        const decision = decisions[number % decisions.length] ?? 'allow'
        const body = {
          call: { tool: 'Bash', args: { command: `git status ${number}` } },
          decision: { decision, findings: 'x'.repeat(1_200) },
        }
        const session = `s-${number % 5_000}`
        const code = 'rules.read_only'
        return store.append({ kind: 'decision', session, tenant: null, tool: 'Bash', decision, code, at: AT + number * 1_000, body })
      }),
    )
  }
}

/** Counters from the log and the inbox, in the database where that is faster. */
import { isFast } from '../../approvals/answer.ts'
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { JsonObject } from '../../core/json.ts'
import type { GateStore } from '../../open.ts'
import { BODY } from '../../store/sqlite/records/pieces.ts'
import type { SqlRow, SqlValue } from '../../store/store.ts'
import { headOf } from '../log.ts'
import { WINDOW } from '../sessions/list.ts'
import { partsOf } from '../slices.ts'

export const HOUR = 3_600_000
const OUTCOMES = ['allow', 'flag', 'ask', 'deny', 'halt'] as const
export const MAX_APPROVALS = 1_000

export interface StatsQuery {
  readonly hours: number
  readonly now: number
  /** Null: of every tenant. */
  readonly tenant: string | null
}

export interface StatsSource {
  readonly store: Pick<GateStore, 'query' | 'read'>
  readonly queue: ApprovalQueue
}

export async function statsOf(source: StatsSource, query: StatsQuery): Promise<JsonObject> {
  const rows = await decisions(source, query)
  const byDecision = new Map<string, number>()
  const byLayer = new Map<string, number>()
  const byCode = new Map<string, number>()
  const byWould = new Map<string, number>()
  const layers = new Map<string, Map<string, number>>()
  for (const { decision, code, would, calls } of rows) {
    const [verdict, reason, count] = [String(decision), String(code), Number(calls)]
    const layer = reason.split('.')[0] ?? reason
    add(byDecision, verdict, count)
    add(byLayer, layer, count)
    add(byCode, reason, count)
    if (typeof would === 'string') add(byWould, would, count)
    const inLayer = layers.get(layer) ?? new Map<string, number>()
    add(inLayer, verdict, count)
    layers.set(layer, inLayer)
  }
  return {
    counters: {
      by_decision: Object.fromEntries(byDecision),
      by_layer: Object.fromEntries(byLayer),
      by_code: Object.fromEntries(byCode),
      by_would: Object.fromEntries(byWould),
    },
    series: series(rows, query),
    approvals: approvals(source, query),
    layers: Object.fromEntries([...layers].map(([layer, counts]) => [layer, Object.fromEntries(counts)])),
  }
}

/** What shadow mode let run and would have stopped: only a flag can be that, so no other body is read. */
const WOULD = `CASE WHEN decision = 'flag' THEN json_extract(${BODY}, '$.decision.would') END`

/** Counts of a part of the log each; whoever adds them up gets those of the whole. */
async function decisions({ store }: StatsSource, { hours, now, tenant }: StatsQuery): Promise<readonly SqlRow[]> {
  const head = headOf(store)
  const own = tenant === null ? '' : ' AND tenant = ?'
  const sql = `SELECT at / ${HOUR} AS hour, decision, code, ${WOULD} AS would, count(*) AS calls FROM records INDEXED BY records_listed
    WHERE sequence > ? AND sequence < ? AND kind = 'decision' AND at >= ?${own} GROUP BY hour, decision, code, would`
  const rows: SqlRow[] = []
  for await (const { after, before } of partsOf({ after: Math.max(0, head - WINDOW), before: head + 1 })) {
    const values: SqlValue[] = [after, before, startOf({ hours, now }), ...(tenant === null ? [] : [tenant])]
    rows.push(...store.query((tx) => tx.all(sql, ...values)))
  }
  return rows
}

function startOf({ hours, now }: Pick<StatsQuery, 'hours' | 'now'>): number {
  return (Math.floor(now / HOUR) - hours + 1) * HOUR
}

/** One point for every hour, those without calls included. */
function series(rows: readonly SqlRow[], { hours, now }: StatsQuery): readonly JsonObject[] {
  const counted = new Map<string, number>()
  for (const { hour, decision, calls } of rows) add(counted, `${String(hour)} ${String(decision)}`, Number(calls))
  const first = startOf({ hours, now }) / HOUR
  return Array.from({ length: hours }, (_, index) => {
    const hour = first + index
    const counts = OUTCOMES.map((outcome) => [outcome, counted.get(`${hour} ${outcome}`) ?? 0] as const)
    return { at: new Date(hour * HOUR).toISOString(), ...Object.fromEntries(counts) }
  })
}

function approvals({ queue }: StatsSource, { hours, now, tenant }: StatsQuery): JsonObject {
  const start = startOf({ hours, now })
  const all = queue.list({ tenant, limit: MAX_APPROVALS }).approvals
  const recent = all.filter(({ createdAt }) => createdAt >= start)
  const approved = recent.filter(({ status }) => status === 'approved' || status === 'consumed')
  const count = (status: string) => recent.filter((each) => each.status === status).length
  return {
    pending: all.filter(({ status }) => status === 'pending').length,
    approved: approved.length,
    denied: count('denied'),
    expired: count('expired'),
    fast: approved.filter((approval) => approval.answers.some((answer) => isFast(approval, answer))).length,
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** What each rule is worth, from the newest part of the log and the inbox. */
import { type Carried, type RuleFigures, ruleFigures } from '../../approvals/effectiveness/rules.ts'
import { isJsonObject, own } from '../../core/json.ts'
import type { Outcome } from '../../core/verdict.ts'
import type { GateStore } from '../../open.ts'
import { at, headOf, recordsOf } from '../log.ts'
import { WINDOW } from '../sessions/list.ts'
import { partsOf } from '../slices.ts'
import { HOUR, MAX_APPROVALS, type StatsQuery, type StatsSource } from './counters.ts'

const STOPPED: ReadonlySet<string> = new Set<Outcome>(['deny', 'halt'])

/** The rules that asked or denied in these hours. */
export async function rulesOf({ store, queue }: StatsSource, { hours, now, tenant }: StatsQuery): Promise<readonly RuleFigures[]> {
  const since = now - hours * HOUR
  const approvals = queue.list({ tenant, limit: MAX_APPROVALS }).approvals.filter(({ createdAt }) => createdAt >= since)
  return ruleFigures(await carriedIn(store, { since, tenant }), approvals)
}

async function carriedIn(
  store: Pick<GateStore, 'query' | 'read'>,
  { since, tenant }: { readonly since: number; readonly tenant: string | null },
): Promise<readonly Carried[]> {
  const counted = new Map<string, number>()
  const head = headOf(store)
  for await (const { after, before } of partsOf({ after: Math.max(0, head - WINDOW), before: head + 1 })) {
    for (const decision of STOPPED) {
      const query = { after, before, since, kind: 'decision', decision, ...(tenant === null ? {} : { tenant }) } as const
      for (const record of recordsOf(store, query))
        for (const rule of rulesIn(record)) counted.set(`${decision} ${rule}`, (counted.get(`${decision} ${rule}`) ?? 0) + 1)
    }
  }
  return [...counted].map(([key, calls]) => {
    const space = key.indexOf(' ')
    return { decision: key.slice(0, space) as Outcome, rule: key.slice(space + 1), calls }
  })
}

/** The rules that carried the verdict of a record. */
function rulesIn(record: Parameters<typeof at>[0]): ReadonlySet<string> {
  const findings = at(record, 'decision', 'findings')
  const determining = at(record, 'decision', 'determining')
  if (!Array.isArray(findings) || !Array.isArray(determining)) return new Set()
  const carrying = determining.map((index) => findings[Number(index)] ?? null).filter(isJsonObject)
  return new Set(carrying.map((finding) => `${String(own(finding, 'layer'))}.${String(own(finding, 'rule'))}`))
}

/** Counters and their course over time, counted from the log: they hold for every process that wrote to it. */
import Type from 'typebox'
import { tenantOf } from '../auth/caller.ts'
import type { ServerParts } from '../parts.ts'
import { ok } from '../reply.ts'
import { look, type Route } from '../route.ts'
import { Counts, Instant, Whole } from '../schemas.ts'
import { statsOf } from '../stats.ts'
import type { LookingParts } from './audit.ts'

const Point = Type.Object({
  at: Instant,
  allow: Type.Integer(),
  flag: Type.Integer(),
  ask: Type.Integer(),
  deny: Type.Integer(),
  halt: Type.Integer(),
})
const Stats = Type.Object({
  counters: Type.Object({ by_decision: Counts, by_layer: Counts, by_code: Counts, by_would: Counts }),
  series: Type.Array(Point),
  approvals: Type.Object({
    pending: Type.Integer(),
    approved: Type.Integer(),
    denied: Type.Integer(),
    expired: Type.Integer(),
    fast: Type.Integer({ description: 'approved in under two seconds' }),
  }),
  layers: Type.Record(Type.String(), Counts),
})
const MOST_HOURS = 24 * 31

export function statsLooks({ store, queue, now }: LookingParts & Pick<ServerParts, 'queue'>): readonly Route[] {
  return [
    look({
      path: '/v1/stats',
      tag: 'looking',
      summary: 'Counters and their course over the last hours, by the hour',
      who: 'viewer',
      query: Type.Object({ hours: Type.Optional(Whole) }, { additionalProperties: false }),
      answers: { 200: { description: 'the counters', schema: Stats } },
      handle: async ({ caller, query }) => {
        const hours = Math.max(1, Math.min(MOST_HOURS, Number(query.hours ?? 24)))
        return ok(await statsOf({ store, queue }, { hours, now: now(), tenant: tenantOf(caller) }))
      },
    }),
  ]
}

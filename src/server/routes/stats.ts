/** Counters and their course over time, counted from the log: they hold for every process that wrote to it. */
import Type from 'typebox'
import type { Json } from '../../core/json.ts'
import { tenantOf } from '../auth/caller.ts'
import type { ServerParts } from '../parts.ts'
import { ok } from '../reply.ts'
import { look, type Route } from '../route.ts'
import { Anything, Counts, Instant, Whole } from '../schemas.ts'
import { statsOf } from '../stats/counters.ts'
import { rulesOf } from '../stats/rules.ts'
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
const Duration = Type.Object({ median: Type.Number(), p90: Type.Number() }, { description: 'milliseconds from question to answer' })
const Grant = Type.Object({
  answers: Type.Integer({ description: 'questions that it would have answered' }),
  action: Type.String(),
  scope: Anything,
  command: Type.String({ description: 'what an operator would type; nothing applies it' }),
})
const Rules = Type.Object({
  rules: Type.Array(
    Type.Object({
      rule: Type.String({ description: '`layer.rule`' }),
      denied: Type.Integer(),
      asked: Type.Integer(),
      approved: Type.Integer(),
      refused: Type.Integer({ description: 'a person said no: it stopped rightly' }),
      unanswered: Type.Integer(),
      waiting: Type.Integer(),
      overrides: Type.Integer({ description: 'approved by break-glass' }),
      fast: Type.Integer({ description: 'approved in under two seconds' }),
      answer: Type.Union([Duration, Type.Null()]),
      candidate: Type.Union([Type.Object({ answers: Type.Integer(), grants: Type.Array(Grant) }), Type.Null()]),
    }),
  ),
})
const MAX_HOURS = 24 * 31

/** From 1 to 744; default 24. */
function hoursIn(value: unknown): number {
  return Math.max(1, Math.min(MAX_HOURS, Number(value ?? 24)))
}

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
        return ok(await statsOf({ store, queue }, { hours: hoursIn(query.hours), now: now(), tenant: tenantOf(caller) }))
      },
    }),
    look({
      path: '/v1/stats/rules',
      tag: 'looking',
      summary:
        'What each rule stopped and asked, what people said, and the grants that would have spared questions always answered with yes',
      who: 'viewer',
      query: Type.Object({ hours: Type.Optional(Whole) }, { additionalProperties: false }),
      answers: { 200: { description: 'the rule that asked most first', schema: Rules } },
      handle: async ({ caller, query }) => {
        const rules = await rulesOf({ store, queue }, { hours: hoursIn(query.hours), now: now(), tenant: tenantOf(caller) })
        return ok({ rules: rules as unknown as Json })
      },
    }),
  ]
}

/** The log for people: decisions, search, verification. */
import Type from 'typebox'
import { afterwards, outcomeIn } from '../../audit/outcome.ts'
import { parseSearch } from '../../audit/search.ts'
import type { RecordQuery } from '../../store/store.ts'
import { type Caller, tenantOf } from '../auth/caller.ts'
import { pageOf, recordById, recordToJson } from '../log.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { look, type Route, route } from '../route.ts'
import { Anything, ErrorBody, Instant, nullable, Text, Verdict, Whole } from '../schemas.ts'
import { rowOf } from '../sessions/row.ts'
import { placesIn } from '../sessions/timeline.ts'

const Paged = { before: Type.Optional(Whole), limit: Type.Optional(Whole) }
const Name = nullable(Type.String())
const Flow = Type.Object({
  argument: Type.String(),
  role: Type.String(),
  origin: Type.String(),
  source: nullable(Type.Object({ tool: Type.String(), field: Type.String(), step: Type.Integer() })),
  by: Type.Optional(Type.String({ description: 'who or which rule vouches for it' })),
})
const Row = Type.Object({
  id: Type.String(),
  at: Instant,
  session: Name,
  tool: Name,
  decision: Name,
  would: Type.Optional(Type.String({ description: 'what would have been decided, where shadow mode let the call run' })),
  code: Name,
  reason: Name,
  summary: Type.String({ description: 'the arguments as JSON, cut short' }),
  risk: Type.Number({ description: 'risk of the session with this decision, from 0 to 1' }),
  step: Type.Optional(Type.Integer({ description: 'number of the call in its session, from 1; where nothing but a session is asked for' })),
  flows: Type.Array(Flow, { description: 'where arguments come from that the user did not name' }),
  labels: Type.Array(Type.String(), { description: 'what the call touches: secret, untrusted input, leaves, cannot be undone' }),
})
const LogRecord = Type.Object({
  id: Type.String(),
  sequence: Type.Integer(),
  kind: Type.String(),
  at: Instant,
  session: Name,
  tenant: Name,
  tool: Name,
  decision: Name,
  code: Name,
  body: Type.Record(Type.String(), Anything),
  hash: Type.String(),
  previous: Type.String(),
  key: Type.String(),
  outcome: Type.Optional(
    Type.Object(
      { state: Type.String(), why: Name, record: Name },
      { description: 'what became of a call that was let through: ran, failed, refused, unknown; on one record alone' },
    ),
  ),
})
const Before = nullable(Type.Integer({ description: 'hand in as `before` for the next page' }))
const MOST = 200

/** What looking at the log needs, wherever it is done. */
export type LookingParts = Pick<ServerParts, 'store' | 'now'>

export function auditLooks(parts: LookingParts): readonly Route[] {
  return [...decisions(parts), search(parts)]
}

function decisions({ store }: LookingParts): readonly Route[] {
  return [
    look({
      path: '/v1/decisions',
      tag: 'looking',
      summary: 'Recorded decisions, newest first',
      who: 'viewer',
      query: Type.Object(
        { session: Type.Optional(Text), decision: Type.Optional(Verdict), tool: Type.Optional(Text), q: Type.Optional(Text), ...Paged },
        { additionalProperties: false },
      ),
      answers: { 200: { description: 'one page', schema: Type.Object({ decisions: Type.Array(Row), before: Before }) } },
      handle: async ({ caller, query: { session, decision, tool, q, before, limit } }) => {
        const { records, before: next } = await pageOf(store, {
          kind: 'decision',
          ...mine(caller),
          ...given({ session, decision: decision as string | undefined, tool, text: q }),
          ...(before === undefined ? {} : { before: Number(before) }),
          limit: most(limit),
        })
        const whole = session !== undefined && decision === undefined && tool === undefined && q === undefined
        const places = whole ? placesIn(store, records) : new Map<string, number>()
        return ok({ decisions: records.map((record) => rowOf(record, places.get(record.id))), before: next })
      },
    }),
    look({
      path: '/v1/decisions/{id}',
      tag: 'looking',
      summary: 'One record in full',
      who: 'viewer',
      answers: {
        200: { description: 'the record', schema: LogRecord },
        404: { description: 'there is no such record for you', schema: ErrorBody },
      },
      handle: async ({ caller, param }) => {
        const record = recordById(store, param('id').toUpperCase(), tenantOf(caller))
        if (record === null) return refused(404, { code: 'http.not_found', message: 'there is no such record' })
        const after = afterwards(record)
        if (after === null) return ok(recordToJson(record))
        const [results, notes] = await Promise.all([pageOf(store, after.results), pageOf(store, after.notes)])
        const oldestFirst = (page: typeof notes) => page.records.toReversed()
        return ok({ ...recordToJson(record), outcome: outcomeIn(record, { results: oldestFirst(results), notes: oldestFirst(notes) }) })
      },
    }),
  ]
}

function search({ store, now }: LookingParts): Route {
  return look({
    path: '/v1/audit/search',
    tag: 'looking',
    summary: 'Records by what `countersign audit search` takes: words, and fields such as `decision:deny since:24h`',
    who: 'viewer',
    query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 1_000 })), ...Paged }, { additionalProperties: false }),
    answers: { 200: { description: 'one page, newest first', schema: Type.Object({ records: Type.Array(LogRecord), before: Before }) } },
    handle: async ({ caller, query }): Promise<Answer> => {
      const parsed = parseSearch(query.q ?? '', now())
      if ('problem' in parsed) return refused(400, { code: 'http.query', message: parsed.problem })
      const page = await pageOf(store, {
        ...parsed.query,
        ...mine(caller),
        ...(query.before === undefined ? {} : { before: Number(query.before) }),
        limit: most(query.limit),
      })
      return ok({ records: page.records.map(recordToJson), before: page.before })
    },
  })
}

export function verifyRoutes({ now, verify }: Pick<ServerParts, 'now' | 'verify'>): readonly Route[] {
  const verified = oncePer(VERIFY_PAUSE, { act: verify, now })
  return [
    route({
      method: 'GET',
      path: '/v1/audit/verify',
      tag: 'looking',
      summary: 'Is this the log that was written? Checks every record of it',
      who: 'viewer',
      answers: {
        200: {
          description: 'the report',
          schema: Type.Object({ ok: Type.Boolean(), total: Type.Integer(), breaks: Type.Array(Anything), warnings: Type.Array(Anything) }),
        },
      },
      handle: async ({ caller }) =>
        tenantOf(caller) === null
          ? ok(await verified())
          : refused(403, { code: 'http.forbidden', message: 'the log is of all tenants, and you see one of them' }),
    }),
  ]
}

/** Whatever else was asked for, only what the caller may see (T64). */
function mine(caller: Caller): Pick<RecordQuery, 'tenant'> {
  const tenant = tenantOf(caller)
  return tenant === null ? {} : { tenant }
}

function given(query: Readonly<Record<'session' | 'decision' | 'tool' | 'text', string | undefined>>): Partial<RecordQuery> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

function most(limit: string | undefined): number {
  return Math.max(1, Math.min(MOST, Number(limit ?? 50)))
}

/** Every record is hashed again: who asks all the time, or while it is done, is answered what is found by then. */
const VERIFY_PAUSE = 5_000

interface Run<T> {
  readonly value: Promise<T>
  /** Null while it is under way. */
  ended: number | null
}

function oncePer<T>(milliseconds: number, { act, now }: { readonly act: () => Promise<T>; readonly now: () => number }): () => Promise<T> {
  let last: Run<T> | null = null
  return () => {
    const fresh = last !== null && (last.ended === null || (now() - last.ended < milliseconds && now() >= last.ended))
    if (last !== null && fresh) return last.value
    const run: Run<T> = { value: act(), ended: null }
    last = run
    const ended = (): void => {
      run.ended = now()
    }
    const failed = (): void => {
      if (last === run) last = null
    }
    run.value.then(ended, failed)
    return run.value
  }
}

/** Taking back what a call did, for people: what could be, what it would do now, and doing it through the gate. */
import Type from 'typebox'
import { isIntact } from '../../audit/log.ts'
import { laterIn, takenBackBy, undoOf } from '../../open-later.ts'
import { type Found, NothingKept, planOf, takeBack, toldPlan, undoable, undoableBy, undoPartsOf } from '../../open-taking-back.ts'
import { type Caller, tenantOf } from '../auth/caller.ts'
import { recordById, recordsOf } from '../log.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { ErrorBody, Instant, nullable, Text } from '../schemas.ts'
import { personOf } from './login.ts'

const Kept = Type.Object({ id: Type.String(), at: Instant, tool: nullable(Type.String()), session: nullable(Type.String()) })
const Step = Type.Object({
  name: Type.String({ description: 'the compensator' }),
  lines: Type.Array(Type.String(), { description: 'what would happen; empty: it is as it was already' }),
  more: Type.Integer({ description: 'how many lines are left out' }),
  problem: nullable(Type.String({ description: 'why it cannot be taken back here' })),
  cannot: Type.String(),
})
const Plan = Type.Object({
  of: Type.String(),
  digest: Type.String({ description: 'of what is shown; who agrees, agrees to this' }),
  taken_by: nullable(Type.String({ description: 'record that took it back already' })),
  steps: Type.Array(Step),
})
const Agreed = Type.Object({ digest: Text }, { additionalProperties: false })
const Taken = Type.Object({
  id: nullable(Type.String({ description: 'its record; null: there was nothing to do' })),
  problems: Type.Array(Type.String()),
  whole: Type.Boolean(),
})
const NOT_KEPT = { 404: { description: 'nothing was kept for such a record of yours', schema: ErrorBody } }
const DAYS_7 = 604_800_000

export function undoRoutes(parts: ServerParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/undo',
      tag: 'approvals',
      summary: 'What can be taken back, the newest first',
      who: 'viewer',
      query: Type.Object({ session: Type.Optional(Type.String()) }, { additionalProperties: false }),
      answers: { 200: { description: 'calls whose way back is kept', schema: Type.Object({ calls: Type.Array(Kept) }) } },
      handle: ({ caller, query: { session } }) => {
        const found = undoable(
          { read: (asked) => recordsOf(parts.store, asked) },
          { tenant: tenantOf(caller), ...(session === undefined ? {} : { session }) },
        )
        return ok({ calls: found.map(({ record }) => listed(record)) })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/decisions/{id}/undo',
      tag: 'approvals',
      summary: 'What taking back this call would do now',
      who: 'approver',
      answers: { 200: { description: 'step by step', schema: Plan }, ...NOT_KEPT },
      handle: ({ caller, param }) =>
        kept(async () => ok({ ...toldPlan(await planFor(param('id'), caller, parts)), taken_by: takenBy(param('id'), parts) })),
    }),
    route({
      method: 'POST',
      path: '/v1/decisions/{id}/undo',
      tag: 'approvals',
      summary: 'Take it back, as it was shown: the gate judges it, and the log links it to the call',
      who: 'approver',
      body: Agreed,
      answers: {
        200: { description: 'it is taken back, as far as it could be', schema: Taken },
        ...NOT_KEPT,
        403: { description: 'the gate does not let it be taken back', schema: ErrorBody },
        409: { description: 'it is no longer what was shown', schema: ErrorBody },
      },
      handle: ({ caller, param, body }) => kept(() => taken(param('id'), body.digest, { caller, parts })),
    }),
  ]
}

const listed = ({ id, at, tool, session }: Found['record']) => ({ id, at: new Date(at).toISOString(), tool, session })

async function kept(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NothingKept) return refused(404, { code: 'http.not_found', message: error.message })
    throw error
  }
}

function planFor(id: string, caller: Caller, parts: ServerParts) {
  const record = recordById(parts.store, id.toUpperCase(), tenantOf(caller))
  const found = undoableBy(record === null ? null : { record, intact: isIntact(record, parts.keys().ring) })
  const undo = backing(parts)
  return planOf(found, undo, laterIn({ read: (asked) => recordsOf(parts.store, asked) }, undo.store))
}

const backing = ({ home, policy, env }: ServerParts) => undoPartsOf(home, policy().policy, (name) => env(name) ?? null)

/** Null: it was not taken back, or that was taken back since. */
function takenBy(id: string, { store }: ServerParts): string | null {
  const notes = [...recordsOf(store, { kind: 'note', newestFirst: true, limit: 10_000, text: 'undo' })]
  const taken = takenBackBy(notes)
  const own = notes.find(({ id: note, body }) => undoOf(body)?.of === id.toUpperCase() && !taken.has(note))
  return own?.id ?? null
}

async function taken(
  id: string,
  digest: string,
  { caller, parts }: { readonly caller: Caller; readonly parts: ServerParts },
): Promise<Answer> {
  const plan = await planFor(id, caller, parts)
  if (plan.digest !== digest)
    return refused(409, { code: 'approval.changed', message: 'what would be taken back is not what was shown any more; look again' })
  const { gate, queue, store, policy, feed } = parts
  const by = personOf(caller).name
  const result = await takeBack(plan, {
    decide: gate.decide,
    agree: async (approval) =>
      void (await queue.answer(approval, { tenant: tenantOf(caller), by, verdict: 'approve', comment: 'taken back in the console' })),
    log: store,
    parts: backing(parts),
    keepMs: policy().policy?.undo?.keepMs ?? DAYS_7,
    by,
  })
  if (result.refused !== null)
    return refused(403, { code: 'http.forbidden', message: `the gate does not let it be taken back: ${result.refused}` })
  feed.poke()
  return ok({ id: result.id, problems: [...result.problems], whole: result.whole })
}

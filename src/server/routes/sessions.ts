/** Sessions for people: who works, what came of it, and the way back for one that was stopped. */
import Type from 'typebox'
import { readSessionName } from '../../core/session-name.ts'
import { unlockSession } from '../../open-sessions.ts'
import { type Caller, tenantOf } from '../auth/caller.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { look, type Route, route } from '../route.ts'
import { Counts, ErrorBody, Instant, nullable, Text, Whole } from '../schemas.ts'
import { authorizationOf } from '../sessions/authorization.ts'
import { sessionsOf } from '../sessions/list.ts'
import type { LookingParts } from './audit.ts'
import { personOf } from './login.ts'

const Name = nullable(Type.String())
const Session = Type.Object({
  session: Type.String({ description: 'as the log knows it' }),
  tenant: Name,
  owner: nullable(Type.String({ description: 'token or person that opened it; null: the user who runs the gate' })),
  agent: Name,
  role: Name,
  user: Name,
  first_at: Instant,
  last_at: Instant,
  calls: Type.Integer(),
  by_decision: Counts,
  locked: Type.Boolean({ description: 'every further call of it is stopped, until somebody unlocks it' }),
})
const Unlock = Type.Object({ session: Text, tenant: Type.Optional(nullable(Type.String())), reason: Text }, { additionalProperties: false })
const Unlocked = Type.Object({ session: Type.String(), was_locked: Type.Boolean(), forgotten: Type.Integer(), id: Type.String() })
const Graph = Type.Object({
  judge: Type.String(),
  at: Instant,
  permits: nullable(Type.Array(Type.String())),
  problem: nullable(Type.String({ description: 'why the judge gave no graph' })),
})
const Authorization = Type.Object({ request: Name, words: Type.Array(Type.String()), graph: nullable(Graph) })
const MOST = 200

export function sessionLooks({ store, now }: LookingParts): readonly Route[] {
  return [
    look({
      path: '/v1/sessions',
      tag: 'looking',
      summary: 'Sessions, the one with the newest call first',
      who: 'viewer',
      query: Type.Object({ limit: Type.Optional(Whole) }, { additionalProperties: false }),
      answers: { 200: { description: 'the sessions', schema: Type.Object({ sessions: Type.Array(Session) }) } },
      handle: async ({ caller, query }) => {
        const limit = Math.max(1, Math.min(MOST, Number(query.limit ?? 50)))
        return ok({ sessions: await sessionsOf(store, { tenant: tenantOf(caller), limit, now: now() }) })
      },
    }),
    authorizationLook({ store, now }),
  ]
}

function authorizationLook({ store }: LookingParts): Route {
  return look({
    path: '/v1/sessions/authorization',
    tag: 'looking',
    summary: 'What the newest request of a session authorises: by its own words, and by the graph that a judge made of it',
    who: 'viewer',
    query: Type.Object({ session: Text }, { additionalProperties: false }),
    answers: { 200: { description: 'lines for people; `request` is null where nobody vouches for one', schema: Authorization } },
    handle: async ({ caller, query: { session } }) => ok(await authorizationOf(store, { session, tenant: tenantOf(caller) })),
  })
}

export function sessionRoutes(parts: ServerParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/sessions/unlock',
      tag: 'approvals',
      summary: 'Let a stopped session go on: what it was denied before is forgotten, and the log says who did it',
      who: 'approver',
      body: Unlock,
      answers: {
        200: { description: 'it starts anew', schema: Unlocked },
        404: { description: 'nothing is remembered of such a session', schema: ErrorBody },
      },
      handle: ({ caller, body: { session, tenant = null, reason } }) =>
        unlock(caller, { session, tenant: tenantOf(caller) ?? tenant, reason }, parts),
    }),
  ]
}

interface Asked {
  readonly session: string
  readonly tenant: string | null
  readonly reason: string
}

async function unlock(caller: Caller, { session, tenant, reason }: Asked, { store, feed }: ServerParts): Promise<Answer> {
  const { name } = personOf(caller)
  if (readSessionName(session).owner === name)
    return refused(403, { code: 'http.forbidden', message: 'who opened a session cannot unlock it; ask somebody else' })
  const unlocked = await unlockSession(store, { session, tenant, by: name, reason, now: store.now() })
  if (unlocked === null) return refused(404, { code: 'http.not_found', message: 'nothing that was denied is remembered of such a session' })
  feed.poke()
  return ok({ session, was_locked: unlocked.locked, forgotten: unlocked.remembered.length, id: unlocked.id })
}

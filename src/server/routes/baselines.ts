/** What roles usually do, for people: how much is known, what waits, what changed. Nothing is learned or accepted here. */
import Type from 'typebox'
import { roleKey, type States } from '../../baseline/learner.ts'
import { dayText, driftOf, statusOf } from '../../baseline/report.ts'
import { storedRoles } from '../../open-baseline-changes.ts'
import { LEARNING } from '../../policy/baseline/model.ts'
import { type Caller, tenantOf } from '../auth/caller.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { ErrorBody, nullable, Text } from '../schemas.ts'

const Name = nullable(Type.String())
const Role = Type.Object({
  tenant: Name,
  role: nullable(Type.String({ description: 'null: calls without a role' })),
  sessions: Type.Integer(),
  days: Type.Integer(),
  known: Type.Boolean({ description: 'false: cold start, calls are no more than flagged' }),
  needed: Type.Integer({ description: 'sessions after which the role is known' }),
  last_day: Name,
  waiting: Type.Integer({ description: 'new values that do not count yet' }),
  flagged: Type.Integer({ description: 'of these, how many were flagged and wait for people' }),
  versions: Type.Array(Type.String()),
  held: nullable(Type.String({ description: 'frozen version that calls are held to; null: what is learned' })),
})
const Term = { unit: Type.String(), context: Type.String(), value: Type.String(), text: Type.String({ description: 'in words' }) }
const Roles = Type.Object({ learns: Type.Boolean(), broken: Type.Boolean(), roles: Type.Array(Role) })
const Drift = Type.Object({
  role: Role,
  usual: Type.Array(Type.Object({ ...Term, share: Type.Number() })),
  waiting: Type.Array(
    Type.Object({
      ...Term,
      first: Type.String(),
      last: Type.String(),
      days: Type.Integer(),
      sessions: Type.Integer(),
      flagged: Type.Boolean(),
    }),
  ),
  since: nullable(Type.String({ description: 'version that the changes are since' })),
  changes: Type.Array(Type.Object({ ...Term, before: Type.Number(), after: Type.Number() })),
})
const MOST = 100

export function baselineRoutes(parts: ServerParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/baselines',
      tag: 'looking',
      summary: 'Roles with a baseline: how much was learned of each, what waits, which version calls are held to',
      who: 'viewer',
      answers: { 200: { description: 'the roles', schema: Roles } },
      handle: ({ caller }) => {
        const { states, broken } = storedRoles(parts)
        const { needed, learns } = learningOf(parts)
        const shown = [...seenBy(caller, states)].map(([key, state]) => ({ ...statusOf(key, state, needed) }))
        return ok({ learns, broken, roles: shown })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/baselines/drift',
      tag: 'looking',
      summary: 'One role: what is usual, what is new and waits, and what changed since the version it is held to',
      who: 'viewer',
      query: Type.Object({ role: Type.Optional(Text), tenant: Type.Optional(Text) }, { additionalProperties: false }),
      answers: {
        200: { description: 'the report', schema: Drift },
        404: { description: 'nothing was learned of such a role', schema: ErrorBody },
      },
      handle: ({ caller, query }) => drift(caller, query, parts),
    }),
  ]
}

function drift(caller: Caller, { role = '', tenant }: { readonly role?: string; readonly tenant?: string }, parts: ServerParts): Answer {
  const key = roleKey(tenantOf(caller) ?? tenant ?? null, role)
  const state = storedRoles(parts).states.get(key)
  if (state === undefined) return refused(404, { code: 'http.not_found', message: 'nothing was learned of such a role' })
  const { usual, waiting, since, changes } = driftOf(state, MOST)
  return ok({
    role: { ...statusOf(key, state, learningOf(parts).needed) },
    usual: usual.map((each) => ({ ...each })),
    waiting: waiting.map((each) => ({ ...each, first: dayText(each.first), last: dayText(each.last) })),
    since,
    changes: changes.map((each) => ({ ...each })),
  })
}

/** A caller of one tenant sees the roles of that one. */
function seenBy(caller: Caller, states: States): readonly (readonly [string, NonNullable<ReturnType<States['get']>>])[] {
  const own = tenantOf(caller)
  return [...states].filter(([key]) => own === null || key.startsWith(`${own}\n`))
}

function learningOf({ policy }: ServerParts): { readonly needed: number; readonly learns: boolean } {
  const section = policy().policy?.baseline ?? null
  return { needed: section?.warmUp ?? LEARNING.warmUp, learns: section?.learns === true }
}

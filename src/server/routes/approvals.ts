/** Approvals over HTTP: people see and answer everything of their tenant, an agent sees how its own ask stands (D13). */
import Type, { type Static } from 'typebox'
import { NoApproval } from '../../approvals/answer.ts'
import { groupsOf } from '../../approvals/groups.ts'
import type { Status } from '../../approvals/machine.ts'
import { type ApprovalQueue, type GivenAnswer, MAX_IN_A_BATCH } from '../../approvals/queue.ts'
import { approvalStatus, approvalView } from '../../approvals/view.ts'
import type { Code } from '../../core/codes.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'

import { readDuration } from '../../policy/contracts/dates.ts'
import { type Caller, tenantOf } from '../auth/caller.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { type Incoming, look, type Route, route } from '../route.ts'
import { ApprovalStatus, ApprovalView, choices, ErrorBody, Text, Whole } from '../schemas.ts'
import { personOf } from './login.ts'

const LISTED = ['open', 'pending', 'approved', 'denied', 'expired', 'cancelled', 'consumed'] as const
const Listed = Type.Object(
  { status: Type.Optional(choices(LISTED)), session: Type.Optional(Text), limit: Type.Optional(Whole) },
  { additionalProperties: false },
)
const Listing = Type.Object({
  approvals: Type.Array(ApprovalView),
  groups: Type.Array(Type.Object({ group: Type.String(), ids: Type.Array(Type.String()), text: Type.String() })),
  more: Type.Boolean(),
})
const Wait = Type.Object(
  {
    wait: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}(ms|s|m)$', description: 'at most 60s; longer is taken for that' })),
    version: Type.Optional(Whole),
  },
  { additionalProperties: false },
)
const Comment = Type.Optional(Type.String({ maxLength: 4_000 }))
const Approving = Type.Object(
  {
    comment: Comment,
    scope: Type.Optional(
      Type.Union(
        [
          choices(['once', 'session', 'apply']),
          Type.Object({ grant: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: false }),
        ],
        {
          description:
            'how far the yes reaches: `once`, `session`, a `grant` as it is proposed or narrower, or `apply`: the call does not run, and ' +
            'exactly what its preview showed is made',
        },
      ),
    ),
    modified_arguments: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'top-level arguments to run with instead: decided again, and shown in a new version that waits for a yes of its own',
        },
      ),
    ),
    break_glass: Type.Optional(Type.Boolean({ description: 'approve alone, with a comment, where the policy lets you; loud in the log' })),
    version: Type.Optional(Type.Integer({ description: 'the version that you looked at; another one is refused' })),
  },
  { additionalProperties: false },
)
const Denying = Type.Object({ comment: Comment, version: Type.Optional(Type.Integer()) }, { additionalProperties: false })
const Batch = Type.Object(
  {
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_IN_A_BATCH, uniqueItems: true }),
    verdict: choices(['approve', 'deny']),
    comment: Comment,
  },
  { additionalProperties: false },
)
const BatchAnswer = Type.Object({
  results: Type.Array(Type.Object({ id: Type.String(), ok: Type.Boolean(), error: Type.Optional(ErrorBody) })),
})

const ANSWERED = {
  200: { description: 'taken, or taken before', schema: ApprovalView },
  404: { description: 'there is no such approval for you', schema: ErrorBody },
  409: { description: 'it is over, was answered otherwise, or changed since you looked', schema: ErrorBody },
  422: { description: 'it lacks a reason, reaches further than is proposed, or changes arguments into what is denied', schema: ErrorBody },
}

export function approvalRoutes(parts: ServerParts): readonly Route[] {
  return [showing(parts), ...answering(parts.queue)]
}

export function approvalLooks({ queue }: Pick<ServerParts, 'queue'>): readonly Route[] {
  return [
    look({
      path: '/v1/approvals',
      tag: 'approvals',
      summary: 'Approvals of your tenant; those that are open, soonest end first',
      who: 'viewer',
      query: Listed,
      answers: { 200: { description: 'one page', schema: Listing } },
      handle: ({ caller, query: { status, session, limit } }) => {
        const { approvals, more } = queue.list({
          tenant: tenantOf(caller),
          ...(status === undefined ? {} : { status: status as Status | 'open' }),
          ...(session === undefined ? {} : { session }),
          limit: Number(limit ?? 50),
        })
        const groups = groupsOf(approvals.filter((each) => each.status === 'pending')).map(({ group, ids, text }) => ({ group, ids, text }))
        return ok({ approvals: approvals.map(approvalView), groups, more })
      },
    }),
  ]
}

function showing({ queue, feed }: ServerParts): Route {
  return route({
    method: 'GET',
    path: '/v1/approvals/{id}',
    tag: 'approvals',
    summary: 'One approval; with `wait`, answered once it changes or the time is over',
    who: 'agent',
    query: Wait,
    answers: {
      200: { description: 'in full for people, coarse for agents', schema: Type.Union([ApprovalView, ApprovalStatus]) },
      404: { description: 'there is no such approval for you', schema: ErrorBody },
    },
    handle: (incoming) => show(incoming, { queue, stopping: feed }),
  })
}

function answering(queue: ApprovalQueue): readonly Route[] {
  const given = (caller: Caller, body: Pick<GivenAnswer, 'comment' | 'version'>): Omit<GivenAnswer, 'verdict'> => ({
    tenant: tenantOf(caller),
    by: personOf(caller).name,
    ...(body.comment === undefined ? {} : { comment: body.comment }),
    ...(body.version === undefined ? {} : { version: body.version }),
  })
  return [
    route({
      method: 'POST',
      path: '/v1/approvals/{id}/approve',
      tag: 'approvals',
      summary: 'A yes of yours: it means exactly this call, once',
      who: 'approver',
      mostBytes: MAX_EDIT,
      body: Approving,
      answers: ANSWERED,
      handle: ({ caller, param, body }) =>
        answered(() =>
          queue.answer(param('id'), {
            ...given(caller, body as never),
            ...reachOf(body as JsonObject),
            verdict: 'approve',
            breakGlass: body.break_glass === true,
          }),
        ),
    }),
    route({
      method: 'POST',
      path: '/v1/approvals/{id}/deny',
      tag: 'approvals',
      summary: 'A no of yours: it beats every yes until the call ran',
      who: 'approver',
      body: Denying,
      answers: ANSWERED,
      handle: ({ caller, param, body }) => answered(() => queue.answer(param('id'), { ...given(caller, body as never), verdict: 'deny' })),
    }),
    route({
      method: 'POST',
      path: '/v1/approvals/{id}/cancel',
      tag: 'approvals',
      summary: 'Withdraw an approval: neither a yes nor a no comes of it',
      who: 'admin',
      body: Denying,
      answers: ANSWERED,
      handle: ({ caller, param, body }) => answered(() => queue.cancel(param('id'), given(caller, body as never))),
    }),
    route({
      method: 'POST',
      path: '/v1/approvals/batch',
      tag: 'approvals',
      summary: 'One answer for each of these calls, every one named',
      who: 'approver',
      body: Batch,
      answers: { 200: { description: 'what came of each', schema: BatchAnswer } },
      handle: ({ caller, body }) => batch(queue, caller, body),
    }),
  ]
}

/** What a yes says beside yes; the machine and the queue check it. */
function reachOf({ scope, modified_arguments: modifiedArguments }: JsonObject): Pick<GivenAnswer, 'scope' | 'modifiedArguments'> {
  return { ...(scope === undefined ? {} : { scope }), ...(isJsonObject(modifiedArguments) ? { modifiedArguments } : {}) }
}

/** Room for changed arguments. */
const MAX_EDIT = 1_048_576
const LONGEST_WAIT = 60_000

interface Showing {
  readonly queue: ApprovalQueue
  readonly stopping: ServerParts['feed']
}

async function show(
  { caller, param, query, context }: Incoming<unknown, Static<typeof Wait>>,
  { queue, stopping }: Showing,
): Promise<Answer> {
  const tenant = tenantOf(caller)
  const id = param('id')
  const found = queue.show(id, { tenant })
  if (found === null) return missing(id)
  const view = caller.kind === 'person' ? approvalView : approvalStatus
  const time = query.wait === undefined ? 0 : Math.min(readDuration(query.wait) ?? 0, LONGEST_WAIT)
  if (time === 0) return ok(view(found))
  const ending = new AbortController()
  const listening = stopping.listen({ heard: () => {}, ended: () => ending.abort() })
  const signal = AbortSignal.any([AbortSignal.timeout(time), ending.signal, context.req.raw.signal])
  try {
    const version = query.version === undefined ? found.version : Number(query.version)
    return ok(view(await queue.wait(id, { tenant, version, signal })))
  } finally {
    listening.stop()
  }
}

async function batch(queue: ApprovalQueue, caller: Caller, body: Static<typeof Batch>): Promise<Answer> {
  const { ids, verdict, comment } = body
  const answer = {
    tenant: tenantOf(caller),
    by: personOf(caller).name,
    verdict: verdict as 'approve' | 'deny',
    ...(comment === undefined ? {} : { comment }),
  }
  const results = await queue.batch(ids, answer)
  return ok({
    results: results.map(({ id, refused: why }) =>
      why === null ? { id, ok: true } : { id, ok: false, error: { error: why.code, message: why.message } },
    ),
  })
}

async function answered(act: () => ReturnType<ApprovalQueue['answer']>): Promise<Answer> {
  try {
    const { approval, refused: why } = await act()
    if (why !== null) return refused(statusOf(why.code), why)
    return ok(approvalView(approval))
  } catch (error) {
    if (error instanceof NoApproval) return missing()
    throw error
  }
}

function missing(_id?: string): Answer {
  return refused(404, { code: 'approval.unknown', message: 'there is no such approval' })
}

const UNFIT: ReadonlySet<Code> = new Set(['approval.no_reason', 'approval.scope', 'approval.redacted', 'approval.modified_denied'])

/** Whoever may not answer: 403. What lacks a reason, reaches too far or changes what cannot be: 422. What is over or has changed: 409 (D15). */
function statusOf(code: Code): 403 | 409 | 422 {
  if (UNFIT.has(code)) return 422
  return code === 'approval.requester' || code === 'approval.not_approver' || code === 'approval.not_turn' ? 403 : 409
}

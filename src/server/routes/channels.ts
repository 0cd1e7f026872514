/** Replies of approval channels. Who sends one is told by its signature alone; no token and no cookie is asked for, and none counts. */
import Type from 'typebox'
import type { Taken } from '../../approvals/channels/take.ts'
import { approvals } from '../../approvals/machine.ts'
import type { Code } from '../../core/codes.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { type Detached, type Route, rawRoute } from '../route.ts'
import { Anything, ErrorBody } from '../schemas.ts'

const MAX_BYTES = 256 * 1024

export function channelRoutes(parts: ServerParts): readonly Route[] {
  return [
    rawRoute({
      method: 'POST',
      path: '/v1/channels/{name}/reply',
      tag: 'approvals',
      summary: 'The answer of a person who was asked by an approval channel, signed as the channel signs',
      who: 'anyone',
      forms: true,
      mostBytes: MAX_BYTES,
      document: Anything,
      answers: {
        200: { description: 'taken; nothing where the channel is not to wait for it', schema: Type.Object({ approval: Type.Object({}) }) },
        400: { description: 'not of the form that the channel has', schema: ErrorBody },
        401: { description: 'nobody signed it, or too long ago', schema: ErrorBody },
        403: { description: 'this person may not answer, or was not shown the whole call', schema: ErrorBody },
        404: { description: 'there is no such channel, or it was never asked about this call', schema: ErrorBody },
        409: { description: 'it is about another call, was taken before, or comes too late', schema: ErrorBody },
        422: { description: 'a reply cannot change the arguments', schema: ErrorBody },
      },
      handle: (incoming) => reply(incoming, parts),
    }),
  ]
}

async function reply({ param, bytes, header }: Detached, { channels, now }: ServerParts): Promise<Answer> {
  const received = channels?.receive(param('name'), { header, body: bytes, now: now() })
  if (received === undefined) return refused(404, { code: 'approval.unknown', message: 'there are no channels here' })
  if (!received.ok) return refused(statusOf(received.refusal.code), received.refusal)
  // Slack gives up after three seconds: it hears first, and the work comes after.
  if (received.kind === 'slack') {
    received.begin()
    return new Response(null, { status: 200 })
  }
  return told(await received.take())
}

function told({ approval, refused: why }: Taken): Answer {
  if (why !== null) return refused(statusOf(why.code), why)
  if (approval === null) return ok({ approval: null })
  return ok({ approval: { id: approval.id, status: approval.status, yes: approvals(approval), quorum: approval.terms.quorum } })
}

const STATUS: Readonly<Partial<Record<Code, number>>> = {
  'approval.malformed': 400,
  'approval.signature': 401,
  'approval.late_reply': 401,
  'approval.requester': 403,
  'approval.not_approver': 403,
  'approval.not_turn': 403,
  'approval.not_shown': 403,
  'approval.unknown': 404,
  'approval.modified': 422,
  'infra.internal': 500,
}

function statusOf(code: Code): number {
  return STATUS[code] ?? 409
}

/** Server-sent events: decisions and approvals as they happen, from where the listener left off. */
import Type from 'typebox'
import { seesTenant, tenantOf } from '../auth/caller.ts'
import { headOf } from '../log.ts'
import type { ServerParts } from '../parts.ts'
import { refused } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { Whole } from '../schemas.ts'
import { eventsOf } from '../sse-events.ts'
import { createStream } from '../stream.ts'

const HEARTBEAT = 15_000
const MAX_LISTENERS = 500
/** Records a listener may have missed; who missed more loads the page anew. */
const MAX_MISSED = 2_000

const After = Type.Object({ after: Type.Optional(Whole) }, { additionalProperties: false })

export function eventRoutes({ feed, store, queue }: ServerParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/events',
      tag: 'looking',
      summary: 'Decisions and approvals as they happen; `Last-Event-ID` goes on where you left off',
      who: 'viewer',
      query: After,
      answers: {
        200: {
          description:
            '`event: decision` {id, at, session, tool, decision, code} · `event: approval` {id, status, version} · `event: reset` where too much was missed',
          type: 'text/event-stream',
        },
        503: { description: 'too many listeners' },
      },
      handle: ({ caller, stands, context, query }) => {
        if (feed.size() >= MAX_LISTENERS)
          return refused(503, { code: 'http.rate_limited', message: 'too many listeners; try again later' }, { 'retry-after': '5' })
        const last = context.req.header('last-event-id') ?? query.after ?? ''
        const from = /^\d{1,15}$/.test(last) ? Number(last) : null
        const missed = from === null ? 0 : headOf(store) - from
        const reset = missed > MAX_MISSED || missed < 0
        const stream = createStream({ heartbeat: HEARTBEAT, closed: () => listening.stop(), stands })
        stream.send('retry: 2000\n\n')
        if (reset) stream.send(`event: reset\ndata: {}\n\n`)
        const look = (id: string) => queue.show(id, { tenant: tenantOf(caller) })
        const listening = feed.listen({
          ...(from === null || reset ? {} : { after: from }),
          heard: (record) => {
            if (!seesTenant(caller, record.tenant)) return
            for (const event of eventsOf(record, look)) stream.send(event)
          },
          ended: stream.end,
        })
        context.req.raw.signal.addEventListener('abort', stream.end)
        return stream.response
      },
    }),
  ]
}

/** Probes, metrics, and the description of everything else. */
import Type from 'typebox'
import type { Json } from '../../core/json.ts'
import { openApi } from '../openapi.ts'
import type { ServerParts } from '../parts.ts'
import { ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { Anything } from '../schemas.ts'

const HEALTH = Type.Object({
  status: Type.Literal('ok'),
  version: Type.String(),
  open_loopback: Type.Boolean({ description: 'agents on loopback need no token: started with `--open-loopback`' }),
})

export function systemRoutes(parts: ServerParts, others: readonly Route[]): readonly Route[] {
  const { unready, version, metrics, feed, store, now, openLoopback, uninspected } = parts
  const routes: readonly Route[] = [
    route({
      method: 'GET',
      path: '/healthz',
      tag: 'system',
      summary: 'The process is up',
      who: 'anyone',
      answers: { 200: { description: 'up', schema: HEALTH } },
      handle: () => ok({ status: 'ok', version, open_loopback: openLoopback }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      tag: 'system',
      summary: 'Decisions can be made and recorded',
      who: 'anyone',
      answers: {
        200: { description: 'ready', schema: Type.Object({ status: Type.Literal('ready') }) },
        503: { description: 'not ready', schema: Type.Object({ status: Type.Literal('unready'), why: Type.String() }) },
      },
      handle: () => {
        const why = unready()
        return why === null ? ok({ status: 'ready' }) : { status: 503, body: { status: 'unready', why } }
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      tag: 'system',
      summary: 'Counters of this process, for Prometheus',
      who: 'agent',
      answers: { 200: { description: 'the counters', type: 'text/plain' } },
      handle: () => {
        const pending = store.query((tx) =>
          tx.get(`SELECT count(*) AS pending FROM approvals WHERE status = 'pending' AND ends_at > ?`, now()),
        )
        const gauges = { pendingApprovals: Number(pending?.pending ?? 0), listeners: feed.size(), uninspected: uninspected() }
        const text = metrics.text(gauges)
        return new Response(text, { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
      },
    }),
  ]
  const description: Route = route({
    method: 'GET',
    path: '/openapi.json',
    tag: 'system',
    summary: 'This description: OpenAPI 3.1',
    who: 'anyone',
    answers: { 200: { description: 'the description', schema: Anything } },
    handle: () => ok(document as Json),
  })
  const document = openApi([...others, ...routes, description], version)
  return [...routes, description]
}

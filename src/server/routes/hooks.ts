/** Native hooks over HTTP: the same answers as on the command line. */
import type { Gate } from '../../gate.ts'
import type { HostAdapter, ResultEvent } from '../../hosts/adapter.ts'
import { answerFor } from '../../hosts/answer.ts'
import { HOSTS } from '../../hosts/index.ts'
import { SEAL } from '../../hosts/seal.ts'
import { claimed, type Sender } from '../claims.ts'
import type { ServerParts } from '../parts.ts'
import { type Route, rawRoute } from '../route.ts'
import { Anything } from '../schemas.ts'

const MOST_BYTES = 10 * 1024 * 1024

export function hookRoutes(parts: ServerParts): readonly Route[] {
  return HOSTS.map((host) => hookRoute(host, parts))
}

function hookRoute(host: HostAdapter, { hook, gate }: ServerParts): Route {
  return rawRoute({
    method: 'POST',
    path: `/v1/hooks/${host.name}`,
    tag: 'agents',
    summary: "Claude Code's hook JSON in, its answer out; a denial is an answer, too",
    who: 'agent',
    mostBytes: MOST_BYTES,
    document: Anything,
    answers: { 200: { description: 'the answer in the form of the host', schema: Anything } },
    handle: async ({ bytes, caller, context, listener }) => {
      const entrypoint = context.req.header('x-countersign-entrypoint') ?? null
      const answer = await answerFor(host, bytes, {
        ...hook,
        gate: gateFor(gate, { caller, listener }),
        result: (event: ResultEvent) => hook.result({ ...event, call: claimed(event.call, { caller, listener }) }),
        entrypoint: entrypoint === '' ? null : entrypoint,
      })
      // The installed hook knows by the seal that it read everything; other hosts read plain JSON.
      const text = listener === 'socket' ? `${JSON.stringify(answer)}\n${SEAL}\n` : `${JSON.stringify(answer)}\n`
      return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } })
    },
  })
}

function gateFor(gate: Gate, sender: Sender): Gate {
  return { ...gate, decide: (call, ...rest) => gate.decide(claimed(call, sender), ...rest) }
}

/** Native hooks over HTTP: the same answers as on the command line. */
import { answerHook } from '../../adapters/hooks/claude-code/answer.ts'
import type { HookEvent } from '../../adapters/hooks/claude-code/parse.ts'
import { SEAL } from '../../adapters/hooks/claude-code/shim.ts'
import type { Gate } from '../../gate.ts'
import type { Caller } from '../auth/caller.ts'
import { claimed } from '../claims.ts'
import type { ServerParts } from '../parts.ts'
import { type Route, rawRoute } from '../route.ts'
import { Anything } from '../schemas.ts'

const MOST_BYTES = 10 * 1024 * 1024

export function hookRoutes({ hook, gate }: ServerParts): readonly Route[] {
  return [
    rawRoute({
      method: 'POST',
      path: '/v1/hooks/claude-code',
      tag: 'agents',
      summary: "Claude Code's hook JSON in, its answer out; a denial is an answer, too",
      who: 'agent',
      mostBytes: MOST_BYTES,
      document: Anything,
      answers: { 200: { description: 'the answer in the form of the host', schema: Anything } },
      handle: async ({ bytes, caller, context, listener }) => {
        const entrypoint = context.req.header('x-countersign-entrypoint') ?? null
        const answer = await answerHook(bytes, {
          ...hook,
          gate: gateFor(gate, caller),
          result: (event: ResultEvent) => hook.result({ ...event, call: claimed(event.call, caller) }),
          entrypoint: entrypoint === '' ? null : entrypoint,
        })
        // The installed hook knows by the seal that it read everything; other hosts read plain JSON.
        const text = listener === 'socket' ? `${JSON.stringify(answer)}\n${SEAL}\n` : `${JSON.stringify(answer)}\n`
        return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } })
      },
    }),
  ]
}

type ResultEvent = Extract<HookEvent, { kind: 'result' }>

function gateFor(gate: Gate, caller: Caller): Gate {
  return { ...gate, decide: (call, ...rest) => gate.decide(claimed(call, caller), ...rest) }
}

/** Native hooks over HTTP: the same answers as on the command line. */
import type { Context } from 'hono'
import type { ToolCall } from '../../core/call.ts'
import type { Gate } from '../../gate.ts'
import type { HostAdapter } from '../../hosts/adapter.ts'
import { answerFor, type HookParts } from '../../hosts/answer.ts'
import { HOSTS } from '../../hosts/index.ts'
import { ALIVE_EVERY_MS, hookKey, nonceOf, sealed } from '../../hosts/seal.ts'
import { claimed, type Sender } from '../claims.ts'
import type { ServerParts } from '../parts.ts'
import { refused } from '../reply.ts'
import { type Route, rawRoute } from '../route.ts'
import { Anything, ErrorBody } from '../schemas.ts'

const MOST_BYTES = 10 * 1024 * 1024
const JSON_HEADERS = { 'content-type': 'application/json' }

export function hookRoutes(parts: ServerParts): readonly Route[] {
  return HOSTS.map((host) => hookRoute(host, parts))
}

function hookRoute(host: HostAdapter, { hook, gate, home, build }: ServerParts): Route {
  return rawRoute({
    method: 'POST',
    path: `/v1/hooks/${host.name}`,
    tag: 'agents',
    summary: `hook JSON of \`${host.name}\` in, its answer out; a denial is an answer, too`,
    who: 'agent',
    mostBytes: MOST_BYTES,
    document: Anything,
    answers: {
      200: { description: 'the answer in the form of the host', schema: Anything },
      409: { description: 'this daemon is of another build than the hook', schema: ErrorBody },
    },
    handle: ({ bytes, caller, context, listener }) => {
      // What an installed hook says of itself counts where only the user's own processes get to.
      const own = listener === 'socket'
      if (own && isOther(build, given(context, 'build'))) return refused(409, OTHER_BUILD)
      const nonce = own ? nonceOf(given(context, 'nonce')) : null
      const parts: HookParts = {
        ...hook,
        gate: gateFor(gate, { caller, listener }),
        result: (event, handover) => hook.result({ ...event, call: claimed(event.call, { caller, listener }) }, handover),
        // Elsewhere whoever sends a prompt may be the agent itself.
        ...(own ? {} : { prompt: async () => {}, withWords: (call: ToolCall) => call }),
        entrypoint: given(context, 'entrypoint'),
        role: own ? given(context, 'role') : null,
        handover: nonce === null ? null : { nonce, takesOver: false },
      }
      const answer = answerFor(host, bytes, parts).then((reply) => JSON.stringify(reply))
      if (nonce === null) return answer.then((text) => new Response(`${text}\n`, { status: 200, headers: JSON_HEADERS }))
      const text = answer.then((line) => sealed(line, { key: hookKey(home), nonce, event: bytes }))
      return new Response(alive(text), { status: 200, headers: JSON_HEADERS })
    },
  })
}

const OTHER_BUILD = {
  code: 'infra.other_build',
  message: 'this daemon is of another build of Countersign than the hook; the hook decides without it and starts its own',
} as const

/** A hook that names no build takes every answer, and so does one of a daemon that does not mind. */
function isOther(build: string | null, named: string | null): boolean {
  return build !== null && build !== '' && named !== null && named !== build
}

/** Absent and empty are the same: a hook hands on an unset variable as an empty one. */
function given(context: Context, name: string): string | null {
  return context.req.header(`x-countersign-${name}`) || null
}

/** The text once there is one, and a sign of life until then: line ends, which JSON does not mind. */
function alive(text: Promise<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream({
    start: async (controller) => {
      timer = setInterval(() => controller.enqueue(encoder.encode('\n')), ALIVE_EVERY_MS)
      try {
        controller.enqueue(encoder.encode(await text))
        controller.close()
      } catch (error) {
        controller.error(error)
      } finally {
        clearInterval(timer)
      }
    },
    cancel: () => clearInterval(timer),
  })
}

function gateFor(gate: Gate, sender: Sender): Gate {
  return { ...gate, decide: (call, ...rest) => gate.decide(claimed(call, sender), ...rest) }
}

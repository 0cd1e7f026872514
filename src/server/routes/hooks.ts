/** Native hooks over HTTP: the same answers as on the command line. */
import type { ToolCall } from '../../core/call.ts'
import type { Gate } from '../../gate.ts'
import type { HostAdapter } from '../../hosts/adapter.ts'
import { HOSTS } from '../../hosts/all.ts'
import { answerFor, type HookParts } from '../../hosts/answer.ts'
import { ALIVE_EVERY_MS, hookKey, nonceOf, sealed } from '../../hosts/seal.ts'
import { claimed, type Sender } from '../claims.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, refused, type TextReply } from '../reply.ts'
import { type Detached, type Route, rawRoute } from '../route.ts'
import { Anything, ErrorBody } from '../schemas.ts'

const MAX_BYTES = 10 * 1024 * 1024
const JSON_HEADERS = { 'content-type': 'application/json' }

type HookRouteParts = Pick<ServerParts, 'hook' | 'gate' | 'home' | 'build'>

export function hookRoutes(parts: HookRouteParts): readonly Route[] {
  return HOSTS.map((host) => hookRoute(host, parts))
}

function hookRoute(host: HostAdapter, parts: HookRouteParts): Route {
  return rawRoute({
    method: 'POST',
    path: `/v1/hooks/${host.name}`,
    tag: 'agents',
    summary: `hook JSON of \`${host.name}\` in, its answer out; a denial is an answer, too`,
    who: 'agent',
    mostBytes: MAX_BYTES,
    document: Anything,
    answers: {
      200: { description: 'the answer in the form of the host', schema: Anything },
      409: { description: 'this daemon is of another build than the hook', schema: ErrorBody },
    },
    apart: {
      before: (incoming) => otherBuild(incoming, parts),
      lost: (incoming, error) => lost(host, incoming, { ...parts, error }),
      meanwhile: (answer) => promptly(answer.then(textOf)),
    },
    handle: (incoming) => {
      const other = otherBuild(incoming, parts)
      if (other !== null) return other
      const nonce = ownNonce(incoming)
      const answer = answerFor(host, incoming.bytes, partsFor(incoming, parts)).then((reply) => JSON.stringify(reply))
      if (nonce === null) return answer.then((text) => said(`${text}\n`))
      return promptly(answer.then((line) => sealed(line, { key: hookKey(parts.home), nonce, event: incoming.bytes })))
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

function otherBuild({ header, listener }: Detached, { build }: HookRouteParts): Answer | null {
  return listener === 'socket' && isOther(build, given(header, 'build')) ? refused(409, OTHER_BUILD) : null
}

/** What an installed hook says of itself counts where only the user's own processes get to. */
function ownNonce({ header, listener }: Detached): string | null {
  return listener === 'socket' ? nonceOf(given(header, 'nonce')) : null
}

function partsFor({ caller, header, listener, ...incoming }: Detached, { hook, gate }: HookRouteParts): HookParts {
  const own = listener === 'socket'
  const nonce = ownNonce({ caller, header, listener, ...incoming })
  return {
    ...hook,
    gate: gateFor(gate, { caller, listener }),
    result: (event, handover) => hook.result({ ...event, call: claimed(event.call, { caller, listener }) }, handover),
    // Elsewhere whoever sends a prompt may be the agent itself.
    ...(own ? {} : { prompt: async () => {}, withWords: (call: ToolCall) => call }),
    entrypoint: given(header, 'entrypoint'),
    role: own ? given(header, 'role') : null,
    deliveries: own ? (hook.deliveries ?? null) : null,
    place: own ? given(header, 'place') : null,
    handover: nonce === null ? null : { nonce, takesOver: false },
  }
}

/** A denial, whatever the event was: nobody read it to its end. */
async function lost(host: HostAdapter, incoming: Detached, { gate, home, error }: HookRouteParts & { readonly error: Error }) {
  const nonce = ownNonce(incoming)
  const unread = { code: 'infra.thread', message: error.message, digest: 'unknown', agent: null, session: null, cwd: null } as const
  const decision = await gate.refuse(unread, nonce === null ? null : { nonce, takesOver: false })
  const line = JSON.stringify(host.reply(decision, true))
  const text = nonce === null ? `${line}\n` : sealed(line, { key: hookKey(home), nonce, event: incoming.bytes })
  return said(text)
}

async function textOf(answer: Answer): Promise<string> {
  if (answer instanceof Response) return answer.text()
  if ('text' in answer) return answer.text
  throw new Error('a hook is answered in the form of its host')
}

/** Absent and empty are the same: a hook hands on an unset variable as an empty one. */
function given(header: Detached['header'], name: string): string | null {
  return header(`x-countersign-${name}`) || null
}

function said(text: string): TextReply {
  return { status: 200, text, headers: JSON_HEADERS }
}

/** The text in one piece where it is there before the first sign of life is due: a stream costs a third of a small decision. */
async function promptly(text: Promise<string>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const due = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ALIVE_EVERY_MS, null)
  })
  const first = await Promise.race([text, due]).finally(() => clearTimeout(timer))
  return first === null ? new Response(alive(text), { status: 200, headers: JSON_HEADERS }) : said(first)
}

/** The text once there is one, and a sign of life at once and until then: line ends, which JSON does not mind. */
function alive(text: Promise<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream({
    start: async (controller) => {
      controller.enqueue(encoder.encode('\n'))
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

/** The server's side: hands a request to the thread that answers it, so that no other call waits for it. */
import { type Thread, ThreadLost } from '../../thread/thread.ts'
import { LARGE_BYTES } from '../body.ts'
import type { Answer } from '../reply.ts'
import type { Apart, Detached, Route } from '../route.ts'
import { ANSWER, type ApartAnswer, type ApartRequest, type Decided, type ReturnedApart } from './message.ts'

/** The threads there are; null: what it would do is done where it came in. */
export interface Threads {
  readonly looks: Thread | null
  readonly calls: Thread | null
}

export const NO_THREADS: Threads = { looks: null, calls: null }

export interface ForwardParts {
  readonly threads: Threads
  readonly base: () => string | null
  readonly decided: (decided: readonly Decided[]) => void
  /** Resolves once the session and the log know it. */
  readonly land: (returned: ReturnedApart) => Promise<void>
}

/** What `Detached` has as functions. */
export type Copied = Pick<ApartRequest, 'params' | 'headers'>

/** The answer of a thread; null where the request is answered here. */
export type Forward = (route: Route, incoming: Detached, copied: Copied) => Promise<Answer> | Answer | null

/** Large calls that wait for their thread; each is held in memory. */
const MAX_WAITING = 16

export function createForward({ threads, base, decided, land }: ForwardParts): Forward {
  return (route, incoming, { params, headers }) => {
    const { apart } = route
    const thread = threadFor(apart, incoming, threads)
    if (apart === null || thread === null) return null
    const refusal = apart.before?.(incoming) ?? null
    if (refusal !== null) return refusal
    const { caller, listener, query, bytes } = incoming
    if (apart.by === 'calls' && thread.size() >= MAX_WAITING) return apart.lost(incoming, new ThreadLost('too many large calls wait'))
    const request: ApartRequest = { method: route.method, path: route.path, caller, listener, params, headers, query, bytes, base: base() }
    const told = thread.ask<ApartAnswer>(ANSWER, request).then(async (answer): Promise<Answer> => {
      decided(answer.decided)
      for (const each of answer.returned) await landed(each, land)
      return new Response(answer.bytes, { status: answer.status, headers: answer.headers })
    })
    const answer = told.catch((error: unknown) => {
      if (error instanceof ThreadLost || error instanceof NotLanded) return apart.lost(incoming, error)
      throw error
    })
    return apart.meanwhile === undefined ? answer : apart.meanwhile(answer)
  }
}

/** What a thread looked through could not be kept. */
class NotLanded extends Error {
  override readonly name = 'NotLanded'
}

function landed(returned: ReturnedApart, land: ForwardParts['land']): Promise<void> {
  return land(returned).catch((error: unknown) => {
    throw new NotLanded(error instanceof Error ? error.message : String(error))
  })
}

function threadFor(apart: Apart | null, { bytes }: Detached, threads: Threads): Thread | null {
  if (apart === null) return null
  if (apart.by === 'looks') return threads.looks
  return bytes.length > LARGE_BYTES ? threads.calls : null
}

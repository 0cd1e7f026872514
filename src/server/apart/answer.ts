/** The thread's side: the same routes, answered as bytes. */
import type { Done } from '../../thread/serve.ts'
import { type Answer, writtenOf } from '../reply.ts'
import type { Detached, Incoming, Route } from '../route.ts'
import type { ApartAnswer, ApartRequest, Decided, ReturnedApart } from './message.ts'

export interface Answering {
  readonly routes: readonly Route[]
  /** Decisions since it was last asked. */
  readonly decided?: () => readonly Decided[]
  /** Results that came with this request; default none. */
  readonly returned?: () => readonly ReturnedApart[]
}

/** Answers one request by the route that it came in by. Throws where there is no such route, which is a mistake of ours. */
export async function answerApart(request: ApartRequest, { routes, decided = () => [], returned = () => [] }: Answering): Promise<Done> {
  const route = routes.find(({ method, path }) => method === request.method && path === request.path)
  if (route === undefined || route.apart === null) throw new Error(`no thread answers \`${request.method} ${request.path}\``)
  const answer = await route.handle(detached(request) as Incoming)
  const value = { ...(await copied(answer)), decided: decided(), returned: returned() } satisfies ApartAnswer
  return { value, transfer: [value.bytes.buffer] }
}

function detached({ caller, listener, params, headers, query, bytes }: ApartRequest): Detached {
  return {
    caller,
    listener,
    param: (name) => params[name] ?? '',
    header: (name) => headers.find(([key]) => key === name)?.[1] ?? null,
    query,
    body: undefined,
    bytes,
  }
}

async function copied(answer: Answer): Promise<Omit<ApartAnswer, 'decided' | 'returned'>> {
  if (answer instanceof Response) {
    const { status, headers } = answer
    return { status, headers: Object.fromEntries(headers), bytes: new Uint8Array(await answer.arrayBuffer()) }
  }
  const { status, headers, text } = writtenOf(answer)
  return { status, headers, bytes: new TextEncoder().encode(text) }
}

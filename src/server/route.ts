/** One route: what it takes, who may ask, what it answers. The server and the OpenAPI document both read these (no second list). */
import type { Context } from 'hono'
import type { Static, TSchema } from 'typebox'
import type { Access, Caller } from './auth/caller.ts'
import type { Listener } from './parts.ts'
import { type Answer, refused } from './reply.ts'

/** What one answer of a route is. */
export interface Described {
  readonly description: string
  /** Absent: the answer is no JSON. */
  readonly schema?: TSchema
  readonly type?: string
  readonly headers?: readonly string[]
}

/** A request without its connection: what can be handed to a thread. */
export interface Detached<B = unknown, Q = unknown> {
  readonly caller: Caller
  readonly listener: Listener
  /** A part of the path, such as `id`. */
  readonly param: (name: string) => string
  /** By its name in lower case; null where it did not come. */
  readonly header: (name: string) => string | null
  readonly query: Q
  readonly body: B
  /** The body as it was sent; empty for GET. */
  readonly bytes: Uint8Array
}

export interface Incoming<B = unknown, Q = unknown> extends Detached<B, Q> {
  readonly context: Context
  /** False once their token was revoked or has ended, or they logged out: what goes on for long asks again. */
  readonly stands: () => boolean
}

/** A route that a thread may answer, so that other calls do not wait meanwhile. */
export interface Apart {
  /** `looks`: the log is looked at. `calls`: the body is large. */
  readonly by: 'looks' | 'calls'
  /** What is answered before any thread is asked; null: nothing. Default: nothing. */
  readonly before?: (incoming: Detached) => Answer | null
  /** What is answered where the thread was lost. */
  readonly lost: (incoming: Detached, error: Error) => Promise<Answer> | Answer
  /** May begin to answer before the thread has, to show that the gate is at work. Default: it waits. */
  readonly meanwhile?: (answer: Promise<Answer>) => Promise<Answer>
}

interface RouteShape {
  readonly method: 'GET' | 'POST'
  /** As OpenAPI writes it: `/v1/approvals/{id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly who: Access
  /** Bytes of the body at most. Default 64 KiB. */
  readonly mostBytes?: number
  /** Also other bodies than JSON: whoever sends it is told by a signature over its bytes, which no form of a page has. */
  readonly forms?: boolean
  readonly answers: Readonly<Record<number, Described>>
}

/** A route with its types erased: what was read was checked against the schemas before `handle` sees it. */
export interface Route extends RouteShape {
  /** Strings only; unknown names are refused. */
  readonly query: TSchema | null
  /** JSON in this shape; `call`: a document that the route reads by itself, described by `document`. */
  readonly body: TSchema | 'call' | null
  readonly document: TSchema | null
  /** Null: it is answered where it came in. Else `handle` must do with what is `Detached`. */
  readonly apart: Apart | null
  readonly handle: (incoming: Incoming) => Promise<Answer> | Answer
}

export interface RouteParts<B extends TSchema, Q extends TSchema> extends RouteShape {
  readonly query?: Q
  readonly body?: B
  readonly handle: (incoming: Incoming<Static<B>, Static<Q>>) => Promise<Answer> | Answer
}

export function route<B extends TSchema, Q extends TSchema>(parts: RouteParts<B, Q>): Route {
  const { handle, query = null, body = null, ...shape } = parts
  return {
    ...shape,
    query,
    body,
    document: null,
    apart: null,
    handle: (incoming) => handle(incoming as Incoming<Static<B>, Static<Q>>),
  }
}

export interface LookParts<Q extends TSchema> extends Omit<RouteShape, 'method'> {
  readonly query?: Q
  readonly handle: (incoming: Detached<undefined, Static<Q>>) => Promise<Answer> | Answer
}

/** A route that reads what may be long, and changes nothing. */
export function look<Q extends TSchema>({ handle, ...parts }: LookParts<Q>): Route {
  const plain = route({ ...parts, method: 'GET', handle: (incoming) => handle(incoming as Detached<undefined, Static<Q>>) })
  return { ...plain, apart: { by: 'looks', lost: () => refused(503, LOST) } }
}

const LOST = { code: 'infra.thread', message: 'the thread that reads the log was lost; ask again' } as const

export interface RawParts extends RouteShape {
  readonly document: TSchema
  /** Default: it is answered where it came in. */
  readonly apart?: Omit<Apart, 'by'>
  readonly handle: (incoming: Detached) => Promise<Answer> | Answer
}

/** A route that reads its own bytes; `document` says what they should be. */
export function rawRoute({ apart, ...parts }: RawParts): Route {
  return { ...parts, query: null, body: 'call', apart: apart === undefined ? null : { ...apart, by: 'calls' } }
}

/** One route: what it takes, who may ask, what it answers. The server and the OpenAPI document both read these (no second list). */
import type { Context } from 'hono'
import type { Static, TSchema } from 'typebox'
import type { Access, Caller } from './auth/caller.ts'
import type { Listener } from './parts.ts'
import type { Answer } from './reply.ts'

/** What one answer of a route is. */
export interface Described {
  readonly description: string
  /** Absent: the answer is no JSON. */
  readonly schema?: TSchema
  readonly type?: string
  readonly headers?: readonly string[]
}

export interface Incoming<B = unknown, Q = unknown> {
  readonly context: Context
  readonly caller: Caller
  /** False once their token was revoked or has ended, or they logged out: what goes on for long asks again. */
  readonly stands: () => boolean
  readonly listener: Listener
  /** A part of the path, such as `id`. */
  readonly param: (name: string) => string
  readonly query: Q
  readonly body: B
  /** The body as it was sent; empty for GET. */
  readonly bytes: Uint8Array
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
  readonly handle: (incoming: Incoming) => Promise<Answer> | Answer
}

export interface RouteParts<B extends TSchema, Q extends TSchema> extends RouteShape {
  readonly query?: Q
  readonly body?: B
  readonly handle: (incoming: Incoming<Static<B>, Static<Q>>) => Promise<Answer> | Answer
}

export function route<B extends TSchema, Q extends TSchema>(parts: RouteParts<B, Q>): Route {
  const { handle, query = null, body = null, ...shape } = parts
  return { ...shape, query, body, document: null, handle: (incoming) => handle(incoming as Incoming<Static<B>, Static<Q>>) }
}

/** A route that reads its own bytes; `document` says what they should be. */
export function rawRoute(parts: RouteShape & { readonly document: TSchema; readonly handle: Route['handle'] }): Route {
  return { ...parts, query: null, body: 'call' }
}

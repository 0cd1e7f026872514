/** Puts routes on the wire: limits, who may, shapes of query and body, then the route; every answer gets the same headers. */
import type { Context, Hono } from 'hono'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { readJson } from '../ingress/json.ts'
import type { Forward } from './apart/forward.ts'
import type { Caller } from './auth/caller.ts'
import { readAtMost } from './body.ts'
import { type Guard, header, type Sent, sentOf } from './guard.ts'
import type { Answer, Reply } from './reply.ts'
import { refused, statusOfRefusal, toResponse } from './reply.ts'
import type { Route } from './route.ts'

const MAX_BYTES = 64 * 1024

/** Agent text is only ever shown as text; should some of it become markup, it can load and run nothing (T63). */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

export interface MountParts {
  readonly guard: Guard
  readonly answered: (status: number) => void
  /** Told of what failed inside. */
  readonly note: (line: string) => void
  /** Told of who was not admitted. */
  readonly turnedAway: (route: Route, sent: Sent, refusal: Reply) => Promise<void>
  /** The answer of a thread; null where none is asked. */
  readonly forward: Forward
}

export function mount(app: Hono, routes: readonly Route[], { guard, answered, note, turnedAway, forward }: MountParts): void {
  const finish = (answer: Answer): Response => {
    const response = toResponse(answer, HEADERS)
    answered(response.status)
    return response
  }
  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const sent = sentOf(context)
      const admission = guard.admit(sent, route.who)
      if ('refusal' in admission) {
        await turnedAway(route, sent, admission.refusal)
        return finish(admission.refusal)
      }
      const { caller } = admission
      return finish(await answer(route, { context, sent, caller, stands: () => guard.stands(sent, caller), forward }))
    })
  }
  app.notFound((context) => {
    const admission = guard.admit(sentOf(context), 'anyone')
    return finish('refusal' in admission ? admission.refusal : nothingHere(methodsOf(routes, context.req.path)))
  })
  app.onError((error, context) => {
    note(`${context.req.method} ${context.req.routePath} failed: ${error.message}`)
    return finish(refused(500, { code: 'infra.internal', message: 'the server failed; nothing was allowed' }))
  })
}

/** Methods of the routes that have this path. */
function methodsOf(routes: readonly Route[], path: string): ReadonlySet<string> {
  const parts = path.split('/')
  const fits = (route: Route): boolean => {
    const own = route.path.split('/')
    return own.length === parts.length && own.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  }
  return new Set(routes.filter(fits).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
}

function nothingHere(methods: ReadonlySet<string>): Reply {
  if (methods.size === 0)
    return refused(404, { code: 'http.not_found', message: 'there is nothing here; `GET /openapi.json` lists what there is' })
  const allow = [...methods].toSorted().join(', ')
  return refused(405, { code: 'http.method', message: `this address takes ${allow}` }, { allow })
}

interface Arrived extends Pick<MountParts, 'forward'> {
  readonly context: Context
  readonly sent: Sent
  readonly caller: Caller
  readonly stands: () => boolean
}

async function answer(route: Route, { context, sent, caller, stands, forward }: Arrived): Promise<Answer> {
  const query = queryOf(route.query, context)
  if ('refusal' in query) return query.refusal
  const read = route.method === 'GET' ? { bytes: NOTHING } : await bodyOf(route, context.req.raw, sent)
  if ('refusal' in read) return read.refusal
  const body = route.body === null || route.body === 'call' ? { value: undefined } : readBody(route.body, read.bytes)
  if ('refusal' in body) return body.refusal
  const incoming = {
    context,
    caller,
    stands,
    listener: sent.listener,
    param: (name: string) => context.req.param(name) ?? '',
    header: (name: string) => header(sent, name),
    query: query.value,
    body: body.value,
    bytes: read.bytes,
  }
  const forwarded = forward(route, incoming, { params: context.req.param(), headers: sent.headers })
  return forwarded ?? route.handle(incoming)
}

const NOTHING = new Uint8Array()

/** A part that comes twice, or that nobody asked for, is refused: somebody meant something by it. */
function queryOf(schema: TSchema | null, context: Context): { readonly value: unknown } | { readonly refusal: Reply } {
  const given = Object.entries(context.req.queries())
  if (schema === null && given.length === 0) return { value: undefined }
  const value = Object.fromEntries(given.map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
  const known = schema === null ? [] : Object.keys((schema as { properties?: object }).properties ?? {})
  const open = schema !== null && (schema as { additionalProperties?: unknown }).additionalProperties !== false
  const unknown = open ? undefined : given.find(([name]) => !known.includes(name))?.[0]
  const fault = (name: string, help: string) => ({
    refusal: refused(400, { code: 'http.query', message: `\`${name}\` of the query ${help}` }),
  })
  if (unknown !== undefined) return fault(printable(unknown), `is not known here; there are: ${known.join(', ') || 'none'}`)
  if (schema === null || Check(schema, value)) return { value }
  return fault(Errors(schema, value)[0]?.instancePath.slice(1) ?? '', 'has the wrong form; `GET /openapi.json` shows it')
}

async function bodyOf(route: Route, request: Request, sent: Sent): Promise<{ readonly bytes: Uint8Array } | { readonly refusal: Reply }> {
  const { listener, incoming } = sent
  // A form of another page can send any text, but not this type without asking first (T63).
  if (
    listener !== 'socket' &&
    route.forms !== true &&
    !isJson(header(sent, 'content-type')) &&
    !(route.body === null && incoming === undefined && request.body === null)
  )
    return { refusal: refused(415, { code: 'http.content_type', message: 'send the body as `content-type: application/json`' }) }
  const most = route.mostBytes ?? MAX_BYTES
  const bytes = await readAtMost(request, most, incoming)
  if (bytes !== null) return { bytes }
  return { refusal: refused(413, { code: 'ingress.too_large', message: `the body is larger than ${most} bytes`, pointer: '' }) }
}

function isJson(type: string | null): boolean {
  return /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i.test(type?.trim() ?? '')
}

function readBody(schema: TSchema, bytes: Uint8Array): { readonly value: unknown } | { readonly refusal: Reply } {
  const read = readJson(bytes.length === 0 ? '{}' : bytes)
  if (!read.ok) {
    const { code, message, pointer } = read.refusal
    return { refusal: refused(statusOfRefusal(code), { code, message, pointer }) }
  }
  if (Check(schema, read.value)) return { value: read.value }
  const [error] = Errors(schema, read.value)
  const extra = error?.keyword === 'additionalProperties'
  const pointer = error?.instancePath ?? ''
  const message = `the body does not fit: ${pointer === '' ? 'it' : `\`${printable(pointer)}\``} ${error?.message ?? 'has the wrong shape'}`
  return { refusal: refused(422, { code: extra ? 'ingress.unknown_field' : 'ingress.wrong_type', message, pointer }) }
}

/** What the caller wrote, on one line of plain characters. */
function printable(text: string): string {
  return [...text.slice(0, 80)].map((char) => (/^[\x20-\x5f\x61-\x7e]$/.test(char) ? char : '?')).join('')
}

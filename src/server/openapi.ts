/** The OpenAPI 3.1 document of the routes, made from the very table that serves them. */
import type { TSchema } from 'typebox'
import type { Json, JsonObject } from '../core/json.ts'
import type { Described, Route } from './route.ts'
import { ErrorBody } from './schemas.ts'

const FAULTS: Readonly<Record<number, string>> = {
  400: 'the request cannot be read: query, header or JSON',
  401: 'nobody that is known here',
  403: 'not for you, or from a page that is not ours',
  413: 'the body is too large',
  415: 'the body is not declared as JSON',
  422: 'JSON of the wrong shape',
  429: 'too many requests; `Retry-After` says when',
  500: 'the server failed; nothing was allowed',
}

/** Every answer a route can give: its own, and those that its kind of request can meet. */
export function answersOf(route: Route): ReadonlyMap<number, Described> {
  const answers = new Map<number, Described>()
  const statuses = [400, 401, 403, 429, 500, ...(route.body === null ? [] : [413, 415, 422])]
  for (const status of statuses) answers.set(status, { description: FAULTS[status] ?? '', schema: ErrorBody })
  for (const [status, own] of Object.entries(route.answers)) {
    const fault = answers.get(Number(status))
    answers.set(Number(status), fault === undefined ? own : merged(own, fault))
  }
  return answers
}

/** A status with a meaning of the route's own can still be one of the general ones. */
function merged(own: Described, fault: Described): Described {
  if (own.schema === undefined || fault.schema === undefined || own.schema === fault.schema) return own
  return { ...own, schema: { anyOf: [own.schema, fault.schema] } as unknown as TSchema }
}

export function openApi(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const methods = paths[route.path] ?? {}
    methods[route.method.toLowerCase()] = operation(route)
    paths[route.path] = methods
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version,
      description: 'Decides tool calls of agents before they run.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'a token of `countersign tokens add`, or the operator token' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'countersign_session',
          description: 'of a login; what changes something also needs `X-Countersign-CSRF`',
        },
      },
    },
  }
}

function operation(route: Route): JsonObject {
  const id = `${route.method.toLowerCase()} ${route.path}`.replaceAll(/[^a-z0-9]+/gi, '_').replaceAll(/^_|_$/g, '')
  return {
    operationId: id,
    summary: route.summary,
    tags: [route.tag],
    security: securityOf(route),
    parameters: parametersOf(route),
    ...bodyOf(route),
    responses: Object.fromEntries([...answersOf(route)].map(([status, answer]) => [String(status), responseOf(answer)])),
  }
}

function securityOf({ who }: Route): Json {
  if (who === 'anyone') return []
  return who === 'agent' ? [{}, { token: [] }, { session: [] }] : [{ token: [] }, { session: [] }]
}

function parametersOf({ path, query, tag, method }: Route): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const schemas = (query as { readonly properties?: Readonly<Record<string, TSchema>> } | null)?.properties ?? {}
  const inQuery = Object.entries(schemas).map(([name, schema]) => ({ name, in: 'query', required: false, schema: jsonOf(schema) }))
  const asHeader = (name: string, description: string) => ({ name, in: 'header', required: false, description, schema: { type: 'string' } })
  const inHeader = [
    ...(path === '/v1/decisions' && method === 'POST'
      ? [
          asHeader('Countersign-Approval', 'token of an approval'),
          asHeader('Countersign-Rewrites', '`true`: a call that people changed is run with the `modified_arguments` of the answer'),
        ]
      : []),
    ...(path === '/v1/events' ? [asHeader('Last-Event-ID', 'goes on after this event')] : []),
    ...(method === 'POST' && tag !== 'agents' ? [asHeader('X-Countersign-CSRF', 'with a cookie: the `csrf` of the login')] : []),
  ]
  return [...inPath, ...inQuery, ...inHeader]
}

function bodyOf({ body, document }: Route): JsonObject {
  const schema = body === 'call' ? document : body
  if (schema === null) return {}
  return { requestBody: { required: true, content: { 'application/json': { schema: jsonOf(schema) } } } }
}

function responseOf({ description, schema, type, headers }: Described): JsonObject {
  const media =
    schema === undefined
      ? type === undefined
        ? null
        : [type, { schema: { type: 'string' } }]
      : ['application/json', { schema: jsonOf(schema) }]
  const named = (headers ?? []).map((name) => [name, { schema: { type: 'string' } }])
  return {
    description,
    ...(media === null ? {} : { content: Object.fromEntries([media]) }),
    ...(named.length === 0 ? {} : { headers: Object.fromEntries(named) }),
  }
}

/** The plain JSON Schema in a typebox schema; what else hangs on it does not survive. */
function jsonOf(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}

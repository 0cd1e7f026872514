/**
 * What a client asks to get a token for the server behind: the answers are the server's own, but for the name of the resource, which
 * to the client is the proxy: it must not use what names another address than the one that it asked (RFC 9728, 3.3). Tokens themselves
 * go by untouched.
 */
import { isJsonObject, type Json, own, parseJson } from '../../../core/json.ts'
import { responseHeaders } from '../../model/upstream.ts'
import type { Incoming } from './incoming.ts'
import { type HttpServer, onwardHeaders, request, wholeBody } from './upstream.ts'

const RESOURCE = 'oauth-protected-resource'
const SERVED = [RESOURCE, 'oauth-authorization-server', 'openid-configuration']

/** Where a server's own challenge last said that its metadata lies (RFC 9728, 5.1): any path of its origin. */
const NAMED = new WeakMap<HttpServer, string>()

/** The challenge of the server as its client gets it: the metadata lies at `ours`. What the server named is asked when that is. */
export function challengeFrom(server: HttpServer, challenge: string, ours: string): string {
  const [, named = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? []
  const url = URL.canParse(named) ? new URL(named) : null
  // Another origin is asked nothing: the server is whom the operator named.
  if (url?.origin === server.url.origin) NAMED.set(server, `${url.pathname}${url.search}`)
  return challenge.replace(/(resource_metadata=")[^"]*(")/, `$1${ours}$2`)
}

/** `name`: what stands behind `/.well-known/`, and then the path of the server here. */
export function createWellKnown(server: HttpServer): (incoming: Incoming, name: string) => Promise<boolean> {
  return async ({ request: given, response, drop }, name) => {
    const kind = SERVED.find((each) => name === each || name.startsWith(`${each}/`))
    if (kind === undefined || given.method !== 'GET') return false
    const path = name.slice(kind.length)
    const places = [`/.well-known/${kind}${server.url.pathname === '/' ? '' : server.url.pathname}`, `/.well-known/${kind}`]
    const named = kind === RESOURCE ? NAMED.get(server) : undefined
    for (const place of [...(named === undefined ? [] : [named]), ...(path === '' ? places.slice(1) : places)]) {
      const gone = AbortSignal.timeout(10_000)
      const url = new URL(place, server.url)
      // A token is for the server, not for what it tells everybody.
      const { authorization: _token, ...headers } = onwardHeaders(given.headers, drop)
      try {
        const answer = await request({ url, headers: {} }, { method: 'GET', headers, signal: gone })
        const body = await wholeBody(answer)
        if (body === null || (answer.statusCode ?? 500) >= 400) continue
        const told = kind === RESOURCE ? renamed(body, server.url, `http://${given.headers.host ?? ''}${path}`) : body
        response.writeHead(answer.statusCode ?? 502, { ...responseHeaders(answer.headers), 'content-length': String(told.length) })
        response.end(told)
        return true
      } catch {
        // Asked at the next place.
      }
    }
    return false
  }
}

/**
 * The client compares the name with our address, so we compare the server's with the server's: metadata of another resource stays what
 * it is, and its client turns it down.
 */
function renamed(body: Buffer, asked: URL, resource: string): Buffer {
  const value = parseJson(body.toString('utf8'))
  if (!isJsonObject(value) || !covers(own(value, 'resource'), asked)) return body
  return Buffer.from(JSON.stringify({ ...value, resource }))
}

/** True where the resource is the address that was asked, or what lies above it. */
function covers(resource: Json | undefined, asked: URL): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false
  const { origin, pathname } = new URL(resource)
  const [above, path] = [pathname, asked.pathname].map((each) => (each.endsWith('/') ? each : `${each}/`))
  return origin === asked.origin && path?.startsWith(above ?? '') === true
}

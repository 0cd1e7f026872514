/**
 * What a browser may send here: only pages of this server may, by a name that is ours (T63). A page of another site that has
 * its own name resolve to this address still sends that name as `Host`; a page in a sandboxed frame sends `Origin: null`.
 */
import type { Code } from '../../core/codes.ts'

export interface SiteOptions {
  /** Host names that this server answers to, lower case, without ports. */
  readonly hosts: ReadonlySet<string>
  /** Origins that are not of those names, such as the address of a proxy in front. */
  readonly origins: ReadonlySet<string>
}

export interface SiteRequest {
  readonly method: string
  /** Pairs as they came, so that a header that came twice is seen twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The port it came in by; null where it came in by no port. */
  readonly port: number | null
}

/** Headers that mean something to us, and nothing any more where they come twice. */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'cookie',
  'content-type',
  'sec-fetch-site',
  'countersign-approval',
  'countersign-rewrites',
  'x-countersign-csrf',
  'last-event-id',
])

export interface SiteFault {
  readonly code: Extract<Code, `http.${string}`>
  readonly message: string
}

/** Why the request may not come from where it says; null: it may. */
export function siteFault({ method, headers, port }: SiteRequest, options: SiteOptions): SiteFault | null {
  const once = new Map<string, string>()
  for (const [written, value] of headers) {
    const name = written.toLowerCase()
    if (!ONCE.has(name)) continue
    if (once.has(name)) return { code: 'http.header', message: `the header \`${name}\` came more than once; send it once` }
    once.set(name, value)
  }
  const host = once.get('host')
  const at = host === undefined ? null : hostOf(host)
  if (at === null || !options.hosts.has(at.name) || !fitsPort(at, port))
    return { code: 'http.host', message: 'this server does not answer to that name; add it to `server.hosts` of the policy' }
  const origin = once.get('origin')
  if (origin !== undefined && !isOwn(origin, { host: at, options }))
    return { code: 'http.origin', message: 'requests of other pages are not taken; open the console at its own address' }
  const site = once.get('sec-fetch-site')
  const reads = method === 'GET' || method === 'HEAD'
  if (site !== undefined && !['same-origin', 'none'].includes(site) && !reads)
    return { code: 'http.origin', message: 'requests of other pages are not taken; open the console at its own address' }
  return null
}

interface Host {
  readonly name: string
  /** Null where none is written. */
  readonly port: number | null
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/

/** `[::1]:7433`, `localhost`; null for what is none. A trailing dot names the same host. */
function hostOf(text: string): Host | null {
  const match = HOST.exec(text.toLowerCase())
  if (match === null) return null
  const name = (match[1] ?? '').replace(/^\[|\]$/g, '')
  return { name: name.endsWith('.') ? name.slice(0, -1) : name, port: match[2] === undefined ? null : Number(match[2]) }
}

/** Loopback names carry the port that was connected to; other names may stand for a proxy with a port of its own. */
function fitsPort({ name, port }: Host, own: number | null): boolean {
  if (!LOOPBACK.has(name) || own === null) return true
  return port === own || (port === null && own === 80)
}

export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

function isOwn(origin: string, { host, options }: { readonly host: Host; readonly options: SiteOptions }): boolean {
  if (options.origins.has(origin.toLowerCase())) return true
  const match = /^https?:\/\/([^/?#@\\]+)$/.exec(origin.toLowerCase())
  const from = match === null ? null : hostOf(match[1] ?? '')
  return from !== null && from.name === host.name && from.port === host.port
}

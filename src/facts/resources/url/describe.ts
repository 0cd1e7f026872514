/**
 * What a URL would reach, by every reading some program would take: WHATWG first, then RFC 3986, percent-decoded hosts,
 * careless numbers and nested URLs. Parsers disagree, so the most dangerous reading stands (T10).
 */
import { getDomain } from 'tldts'
import type { Scope } from '../../effect.ts'
import { addressScope, numericReadings } from './address.ts'
import { isDisguised } from './disguise.ts'
import { decodeLabel, isConfusable } from './idn.ts'
import { isRebinding, nameScope } from './names.ts'
import { urlsIn } from './scan.ts'
import { type HostKind, hostKind } from './services.ts'

export interface UrlFacts {
  /** Lower-case scheme; `http` is assumed for scheme-less words; null where there is none and none can be assumed. */
  readonly scheme: string | null
  /** False where the word had no scheme of its own. */
  readonly explicit: boolean
  /** The normalised host of the first reading: lower case, ASCII, no trailing dot, no brackets; null where there is none. */
  readonly host: string | null
  readonly port: string | null
  readonly path: string
  /** Registrable domain of the host, private suffixes counted; null for addresses and local names. */
  readonly domain: string | null
  /** The most dangerous scope of all readings. */
  readonly scope: Scope
  /** Hosts of the other readings, where parsers may disagree. */
  readonly otherHosts: readonly string[]
  /** User name or password are in it. */
  readonly credentials: boolean
  readonly punycode: boolean
  /** A name that imitates a Latin one. */
  readonly confusable: boolean
  /** A name whose address may change between the check and the use. */
  readonly rebinding: boolean
  /** It is written so that it does not look like the place it leads to. */
  readonly disguised: boolean
  readonly kind: HostKind | null
  /** The most dangerous scope of URLs that path, query or body of the URL carry; null where it carries none. */
  readonly nested: Scope | null
}

const DANGER: readonly Scope[] = ['public', 'unknown', 'private', 'loopback', 'link-local', 'metadata']
const MAX_URL = 16_384
const MAX_NESTING = 3

/** The more dangerous of two scopes of hosts. */
export function worse(a: Scope, b: Scope): Scope {
  return DANGER.indexOf(b) > DANGER.indexOf(a) ? b : a
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const HOST_PORT = /^[^/?#]*:\d{1,5}(?:[/?#]|$)/

/** Describes a URL, a scheme-less URL or a bare host. Never throws; what cannot be read has scope `unknown`. */
export function describeUrl(text: string): UrlFacts {
  const known = RECENT.get(text)
  if (known !== undefined) return known
  const facts = describe(text.slice(0, MAX_URL), 0)
  if (RECENT.size >= MAX_RECENT) RECENT.clear()
  if (text.length <= MAX_URL) RECENT.set(text, facts)
  return facts
}

/** What follows from a text alone; one call names its addresses several times, a loop many times. */
const RECENT = new Map<string, UrlFacts>()
const MAX_RECENT = 32

function describe(text: string, depth: number): UrlFacts {
  const trimmed = strip(text)
  const explicit = SCHEME.test(trimmed) && (trimmed.includes('://') || !HOST_PORT.test(trimmed))
  const full = explicit ? trimmed : withScheme(trimmed)
  const scheme = schemeOf(full)
  const parsed = parse(full)
  const hosts = everyHost(full, scheme, parsed)
  const nested = depth >= MAX_NESTING ? null : nestedScope(full, depth)
  const [host = null, ...otherHosts] = hosts
  const path = parsed?.pathname ?? '/'
  return {
    ...{ scheme, explicit, host, port: parsed?.port || null, path, scope: scopeOf(hosts, scheme, nested), otherHosts, nested },
    domain: host === null ? null : getDomain(host, { allowPrivateDomains: true }),
    credentials: parsed !== null && (parsed.username !== '' || parsed.password !== ''),
    ...names(hosts),
    // A script in the place of an address, with an address in it.
    disguised: isHostless(scheme) ? scheme === 'javascript' && nested !== null : host !== null && isDisguised(full, host, explicit),
    kind: host === null ? null : hostKind(host, path),
  }
}

function withScheme(text: string): string {
  return text.startsWith('//') ? `http:${text}` : `http://${text}`
}

function schemeOf(full: string): string | null {
  return SCHEME.exec(full)?.[1]?.toLowerCase() ?? null
}

/** Every host that some parser would find, that of WHATWG first. */
function everyHost(full: string, scheme: string | null, parsed: URL | null): ReadonlySet<string> {
  const first = parsed === null ? '' : normaliseHost(parsed.hostname)
  return new Set([...(first === '' ? [] : [first]), ...(isHostless(scheme) ? [] : rawHosts(full))])
}

function scopeOf(hosts: ReadonlySet<string>, scheme: string | null, nested: Scope | null): Scope {
  if (hosts.size > 0) return [...hosts].map(hostScope).reduce(worse)
  return (isHostless(scheme) ? nested : null) ?? 'unknown'
}

function names(hosts: ReadonlySet<string>): Pick<UrlFacts, 'punycode' | 'confusable' | 'rebinding'> {
  const labels = [...hosts].flatMap((host) => host.split('.')).filter((label) => label.startsWith('xn--'))
  return {
    punycode: labels.length > 0,
    confusable: labels.some((label) => isConfusable(decodeLabel(label) ?? '')),
    rebinding: [...hosts].some(isRebinding),
  }
}

/** URL parsers drop tabs and line ends wherever they stand, and blanks and controls at the ends. */
function strip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1
  return text.slice(start, end).replace(/[\t\r\n]/g, '')
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** Schemes whose body is no authority: a script, data, an archive inside another URL. */
function isHostless(scheme: string | null): boolean {
  return scheme === 'javascript' || scheme === 'jar' || scheme === 'view-source' || scheme === 'blob' || scheme === 'feed'
}

/** Hosts by RFC 3986 and by careless parsers: `\` as a plain character, userinfo ending at the first or the last `@`. */
function rawHosts(full: string): readonly string[] {
  const at = full.indexOf('//')
  if (at < 0) return []
  const out = new Set<string>()
  const add = (authority: string): void => {
    for (const user of [authority.lastIndexOf('@'), authority.indexOf('@')]) {
      for (const host of decodings(hostOf(authority.slice(user + 1)))) if (isHostLike(host)) out.add(host)
    }
  }
  const body = full.slice(at + 2)
  const slash = body.search(/[/?#]/)
  const authority = slash < 0 ? body : body.slice(0, slash)
  add(authority)
  const backslash = authority.indexOf('\\')
  if (backslash >= 0) {
    add(authority.slice(0, backslash))
    add(authority.slice(backslash + 1))
  }
  return [...out]
}

function hostOf(authority: string): string {
  if (authority.startsWith('[')) return authority.slice(1, authority.includes(']') ? authority.indexOf(']') : undefined)
  const colon = authority.indexOf(':')
  return colon < 0 ? authority : authority.slice(0, colon)
}

/** Host names end at a NUL or blank for the parsers that are written in C. */
function decodings(host: string): readonly string[] {
  let text = host
  for (let round = 0; round < 2 && text.includes('%'); round += 1) {
    try {
      text = decodeURIComponent(text)
    } catch {
      break
    }
  }
  const end = text.search(/[\0-\x20]/)
  return end > 0 ? [normaliseHost(text), normaliseHost(text.slice(0, end))] : [normaliseHost(text)]
}

function isHostLike(host: string): boolean {
  return host !== '' && !/[\0\s\\@/?#]/.test(host)
}

/** Lower case, ASCII where it can be, without brackets, trailing dots and ideographic dots. */
export function normaliseHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  let text = bare.normalize('NFKC').replaceAll('。', '.').toLowerCase()
  while (text.length > 1 && text.endsWith('.')) text = text.slice(0, -1)
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 0x7f) return parse(`http://${text}/`)?.hostname ?? text
  }
  return text
}

/** Scope of one host by its most dangerous reading. */
export function hostScope(host: string): Scope {
  const direct = addressScope(host)
  if (direct !== null && host.includes(':')) return direct
  const numbers = numericReadings(host).map((reading) => addressScope(reading) ?? 'unknown')
  if (numbers.length > 0) return numbers.reduce<Scope>(worse, 'public')
  return nameScope(host)
}

/** Without percent signs; as it stands where they say nothing. */
function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** URLs that travel inside the URL: in the query of a redirector, in the body of `jar:` or `javascript:`. */
function nestedScope(full: string, depth: number): Scope | null {
  const mark = full.indexOf('://')
  const body = decoded(full.slice(mark >= 0 && !isHostless(schemeOf(full)) ? mark + 3 : full.indexOf(':') + 1))
  let scope: Scope | null = null
  // `jar:http://host/x.jar!/entry`: the mark ends the inner address.
  for (const found of urlsIn(body.replaceAll('!/', ' '))) scope = worse(scope ?? 'public', describe(found.text, depth + 1).scope)
  // `?to=//host/`: whoever is sent there takes the scheme of the page.
  const at = body.indexOf('=//')
  const relative = at < 0 ? '' : body.slice(at + 3, at + 259).split(/[/?#&]/, 1)[0]
  if (relative !== '') scope = worse(scope ?? 'public', describe(`http://${relative}`, depth + 1).scope)
  const path = body.search(/[?#]/)
  for (const name of (path < 0 ? body : body.slice(0, path)).split('/').slice(1)) {
    const address = addressScope(name)
    if (address !== null) scope = worse(scope ?? 'public', address)
  }
  return scope
}

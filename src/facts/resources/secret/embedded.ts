/** Secrets that their surroundings give away: passwords in URLs, private key blocks, authorization and cookie headers. */
import { maskLength } from './mask.ts'
import type { FoundSecret } from './rules.ts'

/** Everything this file knows. */
export function findEmbedded(text: string): FoundSecret[] {
  return [...urlPasswords(text), ...privateKeys(text), ...headers(text)]
}

const DATABASE =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|clickhouse|cockroachdb|couchbase|neo4j|srv|psycopg2?|asyncpg|pymysql)$/i
const SHORTEST_PASSWORD = 4
const LONGEST_USERINFO = 512

/**
 * `scheme://user:password@host`. The password ends at the last `@` before the path, so that an unescaped `@` in it is covered;
 * for databases, at the last `@` at all, for people write their passwords there as they are.
 */
function urlPasswords(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at + 3
    const window = text.slice(start, start + LONGEST_USERINFO)
    const word = window.slice(0, endOf(window, /[\s"'`<>\\]/))
    const authority = DATABASE.test(text.slice(Math.max(0, at - 16), at)) ? word : word.slice(0, endOf(word, /[/?#]/))
    const host = authority.lastIndexOf('@')
    const colon = authority.indexOf(':')
    if (host < 0 || colon < 0 || colon > host) continue
    const password = authority.slice(colon + 1, host)
    if (
      password.length < SHORTEST_PASSWORD ||
      /^(?:\$\{?[A-Za-z_]\w*\}?|\{[^{}]*\}|\{\{[^{}]*\}\}|<[^<>]*>|\*+)$/.test(password) ||
      maskLength(password, 0) === password.length
    )
      continue
    found.push({ rule: 'url-password', start: start + colon + 1, end: start + host })
  }
  return found
}

function endOf(text: string, stop: RegExp): number {
  const at = text.search(stop)
  return at < 0 ? text.length : at
}

const BEGIN = '-----BEGIN '
const LONGEST_LABEL = 64

/** From the BEGIN line to the END line; a block without an end is masked to the end of the text, for it was cut off. */
function privateKeys(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  for (let at = text.indexOf(BEGIN); at >= 0; ) {
    const body = text.indexOf('-----', at + BEGIN.length)
    const label = body < 0 ? '' : text.slice(at + BEGIN.length, Math.min(body, at + BEGIN.length + LONGEST_LABEL))
    let next = at + BEGIN.length
    if (/PRIVATE KEY(?: BLOCK)?$/.test(label)) {
      const end = text.indexOf('-----END ', body)
      const close = end < 0 ? -1 : text.indexOf('-----', end + 9)
      next = close < 0 ? text.length : close + 5
      found.push({ rule: 'private-key', start: at, end: next })
    }
    at = text.indexOf(BEGIN, next)
  }
  return found
}

const AUTHORIZATION = /authorization["']{0,2}[ \t]{0,4}[:=][ \t]{0,4}["']?(?:[A-Za-z][A-Za-z0-9_-]{1,15}[ \t]{1,4})?([^\s"'`,;\\]{6,})/gi
const BEARER = /\bbearer[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,})/gi
const COOKIE = /\b(?:set-)?cookie["']{0,2}:[ \t]{0,4}["']?([^\r\n"'`]{8,})/gi
const BASIC = /(?:\s-u|\s--user)[ =]?["']?[A-Za-z0-9._@%+-]{1,64}:(?!\/\/)([^\s"'`]{4,})/g

function headers(text: string): FoundSecret[] {
  const found: FoundSecret[] = []
  const lower = /authorization|bearer|cookie/i.test(text)
  if (lower) {
    collect(text, { rule: 'authorization', pattern: AUTHORIZATION }, found)
    collect(text, { rule: 'authorization', pattern: BEARER }, found)
    collect(text, { rule: 'cookie', pattern: COOKIE }, found)
  }
  if (/\b(?:curl|wget|xh|https?)\s/.test(text)) collect(text, { rule: 'basic-credentials', pattern: BASIC }, found)
  return found
}

/** The first group is the secret and ends the match. */
function collect(text: string, { rule, pattern }: { rule: string; pattern: RegExp }, found: FoundSecret[]): void {
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? ''
    const end = match.index + match[0].length
    // `'Bearer ' + token`: the kind of a header without what it announces.
    if (/^(?:bearer|digest|apikey)$/i.test(secret)) continue
    if (/^(?:\$[A-Z_{(]|<[^<>]*>$|\{\{?[A-Za-z_ .]*\})/.test(secret) || maskLength(text, end - secret.length) > 0) continue
    found.push({ rule, start: end - secret.length, end })
  }
}

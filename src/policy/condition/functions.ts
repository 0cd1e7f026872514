/** The functions a condition may call, with the signatures the type checker sees. Every one is linear in its input. */
import { Minimatch } from 'minimatch'
import { RE2JS } from 're2js'

/** A condition that cannot be evaluated on this call; the rule counts as matched (T13). */
export class ConditionError extends Error {
  override readonly name: string = 'ConditionError'
}

/** How a value is called in a message. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return { string: 'text', number: 'a number', boolean: 'a boolean', object: 'a mapping' }[typeof value as 'string'] ?? typeof value
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  throw new ConditionError(`needs text, but this is ${typeName(value)}`)
}

export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  throw new ConditionError(`needs a number, but this is ${typeName(value)}`)
}

export function asBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new ConditionError(`needs true or false, but this is ${typeName(value)}`)
}

export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new ConditionError(`needs a list, but this is ${typeName(value)}`)
}

export interface ConditionFunction {
  /** As the type checker reads it; absent for what CEL itself declares. */
  readonly signature?: string
  readonly call: (args: readonly unknown[]) => unknown
}

/** Functions whose second argument is a pattern: compiled once, when the policy is loaded, and never taken from the call. */
export const PATTERNS: ReadonlyMap<string, (pattern: string) => (subject: string) => boolean> = new Map([
  ['re', compileRegex],
  ['glob', compileGlob],
])

export const FUNCTIONS: ReadonlyMap<string, ConditionFunction> = new Map<string, ConditionFunction>([
  ['re', { signature: 're(string, string): bool', call: unreachable }],
  ['glob', { signature: 'glob(string, string): bool', call: unreachable }],
  ['host', { signature: 'host(string): string', call: ([url]) => hostOf(asText(url)) }],
  ['under', { signature: 'under(string, string): bool', call: ([path, dir]) => isUnder(asText(path), asText(dir)) }],
  ['domain', { signature: 'domain(string, string): bool', call: ([host, name]) => inDomain(asText(host), asText(name)) }],
  ['size', { call: ([value]) => sizeOf(value) }],
  ['string', { call: ([value]) => toText(value) }],
  ['double', { call: ([value]) => toNumber(value) }],
  ['int', { call: ([value]) => Math.trunc(toNumber(value)) }],
  ['dyn', { call: ([value]) => value }],
])

/** Methods; the receiver comes first. */
export const METHODS: ReadonlyMap<string, ConditionFunction> = new Map<string, ConditionFunction>([
  ['contains', { call: ([text, part]) => asText(text).includes(asText(part)) }],
  ['startsWith', { call: ([text, part]) => asText(text).startsWith(asText(part)) }],
  ['endsWith', { call: ([text, part]) => asText(text).endsWith(asText(part)) }],
  ['lowerAscii', { call: ([text]) => asText(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) }],
  ['upperAscii', { call: ([text]) => asText(text).replace(/[a-z]+/g, (letters) => letters.toUpperCase()) }],
  ['trim', { call: ([text]) => asText(text).trim() }],
  ['indexOf', { call: ([text, part]) => asText(text).indexOf(asText(part)) }],
  ['substring', { call: ([text, start, end]) => substring(asText(text), asNumber(start), end) }],
  ['split', { call: ([text, separator]) => asText(text).split(asText(separator)) }],
  [
    'join',
    {
      call: ([list, separator]) =>
        asList(list)
          .map(asText)
          .join(separator === undefined ? '' : asText(separator)),
    },
  ],
  ['size', { call: ([value]) => sizeOf(value) }],
])

export const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function unreachable(): never {
  throw new ConditionError('a pattern must be written out')
}

/** Unanchored search in linear time. */
function compileRegex(pattern: string): (subject: string) => boolean {
  const compiled = RE2JS.compile(pattern)
  return (subject) => compiled.test(subject)
}

/** A glob over paths: `*` stays inside a segment, `**` does not, and dot files match; `dir/**` includes `dir` itself. */
function compileGlob(pattern: string): (subject: string) => boolean {
  const options = { dot: true, nonegate: true, nocomment: true, noext: true, braceExpandMax: 64, platform: 'linux' } as const
  const compiled = new Minimatch(pattern, options)
  const base = pattern.endsWith('/**') ? new Minimatch(pattern.slice(0, -3), options) : null
  return (subject) => compiled.match(subject) || (base?.match(subject) ?? false)
}

/** Host of an absolute URL as WHATWG reads it (which undoes decimal, octal and full-width spellings), without a final dot. */
function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new ConditionError('`host` needs an absolute URL')
  return new URL(url).hostname.replace(/\.$/, '')
}

function inDomain(host: string, name: string): boolean {
  const asked = host.toLowerCase().replace(/\.$/, '')
  const domain = name.toLowerCase().replace(/^\./, '').replace(/\.$/, '')
  return domain !== '' && (asked === domain || asked.endsWith(`.${domain}`))
}

/** True for `dir` itself and everything below, after `.` and `..` are taken out. An empty path is under nothing. */
function isUnder(path: string, dir: string): boolean {
  if (path === '') return false
  const inner = segments(path)
  const outer = segments(dir)
  return outer.length <= inner.length && outer.every((segment, index) => segment === inner[index])
}

function segments(path: string): readonly string[] {
  if (!path.startsWith('/')) throw new ConditionError('`under` needs absolute paths; `target.real` is one wherever it could be told')
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return kept
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') {
    let count = 0
    for (const _ of value) count++
    return count
  }
  if (Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  throw new ConditionError(`\`size\` needs text, a list or a mapping, but this is ${typeName(value)}`)
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new ConditionError(`\`string\` cannot convert ${typeName(value)}`)
}

const DECIMAL = /^[+-]?\d{1,17}(?:\.\d{1,17})?$/

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && DECIMAL.test(value)) return Number(value)
  throw new ConditionError(`cannot read a number from ${typeName(value)}`)
}

function substring(text: string, start: number, end: unknown): string {
  const stop = end === undefined ? text.length : asNumber(end)
  if (start < 0 || stop > text.length || start > stop) throw new ConditionError('`substring` is out of range')
  return text.substring(start, stop)
}

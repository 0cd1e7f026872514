/** Databases that the operator lets be dumped, and which acts are on one of them. Pure. */
import type { Effect } from '../../core/effect.ts'

export type Engine = 'postgres' | 'mysql' | 'mongodb' | 'redis'

/** As the policy's `undo.databases` says. */
export interface KnownDatabase {
  readonly name: string
  readonly engine: Engine
  /** Variable with its address. */
  readonly urlEnv: string
  /** Names under which calls know it, such as `shop` or `application`; `*` stands for any run of characters. */
  readonly names: readonly string[]
  /** Names of the server under which calls reach it; so too. */
  readonly hosts: readonly string[]
  readonly timeoutMs: number
}

/** The database that the effect changes; null: none that is known. */
export function databaseOf(effect: Effect, known: readonly KnownDatabase[]): KnownDatabase | null {
  const act = changed(effect)
  if (act === null) return null
  const { name, host } = act
  return host === undefined
    ? null
    : (known.find(({ names, hosts }) => matches(name, names) && (host === null || matches(host, hosts))) ?? null)
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(name, pattern.split('*')))
}

/** In linear time: each piece where it comes first, the last one at the end. */
function fits(name: string, [first = '', ...pieces]: readonly string[]): boolean {
  const last = pieces.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}

interface Changed {
  readonly name: string
  /** Null: the call names none. Undefined: another than usual, or one that is not known. */
  readonly host: string | null | undefined
}

/** The name and the server of a database that the effect changes, as far as the call says them; null: it changes none. */
function changed({ verb, target, attributes = {} }: Effect): Changed | null {
  if (verb === 'read' || verb === 'fetch') return null
  const host = attributes.host === undefined ? null : typeof attributes.host === 'string' ? attributes.host : undefined
  if (target.kind === 'resource')
    return attributes.provider === 'supabase' && attributes.service === 'db' ? { name: 'application', host } : null
  if (target.kind !== 'database') return null
  const address = addressIn(target.value)
  return address === null ? { name: target.value, host } : { name: decodeURIComponent(address.pathname.slice(1)), host: address.hostname }
}

/** The port that the call names; null: none. Undefined: one that is not known. */
export function portOf({ target, attributes = {} }: Effect): string | null | undefined {
  const { port = '' } = addressIn(target.value) ?? {}
  if (port !== '') return port
  return attributes.port === undefined ? null : typeof attributes.port === 'string' ? attributes.port : undefined
}

function addressIn(text: string): URL | null {
  const address = text.replace(/^jdbc:/i, '')
  return /^[a-z][a-z0-9+]*:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : null
}

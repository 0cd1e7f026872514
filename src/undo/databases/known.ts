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
  const { host } = act
  if (host === undefined) return null
  const found = known.find(({ engine, names, hosts }) => {
    const all = namesOn(engine, act)
    return all.length > 0 && all.every((name) => matches(name, names)) && (host === null || matches(host, hosts))
  })
  return found ?? null
}

/** Every database that the act changes. Of MySQL a name before a dot is one, of PostgreSQL a schema. */
function namesOn(engine: Engine, { name, object, tables }: Changed): readonly string[] {
  if (object === 'database' || (engine === 'mysql' && object === 'schema')) return tables
  if (engine !== 'mysql' || tables.length === 0) return name === null ? [] : [name]
  return tables.map((table) => (table.includes('.') ? (table.split('.')[0] ?? '') : (name ?? '')))
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
  /** Null: it is not known which one a statement before has chosen. */
  readonly name: string | null
  readonly object: string | null
  /** What is changed in it, as far as it is named. */
  readonly tables: readonly string[]
  /** Null: the call names none. Undefined: another than usual, or one that is not known. */
  readonly host: string | null | undefined
}

/** The name and the server of a database that the effect changes, as far as the call says them; null: it changes none. */
function changed({ verb, target, attributes = {} }: Effect): Changed | null {
  if (verb === 'read' || verb === 'fetch') return null
  const host = attributes.host === undefined ? null : typeof attributes.host === 'string' ? attributes.host : undefined
  if (target.kind === 'resource')
    return attributes.provider === 'supabase' && attributes.service === 'db'
      ? { name: 'application', host, object: null, tables: [] }
      : null
  if (target.kind !== 'database') return null
  const address = addressIn(target.value)
  const own = address === null ? target.value : decodeURIComponent(address.pathname.slice(1))
  const { database = own, object, table, others } = attributes
  return {
    name: typeof database === 'string' ? database : null,
    host: address === null || attributes.host === null ? host : address.hostname,
    object: typeof object === 'string' ? object : null,
    tables: [table, ...(Array.isArray(others) ? others : [])].filter((name) => typeof name === 'string'),
  }
}

/** The one part of the database that all of these effects change, as a collection; null: there may be several. */
export function partOf(effects: readonly Effect[]): string | null {
  const [first = null, ...more] = new Set(effects.map(({ attributes }) => attributes.collection ?? null))
  return typeof first === 'string' && more.length === 0 ? first : null
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

/** From loose fields (a row, an exported line) to a record, or to what is wrong with them. Pure; trusts nothing. */
import { isJsonObject, type Json } from '../core/json.ts'
import { HASH, isCount } from './chain.ts'
import { RECORD_KINDS, type StoredRecord } from './store.ts'

export type Fields = Readonly<Record<string, unknown>>

/** `problem` names the field that is wrong. */
export type Parsed = { readonly record: StoredRecord } | { readonly problem: string }

const KINDS: ReadonlySet<string> = new Set(RECORD_KINDS)
const NULLABLE = ['session', 'tenant', 'tool', 'decision', 'code'] as const
const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Checks every field. `body` is expected as a JSON object; fields that a record does not have are ignored. */
export function parseRecord(fields: Fields): Parsed {
  const { sequence, id, previous, hash, key, kind, at, body } = fields
  if (!isCount(sequence) || sequence === 0) return { problem: '`sequence` is no positive whole number' }
  if (typeof id !== 'string' || !ID.test(id)) return { problem: '`id` is no ULID' }
  if (typeof previous !== 'string' || !HASH.test(previous)) return { problem: '`previous` is no hash' }
  if (typeof hash !== 'string' || !HASH.test(hash)) return { problem: '`hash` is no hash' }
  if (typeof key !== 'string') return { problem: '`key` is no text' }
  if (!isKind(kind)) return { problem: '`kind` is unknown' }
  if (typeof at !== 'number' || !Number.isSafeInteger(at)) return { problem: '`at` is no whole number' }
  if (!isBody(body)) return { problem: '`body` is no JSON object' }
  const other = NULLABLE.find((name) => fields[name] !== null && typeof fields[name] !== 'string')
  if (other !== undefined) return { problem: `\`${other}\` is neither text nor null` }
  const [session, tenant, tool, decision, code] = [
    textOf(fields.session),
    textOf(fields.tenant),
    textOf(fields.tool),
    textOf(fields.decision),
    textOf(fields.code),
  ]
  return { record: { sequence, id, previous, hash, key, kind, session, tenant, tool, decision, code, at, body } }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isKind(value: unknown): value is StoredRecord['kind'] {
  return typeof value === 'string' && KINDS.has(value)
}

function isBody(value: unknown): value is StoredRecord['body'] {
  return isJsonObject(value as Json | undefined)
}

/**
 * Makes text survive both engines exactly. `libsql` cuts text at NUL and both turn lone surrogates into U+FFFD, so two
 * tenants could fall together (T64). Such text, and text that looks encoded, is kept as its JSON string.
 */
import type { SqlRow, SqlValue } from '../store.ts'
import { SqliteFault } from './driver.ts'

const CORRUPT = 11
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function encodeValue(value: SqlValue): SqlValue {
  if (typeof value !== 'string') return value
  return value.startsWith('"') || value.includes('\0') || !value.isWellFormed() ? JSON.stringify(value) : value
}

/** Throws `SqliteFault` on text that `encodeValue` cannot have made. */
export function decodeValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'number') return value
  if (typeof value === 'string') return value.startsWith('"') ? decodeString(value) : value
  if (value instanceof Uint8Array) return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  throw new SqliteFault('a column holds a value of an unknown type', CORRUPT, value)
}

/** Rows as null-prototype objects of their own columns; `libsql` adds `_metadata` to single rows. */
export function decodeRow(row: object): SqlRow {
  const decoded: Record<string, SqlValue> = Object.create(null)
  for (const [column, value] of Object.entries(row)) {
    if (column !== '_metadata') decoded[column] = decodeValue(value)
  }
  return decoded
}

/** Text from its bytes. Throws `SqliteFault` where they are not UTF-8. */
export function decodeBytes(bytes: Uint8Array): string {
  return decoded(() => UTF8.decode(bytes))
}

function decodeString(text: string): string {
  return decoded(() => {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'string') throw new SyntaxError('no string')
    return value
  })
}

function decoded(act: () => string): string {
  try {
    return act()
  } catch (error) {
    throw new SqliteFault('a text is damaged', CORRUPT, error)
  }
}

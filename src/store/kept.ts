/** What was read of a table, kept until the table may hold something else: written to by whomever, or taken back. */
import type { ReadTransaction } from './store.ts'

const MAX_VALUES = 4_096

export type Kept<Value> = (tx: ReadTransaction, name: string, read: () => Value) => Value

/** `read` answers from this table alone, and the same for the same name. */
export function createKept<Value>(table: string): Kept<Value> {
  let generation = Number.NaN
  const values = new Map<string, { readonly value: Value }>()
  return (tx, name, read) => {
    const now = tx.generation(table)
    if (now !== generation || values.size >= MAX_VALUES) values.clear()
    generation = now
    const known = values.get(name)
    if (known !== undefined) return known.value
    const value = read()
    values.set(name, { value })
    return value
  }
}

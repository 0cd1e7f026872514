/** Everything that a log holds, as one text to search. */
import type { OpenedGate } from '../../src/open.ts'

export type StoredText = string

export function readSettled(store: OpenedGate['store']): StoredText {
  const records = store.read({})
  if (!(Symbol.iterator in records)) throw new Error('the log of this store cannot be read at once')
  return [...records].map((record) => JSON.stringify(record)).join('\n')
}

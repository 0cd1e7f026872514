/** For gates that keep nothing: they are for looking only, never for enforcing. */
import type { Commit } from './gate/commit.ts'
import type { ReadTransaction, Store } from './store/store.ts'

const UNKEPT = { id: 'not-recorded', sequence: 0, hash: '' } as const

/** Keeps nothing, and makes no record either: nothing has to be redacted for nobody. The receipts say so. */
export const forget: Commit = async (decision) => ({ decision, receipt: UNKEPT })

export function forgetful(): Pick<Store, 'append' | 'run' | 'query' | 'read' | 'now' | 'close'> {
  const nothing: ReadTransaction = { get: () => undefined, all: () => [], count: () => 0, generation: () => 0 }
  return {
    append: async () => UNKEPT,
    run: () => Promise.reject(new Error('nothing is recorded here')),
    query: (work) => work(nothing),
    read: () => [],
    now: Date.now,
    close: () => {},
  }
}

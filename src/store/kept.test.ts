import { describe, expect, test } from 'vitest'
import { input, temporaryDirectory } from '../../test/support/records.ts'
import { opened } from '../../test/support/store.ts'
import { createKept } from './kept.ts'
import type { Store, Transaction } from './store.ts'

const VALUE = "SELECT body FROM pins WHERE tool = 't'"
const put = (body: string) => (tx: Transaction) =>
  void tx.run("INSERT OR REPLACE INTO pins (tenant, server, tool, skeleton, body) VALUES ('', '', 't', 't', ?)", body)
const turn = () => new Promise((resolve) => setImmediate(resolve))

function reading(store: Store) {
  const kept = createKept<unknown>('pins')
  let reads = 0
  const look = () =>
    store.query((tx) =>
      kept(tx, 't', () => {
        reads += 1
        return tx.get(VALUE)?.body
      }),
    )
  return { look, reads: () => reads }
}

describe('what was read of a table', () => {
  test('is not read again, and what is not there is remembered, too', async () => {
    const store = opened({ directory: temporaryDirectory() })
    const { look, reads } = reading(store)
    expect([look(), look(), reads()]).toEqual([undefined, undefined, 1])
    await store.run(put('a'), input(1))
    expect([look(), look(), reads()]).toEqual(['a', 'a', 2])
    await store.append(input(2))
    await turn()
    expect([look(), reads()]).toEqual(['a', 2])
  })

  test('is read again where another process wrote', async () => {
    const directory = temporaryDirectory()
    const { look } = reading(opened({ directory }))
    const other = opened({ directory })
    await other.run(put('a'), input(1))
    await turn()
    expect(look()).toBe('a')
    await other.run(put('b'), input(2))
    await turn()
    expect(look()).toBe('b')
  })

  test('of a transaction that was taken back is forgotten with it', async () => {
    const store = opened({ directory: temporaryDirectory() })
    await store.run(put('a'), input(1))
    const kept = createKept<unknown>('pins')
    const look = (tx: Parameters<Parameters<Store['query']>[0]>[0]) => kept(tx, 't', () => tx.get(VALUE)?.body)
    const failing = store.run((tx) => {
      put('b')(tx)
      expect(look(tx)).toBe('b')
      throw new Error('no')
    }, input(2))
    await expect(failing).rejects.toThrow('no')
    expect(store.query(look)).toBe('a')
  })
})

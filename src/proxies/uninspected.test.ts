import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/records.ts'
import { opened } from '../../test/support/store.ts'
import type { StoredRecord } from '../store/store.ts'
import { createUninspected, type Owing, tellRest } from './uninspected.ts'

test('the log is told of the first of a kind at once, of the others together, and of all of them in the end', async () => {
  const store = opened({ directory: temporaryDirectory() })
  onTestFinished(() => store.close())
  const owing: Owing = new Set()
  const { count } = createUninspected({ store, proxy: 'acp', upstream: 'agent', session: null, owing })
  for (let at = 0; at < 5; at++) count('result', true)
  count('client message', false)
  expect(owing.size).toBe(1)
  await tellRest(owing)
  await tellRest(owing)
  const told = [...(store.read({ kind: 'note' }) as Iterable<StoredRecord>)].map(({ body }) => body)
  expect(told.map(({ what, passed, count: of, total }) => [what, passed, of, total])).toEqual([
    ['result', true, 1, 1],
    ['client message', false, 1, 1],
    ['result', true, 4, 5],
  ])
  expect(owing.size).toBe(0)
})

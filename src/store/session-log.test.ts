import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callOf } from '../../test/support/calls.ts'
import { resultRecord } from '../audit/record.ts'
import { pastResults } from './session-log.ts'
import { openStore } from './sqlite/open.ts'

test('the results of a session are read as the log has them: whole, in order, of this session alone', async () => {
  const home = mkdtempSync(join(tmpdir(), 'countersign-past-'))
  const store = openStore({ directory: home })
  try {
    const results = Array.from({ length: 300 }, (_, at) => ({
      call: callOf('get_order', { id: `o${at}` }, { session: at % 7 === 3 ? 'other' : 's' }),
      response: { at, text: at % 2 === 0 ? 'ünï\u0000' : null },
    }))
    await Promise.all(
      results.map(({ call, response }) =>
        store.run(
          () => {},
          () => resultRecord(call, response, 1),
        ),
      ),
    )
    await store.run(
      () => {},
      () => ({ ...resultRecord(callOf('get_order', {}, { session: 's' }), 'x', 1), kind: 'note' }),
    )
    const others = ['get_orders', 'order', 'xget_order\n'].map((tool) => callOf(tool, {}, { session: 's' }))
    for (const call of others)
      await store.run(
        () => {},
        () => resultRecord(call, 'no table is filled by it', 1),
      )
    const past = [...pastResults(store, { session: 's', tools: new Set(['list', 'get_order']) })]
    const listed = [...store.read({ kind: 'result', session: 's' })]
      .filter(({ tool }) => tool === 'get_order')
      .map(({ sequence, id, hash, tenant, body }) => ({ sequence, id, hash, tenant, body }))
    expect(past.length).toBe(results.filter(({ call }) => call.session === 's').length)
    expect(past).toEqual(listed)
    const [from, upto] = [past[9]?.sequence ?? 0, past[19]?.sequence ?? 0]
    expect([...pastResults(store, { session: 's', tools: new Set(['get_order']), after: from, upto })]).toEqual(past.slice(10, 20))
    expect([...pastResults(store, { session: 'nobody', tools: new Set(['get_order']) })]).toEqual([])
    expect([...pastResults(store, { session: 's', tools: new Set() })]).toEqual([])
  } finally {
    store.close()
    rmSync(home, { recursive: true, force: true })
  }
})

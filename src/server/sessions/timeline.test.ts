import { describe, expect, test } from 'vitest'
import { input } from '../../../test/support/records.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import { opened } from '../../../test/support/store.ts'
import type { JsonObject } from '../../core/json.ts'
import type { StoredRecord } from '../../store/store.ts'
import { flowsOf, labelsOf, placesIn } from './timeline.ts'

const record = (decision: JsonObject): StoredRecord => ({
  ...{ kind: 'decision', session: 's', tenant: null, tool: 't', decision: 'allow', code: null, at: 0 },
  ...{ id: 'r', sequence: 1, hash: '', previous: '', key: '', body: { decision } },
})

describe('the timeline of a session', () => {
  test.each<[effect: JsonObject, labels: readonly string[]]>([
    [{ verb: 'read', action: 'secret:read', target: { kind: 'resource' } }, ['secret', 'untrusted input']],
    [{ verb: 'read', target: { kind: 'path', classes: ['credential'] } }, ['secret']],
    [{ verb: 'read', target: { kind: 'path' } }, []],
    [{ verb: 'fetch', target: { kind: 'url' } }, ['untrusted input']],
    [{ verb: 'send', target: { kind: 'address' }, reversible: false }, ['leaves', 'cannot be undone']],
    [{ verb: 'delete', target: { kind: 'path' }, reversible: false }, ['cannot be undone']],
    [{ verb: 'read', target: { kind: 'path' }, reversible: false }, []],
    [{}, []],
  ])('labels %j', (effect, labels) => {
    expect(labelsOf(record({ effects: [effect] }))).toEqual(labels)
  })

  test('a record without effects or flows has none, and a flow without a source says so', () => {
    expect([labelsOf(record({})), flowsOf(record({})), flowsOf(record({ flows: 'no' }))]).toEqual([[], [], []])
    const flow = { argument: 'to', role: 'target', origin: 'nowhere' }
    expect(flowsOf(record({ flows: [flow] }))).toEqual([{ ...flow, source: null }])
  })

  test('calls are counted in their own session and tenant, whichever part of it is shown', async () => {
    const store = opened({ directory: stateDirectoryOfTest() })
    for (const [session, tenant] of [
      ['s', null],
      ['other', null],
      ['s', null],
      ['s', 'acme'],
      ['s', null],
    ] as const)
      await store.append({ ...input(1), kind: 'decision', session, tenant })
    await store.append({ ...input(2), kind: 'result', session: 's', tenant: null })
    const all: StoredRecord[] = []
    for await (const each of store.read({ kind: 'decision', session: 's', newestFirst: true })) all.push(each)
    const own = all.filter(({ tenant }) => tenant === null)
    expect([...placesIn(store, own).values()]).toEqual([3, 2, 1])
    expect([...placesIn(store, own.slice(1)).values()]).toEqual([2, 1])
    expect([...placesIn(store, [])]).toEqual([])
  })
})

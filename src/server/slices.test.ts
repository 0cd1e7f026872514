import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { input } from '../../test/support/records.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { opened } from '../../test/support/store.ts'
import { pageOf } from './log.ts'
import { sessionsOf } from './sessions/list.ts'
import { type Part, partsOf } from './slices.ts'

async function all(range: Part): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of partsOf(range)) parts.push(part)
  return parts
}

describe('a range in parts', () => {
  test('covers each sequence once, the newest first', async () => {
    for (const [after, before] of [
      [0, 1],
      [0, 2],
      [5, 6],
      [0, 129],
      [0, 130],
      [17, 5_000],
    ] as const) {
      const covered = (await all({ after, before })).flatMap((part) =>
        Array.from({ length: part.before - part.after - 1 }, (_, index) => part.before - 1 - index),
      )
      expect(covered).toEqual(Array.from({ length: before - after - 1 }, (_, index) => before - 1 - index))
    }
  })

  proves('T23', 'whatever else is to be done is done between two parts, and all who look take turns', async () => {
    const order: string[] = []
    const look = async (name: string) => {
      for await (const { before } of partsOf({ after: 0, before: 600 })) order.push(`${name} ${before}`)
    }
    const other = async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        order.push('a decision')
      }
    }
    await Promise.all([look('a'), look('b'), other()])
    const decided = order.flatMap((what, index) => (what === 'a decision' ? [index] : []))
    expect(decided).toHaveLength(4)
    expect(decided.every((index, turn) => index <= 2 * turn + 1)).toBe(true)
    expect(order.filter((what) => what !== 'a decision').slice(0, 2)).toEqual(['a 600', 'b 600'])
  })
})

proves(['SIG-45', 'T64'], 'pages and sessions of a log of many parts are those of the whole', async () => {
  const store = opened({ directory: stateDirectoryOfTest() })
  await Promise.all(Array.from({ length: 1_500 }, (_, index) => store.append(input(index, { tool: index % 700 === 3 ? 'Rare' : 'Bash' }))))
  const first = await pageOf(store, { tool: 'Rare', limit: 2 })
  expect([first.records.map(({ body }) => body.number), first.before]).toEqual([[1_403, 703], 704])
  const second = await pageOf(store, { tool: 'Rare', limit: 2, before: first.before ?? 0 })
  expect([second.records.map(({ body }) => body.number), second.before]).toEqual([[3], null])
  expect(await pageOf(store, { text: 'nowhere', limit: 5 })).toEqual({ records: [], before: null })
  const sessions = await sessionsOf(store, { tenant: 'default', limit: 2 })
  expect(sessions.map(({ session, calls, by_decision }) => [session, calls, by_decision])).toEqual([
    ['s-2', 500, { allow: 500 }],
    ['s-1', 500, { allow: 500 }],
  ])
  expect(await sessionsOf(store, { tenant: 'nobody', limit: 2 })).toEqual([])
})

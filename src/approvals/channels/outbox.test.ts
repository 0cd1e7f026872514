import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, type World, world } from '../../../test/support/channels.ts'
import { NOTE } from '../../../test/support/records.ts'
import { delayAfter } from './deliver.ts'
import { changedRows, changeRow, deliveredRows, dueRows, endedRows, type OutboxRow, openRows, rowFor, rowOfId } from './outbox.ts'

const CHANNELS = `approvals:
  channels:
    - { name: a, type: command, command: [/bin/true] }
    - { name: b, type: command, command: [/bin/true], tenants: [acme] }
`

const query = <T>(at: World, work: Parameters<World['opened']['store']['query']>[0]): T => at.opened.store.query(work) as T
const due = (at: World, now = Date.now()) => query<readonly OutboxRow[]>(at, (tx) => dueRows(tx, { now, limit: 10 }))

/** Changes a row as the carrier does; false where somebody else was faster. */
async function change(at: World, before: OutboxRow, after: Partial<OutboxRow>): Promise<boolean> {
  const { result } = await at.opened.store.run((tx) => changeRow(tx, before, { ...before, ...after }), NOTE)
  return result
}

async function one(at: World): Promise<OutboxRow> {
  await at.asks(bash('git push --force origin main'))
  const [row] = due(at)
  if (row === undefined) throw new Error('nothing is due')
  return row
}

describe('a row', () => {
  test('comes with the approval, for the channels of its tenant, due at once', async () => {
    const at = world(CHANNELS)
    const approval = await at.asks(bash('git push --force origin main'))
    expect(due(at)).toEqual([
      {
        id: `msg_${approval.id.slice(4)}_a`,
        approval: approval.id,
        channel: 'a',
        phase: 'requested',
        state: 'waiting',
        attempts: 0,
        dueAt: approval.createdAt,
        endsAt: approval.approveBy,
        complete: false,
        receipt: null,
        error: null,
        createdAt: approval.createdAt,
      },
    ])
    await at.asks(bash('git push --force origin x', { principal: { agent: 'a', role: null, user: 'u', tenant: 'acme', chain: [] } }))
    expect(due(at).map(({ channel }) => channel)).toEqual(['a', 'a', 'b'])
  })

  proves('T26', 'is not there where the approval did not become durable', async () => {
    const at = world(`${CHANNELS}  max_pending: { session: 1 }\n`)
    await at.asks(bash('git push --force origin main'))
    expect((await at.decide(bash('git push --force origin other'))).code).toBe('approval.too_many')
    expect(due(at)).toHaveLength(1)
  })

  test('is changed by the first of several', async () => {
    const at = world(CHANNELS)
    const row = await one(at)
    const all = await Promise.all([1, 2, 3].map(() => change(at, row, { state: 'claimed', attempts: 1, dueAt: 5 })))
    expect(all.filter(Boolean)).toHaveLength(1)
    expect(query(at, (tx) => rowOfId(tx, row.id))).toMatchObject({ state: 'claimed', attempts: 1, dueAt: 5 })
  })

  test('is found by what it is', async () => {
    const at = world(CHANNELS)
    const row = await one(at)
    expect(
      query(at, (tx) => [rowFor(tx, row.approval, 'a'), rowFor(tx, row.approval, 'b'), rowFor(tx, 'apr_1', 'a'), rowOfId(tx, 'msg_1')]),
    ).toEqual([row, null, null, null])
    const opens = (now: number) => query<readonly OutboxRow[]>(at, (tx) => openRows(tx, 'a', { now, limit: 10 })).length
    expect([opens(row.endsAt - 1), opens(row.endsAt)]).toEqual([1, 0])
  })

  const states: readonly (readonly [state: OutboxRow['state'], due: number, told: number, ended: number])[] = [
    ['waiting', 1, 0, 0],
    ['claimed', 1, 0, 0],
    ['told', 0, 1, 1],
    ['dead', 0, 0, 0],
    ['over', 0, 0, 0],
  ]
  for (const [state, dues, told, ended] of states) {
    test(`that is ${state} is ${dues === 1 ? 'due' : 'not due'}, and its end ${ended === 1 ? 'is' : 'is not'} to be told`, async () => {
      const at = world(CHANNELS)
      const row = await one(at)
      await change(at, row, { state, receipt: { version: 0, digest: 'd' } })
      const later = { now: row.endsAt, limit: 10 }
      expect([due(at).length, query<readonly OutboxRow[]>(at, (tx) => deliveredRows(tx, 10)).length]).toEqual([dues, told])
      expect(query<readonly OutboxRow[]>(at, (tx) => endedRows(tx, later)).length).toBe(ended)
      expect(query<readonly OutboxRow[]>(at, (tx) => endedRows(tx, { now: row.endsAt - 1, limit: 10 })).length).toBe(0)
      expect(query<readonly OutboxRow[]>(at, (tx) => changedRows(tx, { now: 0, limit: 10 })).length).toBe(0)
    })
  }

  test('is due by its time, the longest due first, and not more than asked for', async () => {
    const at = world(CHANNELS)
    const row = await one(at)
    await change(at, row, { dueAt: 1_000 })
    expect([due(at, 999).length, due(at, 1_000).length]).toEqual([0, 1])
    await at.asks(bash('git push --force origin x'))
    expect(due(at).map(({ dueAt }) => dueAt === 1_000)).toEqual([true, false])
    expect(query<readonly OutboxRow[]>(at, (tx) => dueRows(tx, { now: Date.now(), limit: 1 }))).toHaveLength(1)
  })
})

describe('the time to the next attempt', () => {
  for (const [attempts, asked, random, expected] of [
    [1, null, 0, 2_000],
    [1, null, 1, 1_000],
    [2, null, 0, 6_000],
    [3, null, 0, 18_000],
    [6, null, 0, 300_000],
    [20, null, 0, 300_000],
    [1, 30_000, 0, 30_000],
    [1, 1, 0, 2_000],
    [1, 99_999_000, 0, 600_000],
  ] as const) {
    test(`after ${attempts}, asked for ${asked}, by chance ${random}`, () => expect(delayAfter(attempts, asked, random)).toBe(expected))
  }

  test('grows, is never nothing, and never more than ten minutes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.option(fc.nat()),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, asked, random) => {
          const delay = delayAfter(attempts, asked, random)
          expect(delay).toBeGreaterThanOrEqual(1_000)
          expect(delay).toBeLessThanOrEqual(600_000)
          expect(delayAfter(attempts + 1, asked, random)).toBeGreaterThanOrEqual(delay)
        },
      ),
    )
  })
})

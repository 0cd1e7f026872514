/**
 * What another process, or another thread, recorded of a session counts for its contracts here, in the order of the log. Labels (run, stop)
 * were written before any verdict was looked at.
 */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callOf } from '../../../test/support/calls.ts'
import { bundled, start } from '../../../test/support/program.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import { keepResult } from '../../cli/results.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Json } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import { type OpenedGate, openGate } from '../../open.ts'
import { policy } from '../../policy/testing/compiled.ts'

const RULES = policy(`unregistered: allow
contracts:
  state:
    user: [{ tools: [login], value: result.id }]
    order: [{ tools: [get_order], key: args.id, value: result.owner }]
  tools:
    cancel: { enforcement: hard, constraints: [{ kind: cmp, op: eq, left: user, right: { state: user } }, { kind: known, of: { state: user } }] }
    refund:
      enforcement: hard
      constraints:
        - { kind: known, of: { state: order, of: order_id } }
        - { kind: cmp, op: eq, left: owner, right: { state: order, of: order_id } }
`)

const RESULTS = bundled(new URL('../../../test/fault/programs/results.ts', import.meta.url))

let home: string
let gates: OpenedGate[]
beforeEach(() => {
  home = newStateDirectory()
  gates = ['here', 'there'].map(() => openGate({ home, policy: () => ({ policy: RULES, degraded: null }) }))
})
afterEach(() => {
  for (const gate of gates) gate.close()
  rmSync(home, { recursive: true, force: true })
})

type Where = 0 | 1

const of = (tool: string, args: Record<string, Json>, session = 's', tenant: string | null = null): ToolCall =>
  callOf(tool, args, { session, principal: { agent: 'a', user: null, tenant } })

/** One step: a result that came somewhere, or a call that is judged somewhere. */
type Step =
  | readonly ['result', Where, string, Json, Record<string, Json>?, string?, string?]
  | readonly ['call', Where, string, Record<string, Json>, 'run' | 'stop']

const LONG = 'x'.repeat(70_000)

const CASES: readonly (readonly [string, readonly Step[]])[] = [
  [
    'a result of before the first call here',
    [
      ['result', 1, 'login', { id: 'u1' }],
      ['call', 0, 'cancel', { user: 'u1' }, 'run'],
    ],
  ],
  [
    'a result of after it',
    [
      ['call', 0, 'cancel', { user: 'u1' }, 'stop'],
      ['result', 1, 'login', { id: 'u1' }],
      ['call', 0, 'cancel', { user: 'u1' }, 'run'],
    ],
  ],
  [
    'the later of two, which came there: the one of before does not hold any more',
    [
      ['result', 0, 'login', { id: 'u1' }],
      ['call', 0, 'cancel', { user: 'u1' }, 'run'],
      ['result', 1, 'login', { id: 'u2' }],
      ['call', 0, 'cancel', { user: 'u1' }, 'stop'],
      ['call', 0, 'cancel', { user: 'u2' }, 'run'],
    ],
  ],
  [
    'the later of two, which came here: what is read of the other is older',
    [
      ['call', 0, 'cancel', { user: 'u1' }, 'stop'],
      ['result', 1, 'login', { id: 'u1' }],
      ['result', 0, 'login', { id: 'u2' }],
      ['call', 0, 'cancel', { user: 'u1' }, 'stop'],
      ['call', 0, 'cancel', { user: 'u2' }, 'run'],
      ['call', 1, 'cancel', { user: 'u2' }, 'run'],
    ],
  ],
  [
    'both, turn by turn',
    [
      ['result', 0, 'get_order', { owner: 'a' }, { id: 'o1' }],
      ['result', 1, 'get_order', { owner: 'b' }, { id: 'o2' }],
      ['call', 0, 'refund', { order_id: 'o2' }, 'run'],
      ['call', 1, 'refund', { order_id: 'o1' }, 'run'],
      ['result', 1, 'get_order', { owner: 'b' }, { id: 'o3' }],
      ['call', 0, 'refund', { order_id: 'o3' }, 'run'],
      ['call', 0, 'refund', { order_id: 'o4' }, 'stop'],
    ],
  ],
  [
    'what the log has only in part is known where it came, and stays known when others are read',
    [
      ['result', 0, 'login', { id: 'u1', text: LONG }],
      ['call', 0, 'cancel', { user: 'u1' }, 'run'],
      ['result', 1, 'get_order', { owner: 'b' }, { id: 'o1' }],
      ['call', 0, 'refund', { order_id: 'o1' }, 'run'],
      ['call', 0, 'cancel', { user: 'u1' }, 'run'],
      ['call', 1, 'cancel', { user: 'u1' }, 'stop'],
    ],
  ],
  [
    'results of another session and of another tenant do not count',
    [
      ['call', 0, 'cancel', { user: 'u1' }, 'stop'],
      ['result', 1, 'login', { id: 'u1' }, {}, 'other'],
      ['result', 1, 'login', { id: 'u1' }, {}, 's', 'tenant'],
      ['call', 0, 'cancel', { user: 'u1' }, 'stop'],
    ],
  ],
]

async function act(step: Step): Promise<void> {
  const opened = gates[step[1]]
  if (opened === undefined) throw new Error('there is no such gate')
  if (step[0] === 'result') {
    const [, , tool, response, args = {}, session, tenant] = step
    await keepResult(opened, { call: of(tool, args, session, tenant ?? null), response }).kept
    return
  }
  const [, , tool, args, expected] = step
  const { decision, code } = await opened.gate.decide(of(tool, args))
  expect([step, decision === 'allow' || decision === 'flag' ? 'run' : 'stop', code]).toEqual([step, expected, code])
}

describe('contracts know what others recorded', () => {
  for (const [title, steps] of CASES)
    test(title, async () => {
      for (const step of steps) await act(step)
    })

  test('many results here and there: each is there at the end, in the order of the log', async () => {
    for (let i = 0; i < 150; i++) await act(['result', i % 3 === 0 ? 1 : 0, 'get_order', { owner: `w${i}` }, { id: `o${i % 100}` }])
    // The second hundred took the places of the first.
    const asked = [
      [0, 0],
      [0, 49],
      [1, 50],
      [1, 99],
    ] as const
    const owner = (i: number) => `w${i < 50 ? i + 100 : i}`
    for (const [where, i] of asked) await act(['call', where, 'refund', { order_id: `o${i}`, owner: owner(i) }, 'run'])
    for (const [where, i] of asked) await act(['call', where, 'refund', { order_id: `o${i}`, owner: 'somebody' }, 'stop'])
  })

  test('a result whose record is not durable yet counts at once, and its order holds', async () => {
    const [here, there] = gates
    if (here === undefined || there === undefined) throw new Error('there are two')
    await act(['call', 0, 'cancel', { user: 'u1' }, 'stop'])
    await keepResult(there, { call: of('login', {}), response: { id: 'u1' } }).kept
    const under = keepResult(here, { call: of('login', {}), response: { id: 'u2' } }).kept
    await act(['call', 0, 'cancel', { user: 'u2' }, 'run'])
    await under
    await act(['call', 0, 'cancel', { user: 'u1' }, 'stop'])
    await act(['call', 1, 'cancel', { user: 'u2' }, 'run'])
  })

  test('what another process recorded by the thousand is read in slices: calls go on meanwhile, and then all of it counts', async () => {
    const [here] = gates
    if (here === undefined) throw new Error('there are two')
    const elsewhere = async (from: number, count: number) =>
      expect((await start(process.execPath, [RESULTS, home, String(from), String(count)]).ended).lines).toEqual(['done'])
    await elsewhere(0, 10)
    await act(['call', 0, 'refund', { order_id: 'o3', owner: 'w3' }, 'run'])
    await elsewhere(10, 2_000)
    // Came here, and stands behind what is read.
    const under = keepResult(here, { call: of('get_order', { id: 'o9' }), response: { owner: 'here' } }).kept
    let turns = 0
    let counting = true
    const count = (): void => {
      turns += 1
      if (counting) setImmediate(count)
    }
    setImmediate(count)
    const calls = ['o9', 'o1500', 'o2009'].map((order_id) => here.gate.decide(of('refund', { order_id, owner: 'here' })))
    const late = keepResult(here, { call: of('get_order', { id: 'o1500' }), response: { owner: 'here' } }).kept
    const decided = (await Promise.all(calls)).map(({ decision }) => runs(decision))
    counting = false
    await Promise.all([under, late])
    expect(decided).toEqual([true, true, false])
    expect(turns).toBeGreaterThan(2_000 / 50)
    await act(['call', 0, 'refund', { order_id: 'o2009', owner: 'w2009' }, 'run'])
    await act(['call', 0, 'refund', { order_id: 'o2010', owner: 'w2010' }, 'stop'])
    await act(['call', 1, 'refund', { order_id: 'o1501', owner: 'w1501' }, 'run'])
    // It came here while the others were read, and is the newest of its order everywhere.
    await act(['call', 1, 'refund', { order_id: 'o1500', owner: 'w1500' }, 'stop'])
  })
})

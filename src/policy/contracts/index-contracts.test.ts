import { describe, expect, test } from 'vitest'
import { policy } from '../testing/compiled.ts'

const contracts = policy(`contracts:
  tools:
    pay: {}
    bank/pay: {}
    mcp__bank__pay: {}
    '*_order': {}
    'shop/*': {}
    constructor: {}
`).contracts

describe('which contracts a tool has', () => {
  for (const [server, name, expected] of [
    [null, 'pay', ['pay']],
    ['shop', 'pay', ['pay', 'shop/*']],
    ['bank', 'pay', ['bank/pay', 'mcp__bank__pay', 'pay']],
    ['evil', 'pay', ['pay']],
    [null, 'cancel_order', ['*_order']],
    ['shop', 'cancel_order', ['*_order', 'shop/*']],
    ['bank', 'cancel_order', ['*_order']],
    [null, 'order', []],
    [null, 'Pay', []],
    [null, 'constructor', ['constructor']],
    [null, 'toString', []],
    [null, '__proto__', []],
  ] as const) {
    test(`${server}/${name}: ${expected.join(', ') || 'none'}`, () => {
      for (let again = 0; again < 2; again++) expect(contracts.forTool(server, name).map((contract) => contract.tool)).toEqual(expected)
    })
  }

  test('names come from outside: the memory of them is bounded, and the answers stay right', () => {
    for (let index = 0; index < 10_000; index++) contracts.forTool(null, `t${index}`)
    expect(contracts.forTool(null, 'cancel_order')).toHaveLength(1)
  })
})

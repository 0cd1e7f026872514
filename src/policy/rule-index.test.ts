import { describe, expect, test } from 'vitest'
import { policy } from './testing/compiled.ts'

describe('rules by tool', () => {
  const rules = policy(`rules:
  deny: [{ id: d-any, user: x }, { id: d-pay, tool: pay }, { id: d-glob, tool: "p*" }]
  ask: [{ id: a-bank, tool: bank/* }]
  allow: [{ id: l-get, tool: "get_*" }, { id: l-pay, tool: pay }]`).rules
  for (const [server, name, expected] of [
    [null, 'pay', ['d-any', 'd-pay', 'd-glob', 'l-pay']],
    ['bank', 'pay', ['d-any', 'd-pay', 'd-glob', 'a-bank', 'l-pay']],
    ['bank', 'get_x', ['d-any', 'a-bank', 'l-get']],
    [null, 'other', ['d-any']],
    [null, 'constructor', ['d-any']],
    [null, '', ['d-any']],
  ] as const) {
    test(`${server}/${name}`, () => {
      for (let again = 0; again < 2; again++) expect(rules.forTool(server, name).map((rule) => rule.id)).toEqual(expected)
    })
  }

  test('two thousand rules over a hundred tools leave each tool its own twenty', () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `{ tool: tool_${i % 100}, argument_contains: "x${i}", reason: r }`)
    const many = policy(`rules: { deny: [${lines.join(', ')}] }`).rules
    expect(many.all).toHaveLength(2_000)
    expect(many.forTool(null, 'tool_7')).toHaveLength(20)
    expect(many.forTool(null, 'tool_7')).toBe(many.forTool(null, 'tool_7'))
    expect(many.forTool(null, 'unknown')).toEqual([])
  })

  test('names from outside do not fill the memory without bound', () => {
    const found = new Set(Array.from({ length: 10_000 }, (_, i) => rules.forTool(null, `n${i}`).length))
    expect([...found]).toEqual([1])
    expect(rules.forTool(null, 'pay')).toHaveLength(4)
  })
})

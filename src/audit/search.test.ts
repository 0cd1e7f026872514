import { describe, expect, test } from 'vitest'
import { instantOf, parseSearch } from './search.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')

describe('what a person types becomes a query', () => {
  test('fields, words and phrases', () => {
    const cases: [string, object][] = [
      ['', {}],
      ['   ', {}],
      ['curl', { text: 'curl' }],
      ['decision:deny tool:Bash', { decision: 'deny', tool: 'Bash' }],
      ['tool:"mcp server tool" x', { tool: 'mcp server tool', text: 'x' }],
      ['rm -rf "My Documents"', { text: 'rm -rf My Documents' }],
      [
        'session:s-1 tenant:acme code:rules.denied kind:approval',
        { session: 's-1', tenant: 'acme', code: 'rules.denied', kind: 'approval' },
      ],
      ['https://example.com/a:b', { text: 'https://example.com/a:b' }],
      ['would:deny', { would: 'deny' }],
      ['constructor:x __proto__:y', { text: 'constructor:x __proto__:y' }],
      ['tool:a:b', { tool: 'a:b' }],
      ['tool:"unclosed', { tool: '"unclosed' }],
    ]
    for (const [text, query] of cases) expect([text, parseSearch(text, NOW)]).toEqual([text, { query }])
  })

  test('ages and instants', () => {
    expect(parseSearch('since:24h until:2026-06-15T11:00:00Z', NOW)).toEqual({
      query: { since: NOW - 86_400_000, until: Date.parse('2026-06-15T11:00:00Z') },
    })
    const cases: [string, number | null][] = [
      ['0s', NOW],
      ['90s', NOW - 90_000],
      ['15m', NOW - 900_000],
      ['7d', NOW - 604_800_000],
      ['2w', NOW - 1_209_600_000],
      ['2026-06-01', Date.parse('2026-06-01T00:00:00Z')],
      ['yesterday', null],
      ['15', null],
      ['1y', null],
      ['-1h', null],
      ['2026-99-99', null],
      ['12345678901h', null],
    ]
    for (const [text, at] of cases) expect([text, instantOf(text, NOW)]).toEqual([text, at])
  })

  test('what means nothing is said', () => {
    expect(parseSearch('kind:other', NOW)).toEqual({
      problem: '`other` is no kind of record; there are decision, result, policy, approval, grant, session, note',
    })
    expect(parseSearch('since:tomorrow', NOW)).toEqual({
      problem: '`tomorrow` is neither an instant such as 2026-01-31T12:00:00Z nor an age such as 24h',
    })
  })
})

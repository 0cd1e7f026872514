import { describe, expect, test } from 'vitest'
import { rateOf } from '../src/replay/rate.ts'
import { callsTable, interrupting, labelsTable, type Shown, sessionsTable } from './evaluate-tables.ts'

function shown(rates: readonly (readonly [name: string, hits: number, of: number])[], more: Partial<Shown> = {}): Shown {
  return {
    calls: 10,
    rates: rates.map(([name, hits, of]) =>
      rateOf(
        name,
        Array.from({ length: of }, (_, at) => ({ hits: at < hits ? 1 : 0, of: 1 })),
      ),
    ),
    asksPerBenignSession: null,
    undescribed: 0,
    interrupting: [],
    ...more,
  }
}

describe('tables of docs/evaluation.md', () => {
  test('calls: both ends of a set stand in one row, with counts and intervals; a rate that was not measured is a dash', () => {
    const set = shown([
      ['attack calls executed (unattended: an ask does not run)', 1, 4],
      ['benign calls asked', 0, 6],
      ['all calls: denied', 3, 10],
    ])
    const lines = callsTable([['mine', set]]).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[2]).toMatch(/^\| mine \| 10 \| 1 of 4: 25\.0 % \[[\d.]+ % – [\d.]+ %\] \| – \| 0 of 6: 0\.0 % \[.*\] \| – \| – \| – \|$/)
    expect(lines[0]?.split('|')).toHaveLength(lines[2]?.split('|').length ?? 0)
  })

  test('calls: of an attack whose calls are not all harmful, the harmful ones count', () => {
    const set = shown([
      ['attack calls executed (unattended: an ask does not run)', 5, 10],
      ['harmful calls executed (unattended)', 1, 10],
    ])
    expect(callsTable([['mine', set]])).toContain('| mine | 10 | 1 of 10: 10.0 %')
  })

  test('labels: one row a source; rows of undescribed worlds are in none, and are counted', () => {
    const set = shown(
      [
        ['dcg: must-gate silently allowed', 1, 20],
        ['dcg: must-allow interrupted', 2, 5],
        ['dcg (world not described): must-gate silently allowed', 9, 9],
      ],
      { undescribed: 9, interrupting: [{ rule: 'hazard.x', verdict: 'ask', calls: 2 }] },
    )
    const text = labelsTable(set)
    expect(text).toContain('| dcg | 1 of 20 (5.00 %) | – | 2 of 5 (40.0 %) | – |')
    expect(text).not.toContain('world not described)')
    expect(text).toContain('9 rows depend on a world that they do not describe')
    expect(text).toContain('by rule: `hazard.x` 2.')
  })

  test('sessions: one row a kind of session; asks stand once for the set', () => {
    const set = shown(
      [
        ['sessions `attack_success`: stopped (no attack call ran unattended)', 3, 4],
        ['sessions `benign`: untouched (no ask, no denial)', 2, 2],
      ],
      { asksPerBenignSession: 0.5 },
    )
    const lines = sessionsTable([['attack', set]]).split('\n')
    expect(lines[2]).toMatch(/^\| attack, `attack_success` \| 3 of 4: 75\.0 % .* \| – \| – \| 0\.50 \|$/)
    expect(lines[3]).toMatch(/^\| attack, `benign` \| – \| 2 of 2: 100\.0 % .* \| – \| {2}\|$/)
  })

  test('the rules that interrupted most are named, the others counted', () => {
    const rules = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((rule, at) => ({ rule, verdict: 'ask', calls: 9 - at }))
    expect(interrupting({ interrupting: rules })).toBe(
      'Interrupted by mistake, by rule: `a` 9, `b` 8, `c` 7, `d` 6, `e` 5, and 2 other rules.',
    )
    expect(interrupting({ interrupting: [] })).toBe('')
  })
})

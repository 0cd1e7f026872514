import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Finding, ResolverKind } from './finding.ts'
import { type Answer, applyAnswers, openAsks } from './resolve.ts'
import { compare, type Outcome, VERDICTS, type Verdict } from './verdict.ts'

const finding = (verdict: Verdict, resolvers: readonly ResolverKind[] = ['human']): Finding => ({
  layer: 'l',
  rule: 'r',
  verdict,
  code: 'rules.asked',
  message: 'm',
  advice: null,
  evidence: {},
  resolvers,
})
const answer = (index: number, by: ResolverKind, verdict: Outcome): Answer => ({
  index,
  resolution: { by, id: 'x', verdict, reason: '', evidence: {} },
})

describe('resolution', () => {
  proves('P2', 'no answer of anybody lifts a deny or a halt', () => {
    const findings = fc.array(
      fc.constantFrom(...VERDICTS).map((verdict) => finding(verdict, ['grant', 'judge', 'human'])),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(findings, (all) => {
        const answers = all.flatMap((_, index) => (['grant', 'judge', 'human'] as const).map((by) => answer(index, by, 'allow')))
        const floor = all.reduce<Verdict>((max, { verdict }) => (verdict !== 'ask' && compare(verdict, max) > 0 ? verdict : max), 'allow')
        return compare(applyAnswers(all, answers), floor) >= 0
      }),
    )
  })

  proves('P4', 'an ask without an answer, or with one from somebody not entitled, stays an ask', () => {
    const asks = [finding('allow'), finding('ask', ['human']), finding('ask', ['judge', 'human'])]
    expect(openAsks(asks).map((ask) => ask.index)).toEqual([1, 2])
    const cases: readonly (readonly [readonly Answer[], Outcome])[] = [
      [[], 'ask'],
      [[answer(2, 'judge', 'allow')], 'ask'],
      [[answer(1, 'judge', 'allow'), answer(2, 'judge', 'allow')], 'ask'],
      [[answer(1, 'human', 'allow'), answer(2, 'judge', 'allow')], 'allow'],
      [[answer(1, 'human', 'flag'), answer(2, 'judge', 'allow')], 'flag'],
      [[answer(1, 'human', 'allow'), answer(2, 'judge', 'deny')], 'deny'],
      [[answer(1, 'human', 'allow'), answer(1, 'human', 'deny'), answer(2, 'human', 'allow')], 'deny'],
      [[answer(1, 'human', 'halt'), answer(2, 'human', 'allow')], 'halt'],
    ]
    for (const [answers, expected] of cases) expect(applyAnswers(asks, answers)).toBe(expected)
  })
})

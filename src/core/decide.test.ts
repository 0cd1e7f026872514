import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { type BoundLayer, decide } from './decide.ts'
import type { Finding } from './finding.ts'
import { applyAnswers, openAsks } from './resolve.ts'
import { compare, VERDICTS, type Verdict } from './verdict.ts'

const finding = (verdict: Verdict, rule = 'r'): Finding => ({
  layer: 'l',
  rule,
  verdict,
  code: 'rules.asked',
  message: rule,
  advice: null,
  evidence: {},
  resolvers: verdict === 'ask' ? ['human'] : [],
})

const layer = (...verdicts: readonly Verdict[]): BoundLayer<null> => ({
  name: 'l',
  enforcement: null,
  onError: 'ask',
  evaluate: () => verdicts.map((verdict) => finding(verdict)),
})

const throwing = (onError: 'ask' | 'deny'): BoundLayer<null> => ({
  name: 'broken',
  enforcement: null,
  onError,
  evaluate: () => {
    throw new Error('boom')
  },
})

const layers = fc.array(fc.array(fc.constantFrom(...VERDICTS), { maxLength: 4 }), { maxLength: 5 })
const verdictOf = (all: readonly (readonly Verdict[])[], fallback: 'ask' | 'deny' = 'ask') =>
  decide(
    null,
    all.map((verdicts) => layer(...verdicts)),
    fallback,
  ).verdict

describe('decide', () => {
  proves(['P1', 'T14'], 'without a permit the default joins in, and it is a constant', () => {
    for (const fallback of ['ask', 'deny'] as const) {
      expect(verdictOf([], fallback)).toBe(fallback)
      expect(verdictOf([['flag']], fallback)).toBe(fallback)
      expect(verdictOf([['abstain']], fallback)).toBe(fallback)
      expect(verdictOf([['allow']], fallback)).toBe('allow')
    }
    fc.assert(
      fc.property(layers, fc.constantFrom('ask' as const, 'deny' as const), (all, fallback) => {
        const permits = all.some((verdicts) => verdicts.includes('allow'))
        return permits || compare(verdictOf(all, fallback), fallback) >= 0
      }),
    )
  })

  proves('P1', 'a yes of a grant, or of a judge, alone is no leave where the default is deny', () => {
    const rule = (resolvers: Finding['resolvers']): BoundLayer<null> => ({
      ...layer(),
      evaluate: () => [{ ...finding('ask'), layer: 'rules', evidence: { kind: 'ask' }, resolvers }],
    })
    const outcome = (resolvers: Finding['resolvers'], ...by: Finding['resolvers']) => {
      const { findings } = decide(null, [rule(resolvers)], 'deny')
      const answers = openAsks(findings).flatMap(({ index }) =>
        by.map((who) => ({ index, resolution: { by: who, id: 'x', verdict: 'allow' as const, reason: '', evidence: {} } })),
      )
      return applyAnswers(findings, answers)
    }
    expect(outcome(['grant'], 'grant')).toBe('deny')
    expect(outcome(['judge'], 'judge')).toBe('deny')
    expect(outcome(['grant', 'human'], 'grant')).toBe('ask')
    expect(outcome(['grant', 'judge', 'human'], 'grant', 'judge')).toBe('ask')
    expect(outcome(['grant', 'human'], 'human')).toBe('allow')
  })

  proves(['P2', 'SIG-33'], 'a deny stands whatever else is found, before or after it', () => {
    fc.assert(
      fc.property(
        layers,
        (all) => compare(verdictOf([...all, ['deny']]), 'deny') >= 0 && compare(verdictOf([['deny'], ...all]), 'deny') >= 0,
      ),
    )
    expect(verdictOf([['ask'], ['deny']])).toBe('deny')
  })

  proves(['P3', 'SIG-32'], 'the order of layers and rules changes nothing; an ask or deny never lowers', () => {
    fc.assert(
      fc.property(layers, fc.integer(), (all, seed) => {
        const shuffled = all
          .map((verdicts) => verdicts.toReversed())
          .toSorted((a, b) => ((a.length * 31 + seed) % 7) - ((b.length * 31 + seed) % 7))
        return verdictOf(all) === verdictOf(shuffled) && verdictOf(all) === verdictOf(all.toReversed())
      }),
    )
    fc.assert(
      fc.property(
        layers,
        fc.constantFrom('ask' as const, 'deny' as const),
        (all, more) => compare(verdictOf([...all, [more]]), verdictOf(all)) >= 0,
      ),
    )
    fc.assert(
      fc.property(
        layers,
        (all) => all.length === 0 || compare(verdictOf(all.map((v) => v.filter((x) => x !== 'allow'))), verdictOf(all)) >= 0,
      ),
    )
  })

  proves(['P4', 'T13', 'PIT-12'], 'a layer that throws is a violation at its own level, never silence', () => {
    for (const onError of ['ask', 'deny'] as const) {
      const { verdict, findings } = decide(null, [layer('allow'), throwing(onError)], 'ask')
      expect(verdict).toBe(onError)
      expect(findings.map((found) => found.code)).toContain('infra.layer_error')
    }
    fc.assert(
      fc.property(layers, (all) => {
        const bound = all.map((verdicts) => layer(...verdicts))
        return compare(decide(null, [...bound, throwing('ask')], 'ask').verdict, decide(null, bound, 'ask').verdict) >= 0
      }),
    )
  })

  test('a layer is bound at a level of its own; permits and halts keep their verdict', () => {
    const cases: readonly (readonly [Verdict, Verdict])[] = [
      ['ask', 'deny'],
      ['deny', 'deny'],
      ['flag', 'deny'],
      ['allow', 'allow'],
      ['halt', 'halt'],
    ]
    for (const [given, expected] of cases) {
      const { findings } = decide(null, [{ ...layer(given), enforcement: 'hard' }], 'ask')
      expect(findings[0]?.verdict).toBe(expected)
    }
    expect(decide(null, [{ ...layer('deny', 'allow'), enforcement: 'advisory' }], 'ask').verdict).toBe('flag')
  })

  test('the determining findings are those that carry the verdict', () => {
    const { determining, findings } = decide(null, [layer('allow', 'ask'), layer('ask', 'flag')], 'deny')
    expect(determining.map((index) => findings[index]?.verdict)).toEqual(['ask', 'ask'])
  })
})

/** The score of a run: bounded, fading, and not to be paid off with innocent calls. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_STEPS, type RiskStep, scoreOf, withoutQuestion, withStep } from './risk.ts'

const HOUR = 3_600_000
const FADING = { now: 0, halfLife: HOUR / 2, liftedAt: -2 * HOUR }

const step = (verdict: RiskStep['verdict'], at = 0, because = 'hazard.destruction'): RiskStep => ({ step: 1, at, verdict, because })
const anyStep = fc.record({
  step: fc.nat(1_000),
  at: fc.nat(10 * HOUR),
  verdict: fc.constantFrom('flag' as const, 'ask' as const, 'deny' as const, 'halt' as const),
  because: fc.constantFrom('hazard.destruction', 'contract.field', 'infra.internal'),
})

describe('a score', () => {
  test.each([
    ['nothing', [], 0],
    ['a flag', [step('flag')], 0.04],
    ['a question', [step('ask')], 0.1],
    ['a denial', [step('deny')], 0.25],
    ['a mistake of form', [step('deny', 0, 'contract.field')], 0.04],
    ['three denials', [step('deny'), step('deny'), step('deny')], 0.578],
    ['a denial half an hour ago', [step('deny', -HOUR / 2)], 0.125],
    ['a denial before a person let it go on', [step('deny', -2 * HOUR)], 0],
  ])('%s', (_name, steps, score) => {
    expect(scoreOf(steps, FADING)).toBe(score)
  })

  test('is from 0 to 1, the same in any order, never less for one more step, never more later', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: MAX_STEPS }), anyStep, fc.nat(HOUR), (steps, more, later) => {
        const fading = { now: 10 * HOUR, halfLife: HOUR / 2, liftedAt: -1 }
        const score = scoreOf(steps, fading)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        expect(scoreOf(steps.toReversed(), fading)).toBeCloseTo(score, 2)
        expect(scoreOf([...steps, more], fading)).toBeGreaterThanOrEqual(score)
        expect(scoreOf(steps, { ...fading, now: fading.now + later })).toBeLessThanOrEqual(score)
      }),
    )
  })
})

test('a yes takes back the newest question, and nothing else', () => {
  const steps = [step('ask', 1), step('deny', 2), step('ask', 3), step('flag', 4)]
  expect(withoutQuestion(steps).map(({ at }) => at)).toEqual([1, 2, 4])
  expect(withoutQuestion([step('deny')])).toEqual([step('deny')])
})

test('what is remembered is bounded, and a thousand flags push no denial out', () => {
  let steps: readonly RiskStep[] = [step('deny'), step('deny'), step('halt')]
  for (let at = 1; at <= 1_000; at += 1) steps = withStep(steps, step('flag', at))
  expect(steps).toHaveLength(MAX_STEPS)
  expect(steps.filter(({ verdict }) => verdict !== 'flag')).toHaveLength(3)
})

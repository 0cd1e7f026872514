import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { JUDGE_DEFAULTS } from '../policy/judges.ts'
import { rulingOf, type Thresholds } from './accept.ts'
import type { Gradient, Signal } from './answer.ts'

const gradient = (score: number, confidence: number, signals: readonly Signal[] = []): Gradient => ({
  score,
  confidence,
  reasoning: 'why',
  signals,
})
const least = (minScore: number, minConfidence: number, veto: Thresholds['veto'] = new Map()): Thresholds => ({
  minScore,
  minConfidence,
  veto,
})
const signal = (category: string, score: number): Signal => ({ category, score, message: '' })

describe('thresholds', () => {
  proves(['AEG-9a', 'AEG-9b', 'AEG-9c', 'AEG-9d'], 'score and confidence accept at their least value, and not below it', () => {
    const cases: readonly (readonly [number, number, number, number, string])[] = [
      [0.92, 0.88, 0.85, 0, 'allow'],
      [0.85, 0.88, 0.85, 0, 'allow'],
      [0.84, 0.88, 0.85, 0, 'deny'],
      [0.92, 0.5, 0.85, 0.6, 'deny'],
      [0.92, 0.6, 0.85, 0.6, 'allow'],
      [0, 0, 0, 0, 'allow'],
      [1, 1, 1, 1, 'allow'],
      [0.7, 0, JUDGE_DEFAULTS.minScore, JUDGE_DEFAULTS.minConfidence, 'allow'],
      [0.6999, 1, JUDGE_DEFAULTS.minScore, JUDGE_DEFAULTS.minConfidence, 'deny'],
    ]
    for (const [score, confidence, minScore, minConfidence, expected] of cases) {
      const ruling = rulingOf({ gradient: gradient(score, confidence), risk: null }, least(minScore, minConfidence))
      expect(ruling.verdict, `${score}/${confidence} under ${minScore}/${minConfidence}`).toBe(expected)
      expect(ruling.reason).toContain('why')
    }
  })

  test('a veto looks past the mean: a missing, a low or one of two signals rejects', () => {
    const veto = new Map([['execution_safety', 0.5]])
    const cases: readonly (readonly [readonly Signal[], string])[] = [
      [[signal('execution_safety', 0)], 'deny'],
      [[signal('execution_safety', 0.49)], 'deny'],
      [[signal('execution_safety', 0.5)], 'allow'],
      [[signal('execution_safety', 1)], 'allow'],
      [[signal('execution_safety', 1), signal('execution_safety', 0.1)], 'deny'],
      [[signal('policy_adherence', 1)], 'deny'],
      [[signal('Execution_Safety', 1)], 'deny'],
      [[], 'deny'],
    ]
    for (const [signals, expected] of cases) {
      expect(rulingOf({ gradient: gradient(0.9, 1, signals), risk: null }, least(0.85, 0, veto)).verdict).toBe(expected)
    }
    const risk = { level: 'low', category: null, reason: 'fine' } as const
    expect(rulingOf({ gradient: null, risk }, least(0.85, 0, veto)).verdict).toBe('deny')
  })

  test('levels of risk are verdicts, and of two forms the worse holds', () => {
    const cases = [
      ['low', null, 'allow'],
      ['medium', 'scope_violation', 'flag'],
      ['high', 'data_exposure', 'deny'],
      ['critical', 'destructive_operation', 'halt'],
    ] as const
    for (const [level, category, expected] of cases) {
      const risk = { level, category, reason: 'so' }
      expect(rulingOf({ gradient: null, risk }, least(0.7, 0)).verdict).toBe(expected)
      expect(rulingOf({ gradient: gradient(1, 1), risk }, least(0.7, 0)).verdict).toBe(expected)
      expect(rulingOf({ gradient: gradient(0, 1), risk }, least(0.7, 0)).verdict).toBe(expected === 'halt' ? 'halt' : 'deny')
    }
  })
})

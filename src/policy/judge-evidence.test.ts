import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDigester } from '../core/digest.ts'
import { sha256 } from './file.ts'
import { type Calibration, calibrated, judgeDigest, readEvidence } from './judge-evidence.ts'
import type { JudgePolicy } from './judges.ts'
import { policy } from './testing/compiled.ts'

const WHOLE = {
  schema: 'countersign/judge-evidence/v1',
  judge: { name: 'j', digest: 'sha256:a' },
  data: { digest: 'sha256:b', attacks: 3, benign: 4, unanswered: 1 },
  thresholds: { recall: 0.5, false_positive_rate: 0.01, min_score: 0.9, min_confidence: 0.2 },
  raw_thresholds: { min_score: 0.8, min_confidence: 0.1 },
  calibration: { method: 'platt', intercept: -1, slopes: [2, 0], steps: [] },
}

describe('evidence of a judge', () => {
  test('is read whole', () => {
    expect(readEvidence(JSON.stringify(WHOLE))).toEqual({
      judge: 'j',
      judgeDigest: 'sha256:a',
      dataDigest: 'sha256:b',
      attacks: 3,
      benign: 4,
      unanswered: 1,
      recall: 0.5,
      falsePositives: 0.01,
      minScore: 0.9,
      minConfidence: 0.2,
      raw: { minScore: 0.8, minConfidence: 0.1 },
      calibration: { method: 'platt', intercept: -1, slopes: [2, 0], steps: [] },
    })
    expect(readEvidence(JSON.stringify({ ...WHOLE, calibration: null }))).toMatchObject({ calibration: null })
  })

  const calibration = (change: object) => ({ ...WHOLE, calibration: { ...WHOLE.calibration, ...change } })
  for (const [name, file, message] of [
    ['no JSON', '{', 'not one JSON object'],
    ['two keys of one name', '{"schema":1,"schema":1}', 'not one JSON object'],
    ['a list', [], 'no `countersign/judge-evidence/v1`'],
    ['of another version', { ...WHOLE, schema: 'countersign/judge-evidence/v2' }, 'no `countersign/judge-evidence/v1`'],
    ['of no judge', { ...WHOLE, judge: { name: 'j' } }, 'which judge'],
    ['of no data', { ...WHOLE, data: { ...WHOLE.data, digest: 7 } }, 'which judge'],
    ['half a call', { ...WHOLE, data: { ...WHOLE.data, benign: 1.5 } }, 'counts'],
    ['fewer than no calls', { ...WHOLE, data: { ...WHOLE.data, attacks: -1 } }, 'counts'],
    ['a share above 1', { ...WHOLE, thresholds: { ...WHOLE.thresholds, recall: 1.2 } }, 'thresholds'],
    ['no thresholds', { ...WHOLE, thresholds: null }, 'thresholds'],
    ['no raw thresholds', { ...WHOLE, raw_thresholds: {} }, 'thresholds'],
    ['another method', calibration({ method: 'magic' }), 'neither `platt` nor `isotonic`'],
    ['one slope', calibration({ slopes: [1] }), 'two slopes'],
    ['a text as intercept', calibration({ intercept: '0' }), 'intercept'],
    ['a slope that turns scores round', calibration({ slopes: [-1, 0] }), 'below 0'],
    ['steps of Platt', calibration({ steps: [[0, 0.5]] }), 'has steps and is not'],
    ['isotonic without steps', calibration({ method: 'isotonic' }), 'has no steps'],
    [
      'steps that go down',
      calibration({
        method: 'isotonic',
        steps: [
          [0, 0.5],
          [1, 0.4],
        ],
      }),
      'do not ascend',
    ],
    [
      'steps at one place',
      calibration({
        method: 'isotonic',
        steps: [
          [0, 0.5],
          [0, 0.6],
        ],
      }),
      'do not ascend',
    ],
    ['a step that is no share', calibration({ method: 'isotonic', steps: [[0, 1.5]] }), 'do not ascend'],
    ['steps that are none', calibration({ method: 'isotonic', steps: { length: 1 } }), 'do not ascend'],
  ] as const) {
    test(`refused: ${name}`, () => expect(readEvidence(typeof file === 'string' ? file : JSON.stringify(file))).toContain(message))
  }
})

describe('calibrated scores', () => {
  const platt: Calibration = { method: 'platt', intercept: -2, slopes: [4, 2], steps: [] }
  const steps: Calibration = {
    method: 'isotonic',
    intercept: 0,
    slopes: [1, 0],
    steps: [
      [0.2, 0.1],
      [0.4, 0.5],
      [0.6, 0.5],
      [0.8, 0.9],
    ],
  }
  for (const [name, calibration, score, confidence, probability] of [
    ['the middle of a curve', platt, 0.5, 1, 0.5],
    ['a good score, sure', platt, 1, 1, 1 / (1 + Math.exp(-3))],
    ['a good score, unsure', platt, 1, 0, 1 / (1 + Math.exp(-2))],
    ['below the first step', steps, 0, 1, 0.1],
    ['on a step', steps, 0.4, 1, 0.5],
    ['between two steps', steps, 0.3, 1, 0.3],
    ['on a flat stretch', steps, 0.5, 1, 0.5],
    ['above the last step', steps, 1, 1, 0.9],
  ] as const) {
    test(name, () => expect(calibrated(calibration, score, confidence)).toBeCloseTo(probability, 12))
  }

  test('never leave 0 to 1, and never fall as the score rises', () => {
    const number = fc.double({ min: -50, max: 50, noNaN: true })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(number, fc.tuple(share, share), fc.tuple(share, share, share), (intercept, [a, b], [one, two, confidence]) => {
        const calibration: Calibration = { method: 'platt', intercept, slopes: [a * 50, b * 50], steps: [] }
        const [low, high] = [Math.min(one, two), Math.max(one, two)].map((score) => calibrated(calibration, score, confidence))
        return low !== undefined && high !== undefined && low >= 0 && high <= 1 && low <= high
      }),
    )
  })
})

describe('what evidence is bound to', () => {
  const digestOf = (fields: string, more = ''): string => {
    const { named } = policy(`judges:\n  j: { provider: openai, model: m, ${fields} }\n${more}`).judges
    return judgeDigest(named.get('j') as JudgePolicy, named, createDigester(sha256))
  }
  const plain = digestOf('criteria: a')

  for (const fields of [
    'criteria: b',
    'criteria: a, url: "https://judge.example.com/"',
    'criteria: a, recent_calls: 2',
    'criteria: a, max_payload_bytes: 20000',
  ]) {
    test(`another judge: ${fields}`, () => expect(digestOf(fields)).not.toBe(plain))
  }
  for (const fields of [
    'criteria: a, min_score: 0.9',
    'criteria: a, min_confidence: 0.5',
    'criteria: a, timeout_seconds: 3',
    'criteria: a, resolves: [hazard]',
    'criteria: a, permits: any',
  ]) {
    test(`the same judge: ${fields}`, () => expect(digestOf(fields)).toBe(plain))
  }

  test('a tribunal is another one where a member is', () => {
    const tribunal = (model: string) => {
      const { named } = policy(`judges:
  a: { provider: openai, model: ${model} }
  b: { provider: anthropic, model: claude }
  t: { provider: tribunal, judges: [a, b] }`).judges
      return judgeDigest(named.get('t') as JudgePolicy, named, createDigester(sha256))
    }
    expect(tribunal('gpt-1')).toBe(tribunal('gpt-1'))
    expect(tribunal('gpt-1')).not.toBe(tribunal('gpt-2'))
  })
})

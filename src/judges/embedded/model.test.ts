import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { type Features, hashOf } from './features.ts'
import { assess, loadModel, type ModelData } from './model.ts'
import { WEIGHTS } from './weights.ts'

const base64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes))
const little = (hash: number): readonly number[] => [hash & 255, (hash >>> 8) & 255, (hash >>> 16) & 255, hash >>> 24]

/** `delete` weighs 2, `read` nothing, both known; the text `7` weighs 0.5. */
const SMALL: ModelData = {
  name: 'test',
  bias: -1,
  scales: [0.02, 0.005],
  named: 2,
  hashes: base64([...little(hashOf('delete')), ...little(hashOf('read')), ...little(7)]),
  weights: base64([100, 0, 100]),
  calibration: { method: 'platt', intercept: 0, slopes: [1, 0], steps: [] },
}
const features = (named: readonly string[], text: readonly number[] = []): Features => ({
  named: new Map(named.map((name) => [hashOf(name), name])),
  text: new Set(text),
})

describe('the statistical judge', () => {
  const model = loadModel(SMALL)
  for (const [name, given, expected] of [
    ['nothing is known of it', features([]), { risk: -1, confidence: 0, reasons: [] }],
    ['one that weighs', features(['delete']), { risk: 1, confidence: 1, reasons: ['delete'] }],
    ['one that is known and weighs nothing', features(['read']), { risk: -1, confidence: 1, reasons: [] }],
    ['half of it is not known', features(['delete', 'sing']), { risk: 1, confidence: 0.5, reasons: ['delete'] }],
    ['text weighs, too, but is no reason', features(['read'], [7, 8]), { risk: -0.5, confidence: 1, reasons: [] }],
    ['all of it', features(['delete', 'read'], [7]), { risk: 1.5, confidence: 1, reasons: ['delete'] }],
  ] as const) {
    test(name, () => {
      const { risk, confidence, reasons, score } = assess(model, given)
      expect(risk).toBeCloseTo(expected.risk, 6)
      expect({ confidence, reasons }).toEqual({ confidence: expected.confidence, reasons: expected.reasons })
      expect(score).toBeCloseTo(1 / (1 + Math.exp(expected.risk)), 6)
    })
  }

  test('data that does not fit together is refused', () => {
    expect(() => loadModel({ ...SMALL, weights: base64([1]) })).toThrow(RangeError)
    expect(() => loadModel({ ...SMALL, named: 4 })).toThrow(RangeError)
  })
})

describe('the weights that ship', () => {
  const model = loadModel(WEIGHTS)
  const hashes = atob(WEIGHTS.hashes)
  const known = Array.from({ length: hashes.length / 4 }, (_, at) => {
    return (
      (hashes.charCodeAt(4 * at) |
        (hashes.charCodeAt(4 * at + 1) << 8) |
        (hashes.charCodeAt(4 * at + 2) << 16) |
        (hashes.charCodeAt(4 * at + 3) << 24)) >>>
      0
    )
  })

  test('are small, many, and each known once', () => {
    expect(known.length).toBeGreaterThan(500)
    expect(new Set(known).size).toBeGreaterThan(known.length - 3)
    expect(WEIGHTS.hashes.length + WEIGHTS.weights.length).toBeLessThan(200_000)
    expect(WEIGHTS.name).toMatch(/^embedded\/1-[0-9a-f]{12}$/)
  })

  proves('T50', 'nothing that is added to a call makes it look safer: no weight is below zero', () => {
    expect(model.values.every((value) => value >= 0)).toBe(true)
    const some = fc.uniqueArray(fc.constantFrom(...known), { maxLength: 30 })
    const of = (named: readonly number[], text: readonly number[]): Features => ({
      named: new Map(named.map((hash) => [hash, ''])),
      text: new Set(text),
    })
    fc.assert(
      fc.property(some, some, some, some, (named, text, more, other) => {
        const before = assess(model, of(named, text))
        const after = assess(model, of([...named, ...more], [...text, ...other]))
        return after.risk >= before.risk - 1e-5 && after.score <= before.score + 1e-6
      }),
    )
  })
})

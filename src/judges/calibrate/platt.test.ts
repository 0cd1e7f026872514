import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrated } from '../../policy/judge-evidence.ts'
import { fitPlatt, plattCalibration, plattGradient } from './platt.ts'
import type { Sample } from './sample.ts'

const sample = (score: number, benign: boolean, confidence = 1): Sample => ({ score, benign, confidence, group: 'g' })
const repeat = (count: number, each: Sample): readonly Sample[] => Array.from({ length: count }, () => each)

describe("Platt's fit", () => {
  test('without anything to tell calls apart it is the smoothed share of benign ones', () => {
    // Three benign calls and one attack at one score: targets 4/5 and 1/3, mean (3 · 4/5 + 1/3) / 4 = 41/60.
    const fit = fitPlatt([...repeat(3, sample(0.5, true, 0)), sample(0.5, false, 0)])
    expect(calibrated(plattCalibration(fit), 0.5, 0)).toBeCloseTo(41 / 60, 6)
  })

  test('two scores and one column are fitted exactly: each gets the mean of its targets', () => {
    // Targets 7/8 of benign (6), 1/8 of attacks (6). At 0: 2 benign, 4 attacks; at 1: 4 benign, 2 attacks.
    const given = [
      ...repeat(2, sample(0, true, 0)),
      ...repeat(4, sample(0, false, 0)),
      ...repeat(4, sample(1, true, 0)),
      ...repeat(2, sample(1, false, 0)),
    ]
    const calibration = plattCalibration(fitPlatt(given))
    expect(calibrated(calibration, 0, 0)).toBeCloseTo((2 * (7 / 8) + 4 * (1 / 8)) / 6, 5)
    expect(calibrated(calibration, 1, 0)).toBeCloseTo((4 * (7 / 8) + 2 * (1 / 8)) / 6, 5)
  })

  test('a judge that is wrong more often than right is not believed the other way round', () => {
    const fit = fitPlatt([...repeat(9, sample(0.1, true)), sample(0.9, true), ...repeat(9, sample(0.9, false)), sample(0.1, false)])
    expect(fit.slopes).toEqual([0, 0])
    const calibration = plattCalibration(fit)
    expect(calibrated(calibration, 0.1, 1)).toBeCloseTo(calibrated(calibration, 0.9, 1), 12)
  })

  test('confidence counts where it tells something', () => {
    const sure = [...repeat(20, sample(0.9, true, 1)), ...repeat(20, sample(0.1, false, 1))]
    const unsure = [
      ...repeat(10, sample(0.9, true, 0)),
      ...repeat(10, sample(0.9, false, 0)),
      ...repeat(10, sample(0.1, true, 0)),
      ...repeat(10, sample(0.1, false, 0)),
    ]
    const calibration = plattCalibration(fitPlatt([...sure, ...unsure]))
    expect(calibrated(calibration, 0.9, 1)).toBeGreaterThan(0.9)
    expect(calibrated(calibration, 0.9, 0)).toBeLessThan(0.65)
    expect(calibrated(calibration, 0.1, 1)).toBeLessThan(0.1)
  })

  test('weights are repetitions', () => {
    const weighted = fitPlatt([
      { ...sample(0.2, false), weight: 3 },
      { ...sample(0.7, true), weight: 2 },
      { ...sample(0.6, false), weight: 1 },
      { ...sample(0.3, true), weight: 1 },
    ])
    const repeated = fitPlatt([...repeat(3, sample(0.2, false)), ...repeat(2, sample(0.7, true)), sample(0.6, false), sample(0.3, true)])
    expect(weighted.intercept).toBeCloseTo(repeated.intercept, 6)
    expect(weighted.slopes[0]).toBeCloseTo(repeated.slopes[0], 6)
    expect(weighted.slopes[1]).toBeCloseTo(repeated.slopes[1], 6)
  })

  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const cloud = fc.array(fc.record({ score: share, confidence: share, benign: fc.boolean(), group: fc.constant('g') }), {
    minLength: 1,
    maxLength: 40,
  })

  test('at the optimum the gradient is zero along what is free, and points inward where a slope is held', () => {
    fc.assert(
      fc.property(cloud, (given) => {
        const fit = fitPlatt(given)
        const [intercept, a, b] = plattGradient(given, fit)
        const held = (slope: number, gradient: number) => (slope > 0 ? Math.abs(gradient) < 1e-4 : gradient > -1e-4)
        return Math.abs(intercept) < 1e-4 && held(fit.slopes[0], a) && held(fit.slopes[1], b)
      }),
    )
  })

  test('a better score is never a worse probability, at any confidence', () => {
    fc.assert(
      fc.property(cloud, share, share, (given, one, confidence) => {
        const calibration = plattCalibration(fitPlatt(given))
        return calibrated(calibration, one, confidence) <= calibrated(calibration, 1, confidence) + 1e-12
      }),
    )
  })
})

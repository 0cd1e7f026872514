/** Platt and isotonic side by side, each judged on calls that it was not fitted to; folds never share a group. Pure. */
import { type Calibration, calibrated } from '../../policy/judge-evidence.ts'
import { logLoss } from './figures.ts'
import { isotonicCalibration } from './isotonic.ts'
import { fitPlatt, plattCalibration } from './platt.ts'
import type { Prediction, Sample } from './sample.ts'

export interface Crossfitted {
  /** Of the better method, fitted to all samples. */
  readonly calibration: Calibration
  /** By sample: what a fit without its fold told of it. */
  readonly told: readonly Prediction[]
  /** Log loss on unseen calls, of each method and of the raw scores. */
  readonly losses: { readonly platt: number; readonly isotonic: number; readonly raw: number }
  readonly folds: number
}

const MAX_FOLDS = 5

/** By sample the fold it is in: whole groups, the largest first, each to the fold that is lightest so far. */
export function foldsOf(groups: readonly string[], most = MAX_FOLDS): readonly number[] {
  const sizes = new Map<string, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const loads = Array.from({ length: Math.min(most, sizes.size) }, () => 0)
  const foldOf = new Map<string, number>()
  for (const [group, size] of [...sizes].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))) {
    const fold = loads.indexOf(Math.min(...loads))
    loads[fold] = (loads[fold] ?? 0) + size
    foldOf.set(group, fold)
  }
  return groups.map((group) => foldOf.get(group) ?? 0)
}

type Method = (samples: readonly Sample[]) => Calibration

const METHODS: Readonly<Record<Calibration['method'], Method>> = {
  platt: (samples) => plattCalibration(fitPlatt(samples)),
  isotonic: (samples) => isotonicCalibration(samples, fitPlatt(samples)),
}

/**
 * @param only this method, however good the other is.
 * @throws {RangeError} without benign calls and attacks in at least two groups: nothing could be judged on unseen calls.
 */
export function crossfit(samples: readonly Sample[], only?: Calibration['method']): Crossfitted {
  const kinds = new Set(samples.map(({ benign }) => benign))
  const folds = foldsOf(samples.map(({ group }) => group))
  const count = new Set(folds).size
  if (kinds.size < 2 || count < 2) throw new RangeError('calibration needs benign calls and attacks, from at least two sessions or sources')
  const tellers = Object.fromEntries(Object.entries(METHODS).map(([name, method]) => [name, predictionsBy(method, samples, folds)]))
  const raw = samples.map(({ score, benign, weight }) => ({ probability: score, benign, weight: weight ?? 1 }))
  const losses = { platt: logLoss(tellers.platt ?? []) ?? 0, isotonic: logLoss(tellers.isotonic ?? []) ?? 0, raw: logLoss(raw) ?? 0 }
  const better = only ?? (losses.isotonic < losses.platt ? 'isotonic' : 'platt')
  return { calibration: METHODS[better](samples), told: tellers[better] ?? [], losses, folds: count }
}

function predictionsBy(method: Method, samples: readonly Sample[], folds: readonly number[]): readonly Prediction[] {
  const fits = new Map<number, Calibration>()
  return samples.map(({ score, confidence, benign, weight = 1 }, index) => {
    const fold = folds[index] ?? 0
    const known = fits.get(fold) ?? method(samples.filter((_, at) => folds[at] !== fold))
    fits.set(fold, known)
    return { probability: calibrated(known, score, confidence), benign, weight }
  })
}

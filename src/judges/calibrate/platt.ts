/**
 * Platt's fit: probability = logistic(intercept + a·s + b·(s − ½)·c), by Newton's method on the smoothed targets of Platt
 * (1999), with a and b at or above zero: a better score is never a worse call, however odd the data.
 */
import type { Calibration } from '../../policy/judge-evidence.ts'
import type { Sample } from './sample.ts'

/** Keeps the optimum unique where one column says nothing, and finite where the classes are apart. */
export const RIDGE = 1e-6

export interface PlattFit {
  readonly intercept: number
  readonly slopes: readonly [score: number, sure: number]
  /** What was minimised: weighted log loss against the smoothed targets, and the ridge. */
  readonly loss: number
}

interface Design {
  /** Per sample 1, s, (s − ½)·c. */
  readonly columns: readonly (readonly [number, number, number])[]
  readonly targets: readonly number[]
  readonly weights: readonly number[]
}

type Vector = readonly [number, number, number]

/** The best fit under the constraint: of the four ways to hold slopes at zero, the best whose slopes are none below it. */
export function fitPlatt(samples: readonly Sample[]): PlattFit {
  const design = designOf(samples)
  let best: PlattFit | null = null
  for (const free of [[0, 1, 2], [0, 1], [0, 2], [0]]) {
    const [intercept, a, b] = newton(design, free)
    if (a < 0 || b < 0) continue
    const loss = lossAt(design, [intercept, a, b])
    if (best === null || loss < best.loss) best = { intercept, slopes: [a, b], loss }
  }
  // Both slopes at zero is always among them.
  return best ?? { intercept: 0, slopes: [0, 0], loss: lossAt(design, [0, 0, 0]) }
}

/** As a policy's file holds it. */
export function plattCalibration({ intercept, slopes }: PlattFit): Calibration {
  return { method: 'platt', intercept, slopes, steps: [] }
}

/** The gradient of what is minimised, by intercept and slopes; zero at the optimum where no slope is held. */
export function plattGradient(samples: readonly Sample[], { intercept, slopes }: Pick<PlattFit, 'intercept' | 'slopes'>): Vector {
  return slopeOf(designOf(samples), [intercept, ...slopes]).gradient
}

function designOf(samples: readonly Sample[]): Design {
  const weights = samples.map(({ weight }) => weight ?? 1)
  const sum = (benign: boolean) => samples.reduce((total, each, at) => total + (each.benign === benign ? (weights[at] ?? 0) : 0), 0)
  const [high, low] = [(sum(true) + 1) / (sum(true) + 2), 1 / (sum(false) + 2)]
  return {
    columns: samples.map(({ score, confidence }) => [1, score, (score - 0.5) * confidence]),
    targets: samples.map(({ benign }) => (benign ? high : low)),
    weights,
  }
}

function lossAt({ columns, targets, weights }: Design, [intercept, a, b]: Vector): number {
  let loss = (RIDGE / 2) * (a ** 2 + b ** 2)
  for (const [at, [, x, y]] of columns.entries()) {
    const z = intercept + a * x + b * y
    // −t·log p − (1 − t)·log(1 − p), without overflow.
    loss += (weights[at] ?? 1) * (Math.max(z, 0) - (targets[at] ?? 0) * z + Math.log1p(Math.exp(-Math.abs(z))))
  }
  return loss
}

interface Slope {
  readonly gradient: Vector
  readonly hessian: readonly [Vector, Vector, Vector]
}

function slopeOf({ columns, targets, weights }: Design, [intercept, a, b]: Vector): Slope {
  const gradient: [number, number, number] = [0, RIDGE * a, RIDGE * b]
  const hessian: [[number, number, number], [number, number, number], [number, number, number]] = [
    [0, 0, 0],
    [0, RIDGE, 0],
    [0, 0, RIDGE],
  ]
  for (const [at, column] of columns.entries()) {
    const probability = 1 / (1 + Math.exp(-(intercept + a * column[1] + b * column[2])))
    const weight = weights[at] ?? 1
    const curve = weight * probability * (1 - probability)
    for (const i of [0, 1, 2] as const) {
      gradient[i] += weight * (probability - (targets[at] ?? 0)) * column[i]
      for (const j of [0, 1, 2] as const) hessian[i][j] += curve * column[i] * column[j]
    }
  }
  return { gradient, hessian }
}

const STEPS = 100

/** The minimum over the free coordinates, the others at zero. A step is halved until it lowers the loss. */
function newton(design: Design, free: readonly number[]): Vector {
  let at: Vector = [0, 0, 0]
  let loss = lossAt(design, at)
  for (let step = 0; step < STEPS; step++) {
    const { gradient, hessian } = slopeOf(design, at)
    const direction = solve(
      free.map((i) => free.map((j) => (hessian[i]?.[j] ?? 0) + (i === j ? 1e-12 : 0))),
      free.map((i) => gradient[i] ?? 0),
    )
    if (direction.every((each) => Math.abs(each) < 1e-12)) break
    let next = at
    let lower = loss
    for (let share = 1; share > 1e-9; share /= 2) {
      next = moved(at, { free, direction, share })
      lower = lossAt(design, next)
      if (lower < loss) break
    }
    if (!(lower < loss)) break
    ;[at, loss] = [next, lower]
  }
  return at
}

interface Move {
  readonly free: readonly number[]
  readonly direction: readonly number[]
  readonly share: number
}

function moved(at: Vector, { free, direction, share }: Move): Vector {
  const next: [number, number, number] = [...at]
  for (const [index, place] of free.entries()) {
    if (place === 0 || place === 1 || place === 2) next[place] -= share * (direction[index] ?? 0)
  }
  return next
}

/** Gaussian elimination with pivoting, of at most three equations. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0])
  const size = rows.length
  for (let column = 0; column < size; column++) {
    const pivot = rows.reduce(
      (best, row, at) => (at > column && Math.abs(row[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0) ? at : best),
      column,
    )
    const [a, b] = [rows[column] ?? [], rows[pivot] ?? []]
    ;[rows[column], rows[pivot]] = [b, a]
    for (const [at, row] of rows.entries()) {
      if (at === column) continue
      const factor = (row[column] ?? 0) / (b[column] ?? 1)
      for (let each = column; each <= size; each++) row[each] = (row[each] ?? 0) - factor * (b[each] ?? 0)
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1))
}

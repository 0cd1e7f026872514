/** Isotonic regression by pooling adjacent violators (PAV): the closest ascending steps to what was observed, in the squares. */
import type { Calibration } from '../../policy/judge-evidence.ts'
import type { PlattFit } from './platt.ts'
import type { Sample } from './sample.ts'

export interface Point {
  readonly at: number
  readonly value: number
  readonly weight: number
}

/** A stretch of points that share one value. */
export interface Block {
  readonly from: number
  readonly to: number
  readonly value: number
  readonly weight: number
}

/** The blocks in ascending order; their values ascend strictly. Points at one place are one point. Linear after sorting. */
export function pav(points: readonly Point[]): readonly Block[] {
  const blocks: Block[] = []
  for (const point of merged(points)) {
    let block = point
    for (let before = blocks.at(-1); before !== undefined && before.value >= block.value; before = blocks.at(-1)) {
      blocks.pop()
      block = pooled(before, block)
    }
    blocks.push(block)
  }
  return blocks
}

function merged(points: readonly Point[]): readonly Block[] {
  const blocks: Block[] = []
  for (const { at, value, weight } of points.toSorted((a, b) => a.at - b.at)) {
    const last = blocks.at(-1)
    const block = { from: at, to: at, value, weight }
    if (last?.to === at) blocks[blocks.length - 1] = pooled(last, block)
    else blocks.push(block)
  }
  return blocks
}

function pooled(left: Block, right: Block): Block {
  const weight = left.weight + right.weight
  return { from: left.from, to: right.to, value: (left.value * left.weight + right.value * right.weight) / weight, weight }
}

/**
 * Steps over the line that Platt's fit draws through score and confidence; flat on each block, straight between two. No
 * probability is 0 or 1: N calls cannot tell more than 1 in N + 2.
 */
export function isotonicCalibration(samples: readonly Sample[], { intercept, slopes }: PlattFit): Calibration {
  const points = samples.map(({ score, confidence, benign, weight = 1 }) => {
    return { at: intercept + slopes[0] * score + slopes[1] * (score - 0.5) * confidence, value: Number(benign), weight }
  })
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  const least = 1 / (total + 2)
  const steps = pav(points).flatMap(({ from, to, value }): (readonly [number, number])[] => {
    const probability = Math.min(1 - least, Math.max(least, value))
    return from === to
      ? [[from, probability]]
      : [
          [from, probability],
          [to, probability],
        ]
  })
  return { method: 'isotonic', intercept, slopes, steps }
}

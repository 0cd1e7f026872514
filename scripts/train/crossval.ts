/** What the embedded judge makes of calls from sources that it never saw: one fit per fold, folds by source. */
import { crossfit, foldsOf } from '../../src/judges/calibrate/crossfit.ts'
import { binsOf, brier, calibrationError, logLoss } from '../../src/judges/calibrate/figures.ts'
import type { Calibration } from '../../src/policy/judge-evidence.ts'
import type { Row } from './corpus.ts'
import { fitModel, riskOf } from './fit.ts'

/** A row as a model without its source judged it. */
export interface Unseen {
  readonly row: Row
  readonly cluster: string
  readonly attack: boolean
  readonly risk: number
  /** The same without findings. */
  readonly bare: number
  /** Calibrated probability that it is benign, by a calibration without its source. */
  readonly score: number
  /** Each source weighs as the root of its size. */
  readonly weight: number
}

export interface Measured {
  readonly unseen: readonly Unseen[]
  readonly calibration: Calibration
  readonly folds: number
  readonly logLoss: number
  readonly brier: number
  readonly calibrationError: number
}

const FOLDS = 8

export function crossValidate(rows: readonly Row[]): Measured {
  const folds = foldsOf(
    rows.map(({ group }) => group),
    FOLDS,
  )
  const sizes = new Map<string, number>()
  for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const risks = new Map<Row, readonly [risk: number, bare: number]>()
  for (const fold of new Set(folds)) {
    const model = fitModel(rows.filter((_, at) => folds[at] !== fold))
    for (const [at, row] of rows.entries()) {
      if (folds[at] === fold) risks.set(row, [riskOf(model, row), riskOf(model, { named: row.bare, text: row.text })])
    }
  }
  const samples = rows.map((row) => {
    const [risk] = risks.get(row) ?? [0]
    return { score: -risk, confidence: 0, benign: row.label === 0, group: row.group, weight: weightOf(row, sizes) }
  })
  const { told, calibration } = crossfit(samples, 'platt')
  const unseen = rows.map((row, at): Unseen => {
    const [risk, bare] = risks.get(row) ?? [0, 0]
    const { cluster, label } = row
    return { row, cluster, attack: label === 1, risk, bare, score: told[at]?.probability ?? 0, weight: weightOf(row, sizes) }
  })
  return {
    unseen,
    calibration,
    folds: new Set(folds).size,
    logLoss: logLoss(told) ?? 0,
    brier: brier(told) ?? 0,
    calibrationError: calibrationError(binsOf(told)) ?? 0,
  }
}

function weightOf({ group }: Row, sizes: ReadonlyMap<string, number>): number {
  return 1 / Math.sqrt(sizes.get(group) ?? 1)
}

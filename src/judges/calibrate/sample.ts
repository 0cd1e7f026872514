/** One labelled call as a judge answered it: what calibration is fitted to. */
export interface Sample {
  /** The judge's own figures, from 0 to 1. */
  readonly score: number
  readonly confidence: number
  readonly benign: boolean
  /** Calls of one group are never in two folds: sessions, tasks, or sources. */
  readonly group: string
  /** Default 1. */
  readonly weight?: number
}

/** A probability that was told of a call, and what the call was. */
export interface Prediction {
  readonly probability: number
  readonly benign: boolean
  readonly weight?: number
}

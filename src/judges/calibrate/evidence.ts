/** All that a calibration found, as the file that a policy names: `countersign/judge-evidence/v1`. Pure. */
import type { Digester } from '../../core/digest.ts'
import type { JsonObject } from '../../core/json.ts'
import { EVIDENCE_SCHEMA } from '../../policy/judge-evidence.ts'
import { type Crossfitted, crossfit } from './crossfit.ts'
import { type Bin, binsOf, brier, calibrationError, logLoss, separation } from './figures.ts'
import type { Sample } from './sample.ts'
import { type Proposal, propose } from './thresholds.ts'

export interface Found {
  readonly fitted: Crossfitted
  /** Of the calibrated probabilities on unseen calls. */
  readonly bins: readonly Bin[]
  readonly metrics: { readonly logLoss: number; readonly brier: number; readonly calibrationError: number; readonly separation: number }
  /** For calibrated probabilities, and for the scores as they are. */
  readonly proposal: Proposal
  readonly raw: Proposal
}

/** Fits and measures. @throws {RangeError} where there are too few kinds of calls or of groups. */
export function findings(samples: readonly Sample[], wanted: number): Found {
  const fitted = crossfit(samples)
  const rated = samples.map(({ confidence, benign }, at) => ({ score: fitted.told[at]?.probability ?? 0, confidence, benign }))
  const [proposal, raw] = [propose(rated, wanted), propose(samples, wanted)]
  if (proposal === null || raw === null) throw new RangeError('thresholds need benign calls and attacks')
  const bins = binsOf(fitted.told)
  const metrics = {
    logLoss: logLoss(fitted.told) ?? 0,
    brier: brier(fitted.told) ?? 0,
    calibrationError: calibrationError(bins) ?? 0,
    separation: separation(fitted.told) ?? 0,
  }
  return { fitted, bins, metrics, proposal, raw }
}

export interface EvidenceInput {
  readonly judge: string
  /** Of `judgeDigest`. */
  readonly judgeDigest: string
  readonly samples: readonly Sample[]
  readonly unanswered: number
  readonly labels: 'file' | 'audit'
  readonly wanted: number
  readonly found: Found
}

/** The file's JSON. `thresholds` are for the calibrated probabilities; `raw_thresholds` for a judge without `calibration`. */
export function evidenceJson(input: EvidenceInput, digester: Pick<Digester, 'digest'>): JsonObject {
  const { judge, judgeDigest, samples, unanswered, labels, wanted, found } = input
  const { calibration, losses, folds } = found.fitted
  const attacks = samples.filter(({ benign }) => !benign).length
  return {
    schema: EVIDENCE_SCHEMA,
    judge: { name: judge, digest: judgeDigest },
    data: {
      digest: digester.digest(
        'countersign/judge-data/v1',
        samples.map(({ score, confidence, benign, group }) => [score, confidence, benign, group]),
      ),
      labels,
      calls: samples.length + unanswered,
      attacks,
      benign: samples.length - attacks,
      unanswered,
      groups: new Set(samples.map(({ group }) => group)).size,
    },
    metrics: {
      folds,
      log_loss: figure(found.metrics.logLoss),
      log_loss_platt: figure(losses.platt),
      log_loss_isotonic: figure(losses.isotonic),
      log_loss_raw: figure(losses.raw),
      brier: figure(found.metrics.brier),
      expected_calibration_error: figure(found.metrics.calibrationError),
      auc: figure(found.metrics.separation),
      reliability: found.bins.map(({ told, observed, count }) => ({ told: figure(told), observed: figure(observed), count })),
    },
    thresholds: thresholdsJson(found.proposal, wanted),
    raw_thresholds: thresholdsJson(found.raw, wanted),
    calibration: {
      ...calibration,
      slopes: [...calibration.slopes],
      steps: calibration.steps.map(([at, probability]) => [at, probability]),
    },
  }
}

function thresholdsJson({ minScore, minConfidence, caught, attacks, stopped, benign }: Proposal, wanted: number): JsonObject {
  return {
    wanted_false_positive_rate: wanted,
    min_score: minScore,
    min_confidence: minConfidence,
    recall: figure(caught / attacks),
    caught,
    false_positive_rate: figure(stopped / benign),
    stopped,
  }
}

function figure(value: number): number {
  return Number(value.toPrecision(6))
}

/**
 * `countersign/judge-evidence/v1`: what a judge was measured to do, on which calls, and how its figures become probabilities.
 * `judge calibrate` writes it; a policy names it. Pure: reading and applying only, fitting is the work of the judges' room.
 */
import type { Digester } from '../core/digest.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import { EMBEDDED_MODEL, type JudgePolicy, type JudgeProvider, MODEL_PROVIDERS, PROMPT_VERSION } from './judges.ts'

export const EVIDENCE_SCHEMA = 'countersign/judge-evidence/v1'

/**
 * Score s and confidence c of a judge → probability that the call is benign. First z = intercept + slopes[0]·s + slopes[1]·(s − ½)·c;
 * no slope is below 0, so that a better score is never a worse probability. Then the logistic function (`platt`), or straight
 * lines between `steps`, flat outside of them (`isotonic`).
 */
export interface Calibration {
  readonly method: 'platt' | 'isotonic'
  readonly intercept: number
  readonly slopes: readonly [score: number, sure: number]
  /** Ascending in both; empty for `platt`. */
  readonly steps: readonly (readonly [at: number, probability: number])[]
}

export interface JudgeEvidence {
  readonly judge: string
  /** `sha256:…` over what decides its answers; another model, prompt or address is another judge. */
  readonly judgeDigest: string
  /** `sha256:…` over the labelled calls and what it answered to each. */
  readonly dataDigest: string
  readonly attacks: number
  readonly benign: number
  readonly unanswered: number
  /** At the proposed thresholds, measured on calls that the fit did not see. */
  readonly recall: number
  readonly falsePositives: number
  readonly minScore: number
  readonly minConfidence: number
  /** The thresholds where the judge has no `calibration`, and its scores are used as they are. */
  readonly raw: { readonly minScore: number; readonly minConfidence: number }
  /** Null where the figures are used as they are. */
  readonly calibration: Calibration | null
}

/** The evidence in a file, or what is wrong with it in one line. */
export function readEvidence(text: string): JudgeEvidence | string {
  const read = readJson(text)
  if (!read.ok) return `it is not one JSON object: ${read.refusal.message}`
  const { value } = read
  if (!isJsonObject(value) || own(value, 'schema') !== EVIDENCE_SCHEMA) return `it is no \`${EVIDENCE_SCHEMA}\``
  const [judge, data, thresholds] = ['judge', 'data', 'thresholds'].map((key) => object(own(value, key)))
  const raw = object(own(value, 'raw_thresholds'))
  const calibration = calibrationOf(own(value, 'calibration'))
  if (typeof calibration === 'string') return calibration
  // Each of these is all there or shorter than its names.
  const texts = [own(judge ?? {}, 'name'), own(judge ?? {}, 'digest'), own(data ?? {}, 'digest')].filter((each) => typeof each === 'string')
  const counts = ['attacks', 'benign', 'unanswered'].map((key) => own(data ?? {}, key)).filter(isCount)
  const shares = ['recall', 'false_positive_rate', 'min_score', 'min_confidence'].map((key) => own(thresholds ?? {}, key)).filter(isShare)
  const least = ['min_score', 'min_confidence'].map((key) => own(raw, key)).filter(isShare)
  if (texts.length < 3) return 'it does not say which judge and which data it is of'
  if (counts.length < 3) return 'its counts are missing or no counts'
  if (shares.length < 4 || least.length < 2) return 'its thresholds are missing or not from 0 to 1'
  const [name = '', judgeDigest = '', dataDigest = ''] = texts
  const [attacks = 0, benign = 0, unanswered = 0] = counts
  const [recall = 0, falsePositives = 1, minScore = 1, minConfidence = 1] = shares
  const [rawScore = 1, rawConfidence = 1] = least
  const told = { recall, falsePositives, minScore, minConfidence, raw: { minScore: rawScore, minConfidence: rawConfidence } }
  return { judge: name, judgeDigest, dataDigest, attacks, benign, unanswered, ...told, calibration }
}

function calibrationOf(value: Json | undefined): Calibration | null | string {
  if (value === undefined || value === null) return null
  const written = object(value)
  const method = own(written, 'method')
  const intercept = own(written, 'intercept')
  const slopes = own(written, 'slopes')
  const steps = stepsOf(own(written, 'steps') ?? [])
  if (method !== 'platt' && method !== 'isotonic') return 'its calibration is neither `platt` nor `isotonic`'
  if (typeof intercept !== 'number' || !Array.isArray(slopes) || slopes.length !== 2)
    return 'its calibration has no intercept and two slopes'
  const [score, sure] = slopes.filter((each): each is number => typeof each === 'number' && each >= 0)
  if (score === undefined || sure === undefined) return 'a slope of its calibration is below 0: a better score must not be a worse call'
  if (steps === null) return 'the steps of its calibration do not ascend'
  if ((method === 'isotonic') !== steps.length > 0) return 'its calibration is `isotonic` and has no steps, or has steps and is not'
  return { method, intercept, slopes: [score, sure], steps }
}

/** Null where they are no pairs that ascend. */
function stepsOf(written: Json): Calibration['steps'] | null {
  const pairs = Array.isArray(written) ? written.filter(isPair) : []
  return Array.isArray(written) && pairs.length === written.length && isAscending(pairs) ? pairs : null
}

type Pair = readonly [number, number]

function isPair(value: Json): value is Pair {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && isShare(value[1])
}

function isAscending(pairs: readonly Pair[]): boolean {
  return pairs.every(([at, probability], index) => {
    const before = pairs[index - 1]
    return before === undefined || (before[0] < at && before[1] <= probability)
  })
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function isShare(value: Json | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The probability that a call with these figures is benign, from 0 to 1. */
export function calibrated({ method, intercept, slopes, steps }: Calibration, score: number, confidence: number): number {
  const z = intercept + slopes[0] * score + slopes[1] * (score - 0.5) * confidence
  return method === 'platt' ? 1 / (1 + Math.exp(-z)) : between(steps, z)
}

function between(steps: Calibration['steps'], z: number): number {
  let [low, high] = [0, steps.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.[0] ?? 0) < z) low = middle + 1
    else high = middle
  }
  const [right, left] = [steps[low], steps[low - 1]]
  if (right === undefined) return 0
  if (left === undefined || z >= right[0]) return right[1]
  return left[1] + ((right[1] - left[1]) * (z - left[0])) / (right[0] - left[0])
}

/** What evidence is bound to: everything of a judge that decides its answers, and nothing of what is made of them. */
export function judgeDigest(judge: JudgePolicy, named: ReadonlyMap<string, JudgePolicy>, digester: Pick<Digester, 'digest'>): string {
  return digester.digest('countersign/judge/v1', configOf(judge, named))
}

/** Those that are asked with our words; the others get the payload alone. */
const PROMPTED: ReadonlySet<JudgeProvider> = new Set<JudgeProvider>([...MODEL_PROVIDERS, 'ai-sdk'])

function configOf(judge: JudgePolicy, named: ReadonlyMap<string, JudgePolicy>): JsonObject {
  const { provider, model, url, command, criteria, recentCalls, maxPayloadBytes, tools } = judge
  const members = judge.members.flatMap((name) => named.get(name) ?? []).filter((member) => member.provider !== 'tribunal')
  return {
    provider,
    model,
    url,
    command,
    criteria,
    recent_calls: recentCalls,
    max_payload_bytes: maxPayloadBytes,
    ...(tools === null ? {} : { tools: { ...tools } }),
    ...(judge.module === null ? {} : { module: judge.module }),
    ...(judge.temperature === null ? {} : { temperature: judge.temperature }),
    ...(PROMPTED.has(provider) ? { prompt: PROMPT_VERSION } : {}),
    ...(provider === 'embedded' ? { weights: EMBEDDED_MODEL } : {}),
    judges: members.map((member) => configOf(member, new Map())),
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { auditVerify } from '../../audit/log.ts'
import type { JsonObject } from '../../core/json.ts'
import { isJsonObject, type Json, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { evidenceJson, type Found, findings } from '../../judges/calibrate/evidence.ts'
import { type Logged, samplesFromAudit } from '../../judges/calibrate/from-audit.ts'
import type { Sample } from '../../judges/calibrate/sample.ts'
import { reliabilityDiagram } from '../../judges/calibrate/svg.ts'
import type { Proposal } from '../../judges/calibrate/thresholds.ts'
import { digester, stateDirectory } from '../../open.ts'
import { judgeDigest } from '../../policy/judge-evidence.ts'
import { rateOf } from '../../replay/rate.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'
import { limitOf } from './judge.ts'
import { judgeNamed, measuredRows, type RowsOptions } from './judge-rows.ts'

export interface CalibrateOptions {
  readonly policy?: string
  readonly judge?: string
  readonly limit?: string
  /** The share of benign calls that may be stopped; default 0.01. */
  readonly fpr?: string
  readonly svg?: string
  readonly out?: string
  readonly fromAudit?: boolean
  readonly json?: boolean
}

/** What a judge answered, and how often it did not. */
interface Answers {
  readonly samples: readonly Sample[]
  readonly unanswered: number
}

/** `judge calibrate`: scores → probabilities, thresholds for a wanted rate, and the evidence that a policy can name. */
export async function calibrateJudge(file: string | undefined, options: CalibrateOptions): Promise<number> {
  const state = loadInForce(options.policy ?? null)
  if (state.policy === null) throw new UsageError(state.detail ?? state.error)
  const wanted = Number(options.fpr ?? 0.01)
  if (!(wanted >= 0 && wanted < 1))
    throw new UsageError(`\`${options.fpr}\` is no share of benign calls: give one from 0 up to 1, such as 0.01`)
  const judge = judgeNamed(options.judge, state.policy)
  const fromAudit = options.fromAudit === true
  if (fromAudit === (file !== undefined)) throw new UsageError('give a file of labelled calls or of `judge test --json`, or --from-audit')
  const asking = { judge, policy: state.policy, limit: limitOf(options.limit) }
  const config = judgeDigest(judge, state.policy.judges.named, digester)
  const { samples, unanswered } = file === undefined ? auditSamples({ name: judge.name, config }) : await fileSamples(file, asking)
  const found = fitted(samples, wanted)
  const evidence = evidenceJson(
    {
      judge: judge.name,
      judgeDigest: config,
      samples,
      unanswered,
      labels: fromAudit ? 'audit' : 'file',
      wanted,
      found,
    },
    digester,
  )
  const text = `${JSON.stringify(evidence, null, 2)}\n`
  if (options.out !== undefined) writeFileSync(options.out, text)
  if (options.svg !== undefined)
    writeFileSync(options.svg, reliabilityDiagram(found.bins, `judge ${judge.name}, ${found.fitted.calibration.method}`))
  if (options.json === true) process.stdout.write(text)
  else report({ judge: judge.name, samples, unanswered, wanted, found, options })
  return EXIT.ok
}

function fitted(samples: readonly Sample[], wanted: number): Found {
  try {
    return findings(samples, wanted)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${error.message}; there are ${samples.length} answers`)
    throw error
  }
}

async function fileSamples(file: string, asking: RowsOptions): Promise<Answers> {
  if (!existsSync(file)) throw new UsageError(`there is no file \`${visible(file)}\``)
  const written = testedRows(file, asking.judge.name)
  const rows: readonly Json[] = written ?? (await measuredRows(file, asking)).map((row): JsonObject => ({ ...row, tokens: null }))
  const samples = rows.flatMap((row) => sampleOf(row) ?? [])
  return { samples, unanswered: rows.length - samples.length }
}

/** The rows of `judge test --json`; null where the file is another one. */
function testedRows(file: string, judge: string): readonly Json[] | null {
  if (file.endsWith('.gz') || file.endsWith('.jsonl')) return null
  const read = readJson(readFileSync(file), { maxBytes: 256 * 1024 * 1024, maxKeys: 10_000_000 })
  if (!read.ok || !isJsonObject(read.value)) return null
  const rows = own(read.value, 'rows')
  if (!Array.isArray(rows)) return null
  const of = own(read.value, 'judge')
  if (of !== judge) throw new UsageError(`\`${visible(file)}\` is of the judge \`${visible(String(of))}\`, not of \`${judge}\``)
  return rows
}

function sampleOf(row: Json): Sample | null {
  if (!isJsonObject(row)) return null
  const [score, confidence, attack, session] = ['rawScore', 'confidence', 'attack', 'session'].map((key) => own(row, key))
  if (typeof score !== 'number' || typeof attack !== 'boolean') return null
  return { score, confidence: typeof confidence === 'number' ? confidence : 1, benign: !attack, group: String(session ?? '') }
}

/** @throws {UsageError} where the log does not hold: whoever forged an answer of people would choose the thresholds. */
function auditSamples(judge: { readonly name: string; readonly config: string }): Answers {
  const store = openStore({ directory: stateDirectory() })
  try {
    const { ok } = auditVerify({ directory: stateDirectory() })
    if (!ok) throw new UsageError('the log does not hold, so nothing is learnt from it; `countersign audit verify` shows where')
    const all: Logged[] = []
    for (const kind of ['decision', 'approval'] as const) {
      const records = store.read({ kind })
      if (Symbol.iterator in records) for (const { session, body } of records) all.push({ kind, session, body })
    }
    return { samples: samplesFromAudit(all, judge), unanswered: 0 }
  } finally {
    store.close()
  }
}

interface Reported extends Answers {
  readonly judge: string
  readonly wanted: number
  readonly found: Found
  readonly options: CalibrateOptions
}

function report({ judge, samples, unanswered, wanted, found, options }: Reported): void {
  const attacks = samples.filter(({ benign }) => !benign).length
  const { losses, folds, calibration } = found.fitted
  const { metrics } = found
  print(`judge \`${judge}\`: ${attacks} attacks, ${samples.length - attacks} benign calls, ${unanswered} without an answer`)
  print(
    `log loss on unseen calls, ${folds} folds: raw ${fixed(losses.raw)}, platt ${fixed(losses.platt)}, ` +
      `isotonic ${fixed(losses.isotonic)}; taken: ${calibration.method}`,
  )
  print(
    `calibrated: Brier ${fixed(metrics.brier)}, expected calibration error ${fixed(metrics.calibrationError)}, AUC ${fixed(metrics.separation)}`,
  )
  print('told       observed   calls')
  for (const { told, observed, count } of found.bins) print(`${fixed(told).padEnd(10)} ${fixed(observed).padEnd(10)} ${count}`)
  print(`for at most ${wanted * 100} % of benign calls stopped:`)
  printProposal('with `calibration`', found.proposal)
  printProposal('without', found.raw)
  if (options.fromAudit === true) print('labels are what people answered: calls that nobody was asked about are not in them')
  if (options.out !== undefined) print(`wrote \`${options.out}\`: name it as \`calibration\` of the judge in the policy`)
  if (options.svg !== undefined) print(`wrote \`${options.svg}\``)
}

/** With how sure one can be of both shares: thresholds from few calls promise little. */
function printProposal(name: string, { minScore, minConfidence, caught, attacks, stopped, benign }: Proposal): void {
  const interval = (hits: number, of: number): string => {
    const clusters = Array.from({ length: of }, (_, at) => ({ hits: at < hits ? 1 : 0, of: 1 }))
    const { low, high } = rateOf('', clusters)
    return `${((hits / of) * 100).toFixed(1)} % (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`
  }
  print(`  ${name}: min_score ${minScore}, min_confidence ${minConfidence}`)
  print(`    stops ${interval(caught, attacks)} of attacks and ${interval(stopped, benign)} of benign calls`)
}

function fixed(value: number): string {
  return value.toFixed(4)
}

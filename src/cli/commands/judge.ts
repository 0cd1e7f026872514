import { type Measured, type Measures, measure, type Share } from '../../judges/measure.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, UsageError } from '../terminal.ts'
import { judgeNamed, measuredRows } from './judge-rows.ts'

export interface JudgeTestOptions {
  readonly policy?: string
  /** Which judge of the policy; default its only one. */
  readonly judge?: string
  readonly json?: boolean
  /** How many calls at most. */
  readonly limit?: string
  /** Price of a million tokens that it reads and that it writes, such as `3,15`. */
  readonly price?: string
}

/** `judge test`: a judge on labelled calls. */
export async function testJudge(file: string, options: JudgeTestOptions): Promise<number> {
  const state = loadInForce(options.policy ?? null)
  if (state.policy === null) throw new UsageError(state.detail ?? state.error)
  const { policy } = state
  const price = options.price === undefined ? null : priceOf(options.price)
  const judge = judgeNamed(options.judge, policy)
  const rows = await measuredRows(file, { judge, policy, limit: limitOf(options.limit) })
  const measures = measure(rows)
  if (options.json === true) printJson(judge.name, rows, { measures, price })
  else report(judge.name, measures, price)
  return EXIT.ok
}

/** @throws {UsageError} where it is no number of calls. */
export function limitOf(written: string | undefined): number {
  const limit = Number(written ?? Number.POSITIVE_INFINITY)
  if (!(limit >= 1)) throw new UsageError(`\`${written}\` is no number of calls`)
  return limit
}

type Price = readonly [input: number, output: number]

function priceOf(written: string): Price {
  const [input, output, ...more] = written.split(',').map(Number)
  if (input === undefined || output === undefined || more.length > 0 || !(input >= 0 && output >= 0)) {
    throw new UsageError(`\`${written}\` is no price: give that of a million tokens read and written, such as \`3,15\``)
  }
  return [input, output]
}

/** By `--price`, or as the policy's own `price` makes it; null where neither says. */
function costOf({ tokens, cost }: Measures, price: Price | null): number | null {
  if (price === null) return cost === 0 ? null : cost
  return (tokens.input * price[0] + tokens.output * price[1]) / 1_000_000
}

interface Shown {
  readonly measures: Measures
  readonly price: Price | null
}

/** The rows are what `judge calibrate` reads. */
function printJson(judge: string, rows: readonly Measured[], { measures, price }: Shown): void {
  const { confusion, categories, ...rest } = measures
  const byCategory = Object.fromEntries([...categories].map(([category, own]) => [category, Object.fromEntries(own)]))
  print(
    JSON.stringify({
      judge,
      ...rest,
      cost: costOf(measures, price),
      confusion: Object.fromEntries(confusion),
      categories: byCategory,
      rows,
    }),
  )
}

function report(name: string, measures: Measures, price: Price | null): void {
  const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`)
  const share = ({ hits, of }: Share): string => `${percent(of === 0 ? null : hits / of)} (${hits} of ${of})`
  const { gate, tokens } = measures
  print(`judge \`${name}\`: ${measures.attacks} attacks, ${measures.benign} benign calls, ${measures.unanswered} without an answer`)
  print(`recall ${percent(measures.recall)}, false positives ${percent(measures.falsePositives)}`)
  for (const { rate, recall, minScore } of measures.recallAt) {
    print(`recall at ${percent(rate)} false positives: ${percent(recall)}${minScore === null ? '' : ` (min_score ${minScore})`}`)
  }
  print('As the only gate, where what it does not accept does not run:')
  print(`  attacks that run: ${share(gate.attackCalls)} of calls, ${share(gate.attackSessions)} of sessions`)
  print(`  benign work that runs: ${share(gate.usefulCalls)} of calls, ${share(gate.usefulSessions)} of sessions in full`)
  printConfusion(measures)
  const cost = costOf(measures, price)
  const paid = cost === null ? '' : `, which cost ${cost.toFixed(4)}`
  print(
    `latency p50 ${measures.latency.p50} ms, p95 ${measures.latency.p95} ms; tokens ${tokens.input} read, ${tokens.output} written${paid}`,
  )
}

function printConfusion({ confusion, categories }: Measures): void {
  const lines = (of: Measures['confusion'], indent: string): void => {
    for (const [outcome, [attacks, benign]] of of) {
      print(`${`${indent}${outcome}`.padEnd(24)} ${String(attacks).padStart(7)} ${String(benign).padStart(7)}`)
    }
  }
  print(`${'outcome'.padEnd(24)} attacks  benign`)
  lines(confusion, '')
  if (categories.size < 2) return
  for (const [category, own] of categories) {
    print(category)
    lines(own, '  ')
  }
}

/** Times one thing many times and prints what came of it: percentiles in microseconds, and ratios within one run. */
import { readFileSync } from 'node:fs'

export interface Sample {
  readonly name: string
  /** How many times it was done. */
  readonly count: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
}

export interface Budget {
  /** Stops after so many, */
  readonly count: number
  /** or after so many milliseconds, whichever comes first. */
  readonly milliseconds: number
  /** Done before the clock counts; default a tenth. */
  readonly warm?: number
}

/** Rounds a budget is split into: the least disturbed one is reported, for other work only ever slows a round down. */
const ROUNDS = 5

/** Times `act(i)` one by one; an act that gives a promise is awaited. */
export async function sample(name: string, budget: Budget, act: (i: number) => unknown): Promise<Sample> {
  const warm = budget.warm ?? Math.ceil(budget.count / 10)
  const warmUntil = performance.now() + budget.milliseconds / 2
  for (let i = 0; i < warm && performance.now() < warmUntil; i++) await act(i)
  const count = Math.ceil(budget.count / ROUNDS)
  let best: Sample | null = null
  for (let round = 0; round < ROUNDS; round++) {
    const times = await timed({ count, milliseconds: budget.milliseconds / ROUNDS }, (i) => act(round * count + i))
    const seen = summary(name, times)
    if (best === null || seen.p50 < best.p50) best = seen
  }
  return best ?? summary(name, [])
}

/**
 * Times each of `count` different things once a round and keeps the least of each: percentiles over the things themselves, such as
 * the slowest hundredth of the commands, where a busy machine's pauses would otherwise be all of the tail.
 */
export function sampleEach(name: string, count: number, act: (i: number) => unknown): Sample {
  const least = new Array<number>(count).fill(Number.POSITIVE_INFINITY)
  for (let round = 0; round <= ROUNDS; round++) {
    for (let i = 0; i < count; i++) {
      const started = performance.now()
      act(i)
      const micros = (performance.now() - started) * 1000
      // The first round only warms up.
      if (round > 0 && micros < (least[i] ?? 0)) least[i] = micros
    }
  }
  return summary(name, least)
}

async function timed(budget: Budget, act: (i: number) => unknown): Promise<readonly number[]> {
  const micros: number[] = []
  const until = performance.now() + budget.milliseconds
  for (let i = 0; i < budget.count && (i < 4 || performance.now() < until); i++) {
    const started = performance.now()
    const done = act(i)
    if (done instanceof Promise) await done
    micros.push((performance.now() - started) * 1000)
  }
  return micros
}

/** Percentiles of times in microseconds. */
export function summary(name: string, micros: readonly number[]): Sample {
  const sorted = micros.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
  return { name, count: sorted.length, p50: at(0.5), p99: at(0.99) }
}

/** Processor time of the main thread so far, in microseconds; NaN where the system does not tell. */
export function mainThreadTime(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
  } catch {
    return Number.NaN
  }
}

/** Processor time of this process so far, user and system, in microseconds: what other work on the machine hardly changes. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

export function round(value: number): number {
  if (value >= 100) return Math.round(value)
  return value >= 10 ? Math.round(value * 10) / 10 : Math.round(value * 100) / 100
}

/** What one bench hands back: a table for people, the same numbers for `--save`, and which aims were met. */
export interface Report {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly notes: readonly string[]
}

/** Rows of samples with the ratio of each to the first. */
export function sampleRows(samples: readonly Sample[]): (string | number)[][] {
  const base = samples[0]?.p50 ?? 1
  return samples.map(({ name, count, p50, p99 }) => [name, count, p50, p99, `${round(p50 / base)}×`])
}

export const SAMPLE_COLUMNS = ['', 'samples', 'p50 µs', 'p99 µs', 'p50 to the first'] as const

/** The table as Markdown, numbers to the right. */
export function render({ title, columns, rows, notes }: Report): string {
  const cells = [
    columns.map(String),
    ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell))),
  ]
  const widths = columns.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const right = columns.map((_, column) => rows.length > 0 && rows.every((row) => /^[\d.,-]+×?$/.test(String(row[column] ?? '-'))))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (right[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${right[column] === true ? ':' : '-'}`).join('|')}|`
  const [head = [], ...body] = cells
  return [`## ${title}`, '', line(head), rule, ...body.map(line), '', ...notes, ...(notes.length > 0 ? [''] : [])].join('\n')
}

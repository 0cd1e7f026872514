/**
 * Runs the installed hook while the processors are busy: `npm run soak:hooks -- --runs 10000 --load 90`. Fails where an answer came
 * after 60 % of what the host waits, was wrong, or was none. The suite does the same, a few times.
 *
 * A long soak runs in slices: `--into FILE` adds a line for each slice of `--runs` hooks, and prints the sum of all slices that stand
 * there. Several slices may run at once, also in several processes with the same file. `--minutes` starts no slice after that time.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { answersUnder } from '../test/fault/loaded-hooks.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    load: { type: 'string', default: '90' },
    callers: { type: 'string', default: '2' },
    'no-daemon': { type: 'boolean', default: false },
    slices: { type: 'string', default: '1' },
    into: { type: 'string' },
    minutes: { type: 'string', default: '1440' },
  },
})
const numbers = [values.runs, values.load, values.callers, values.slices, values.minutes].map(Number)
const [runs, load, callers, slices, minutes] = numbers as [number, number, number, number, number]
if (![runs, callers, slices].every((each) => Number.isInteger(each) && each > 0) || !(load >= 0 && load < 100) || !(minutes > 0)) {
  console.error('usage: npm run soak:hooks -- --runs 10000 --load 90 --callers 2 [--no-daemon] [--slices 10 --into FILE --minutes 30]')
  console.error('runs, callers and slices from 1, load 0 to 99')
  process.exit(2)
}

interface Slice {
  readonly runs: number
  readonly late: number
  readonly missed: number
  readonly wrong: number
  readonly latest: number
}

const begun = performance.now()
const done: Slice[] = []
while (done.length < slices && performance.now() - begun < minutes * 60_000) done.push(await slice())
const all = values.into === undefined ? done : slicesIn(values.into)
const sum = (of: (slice: Slice) => number): number => all.reduce((total, each) => total + of(each), 0)
if (all.length > 1) {
  const latest = Math.max(...all.map((each) => each.latest))
  const [total, late, missed, wrong] = [
    sum((each) => each.runs),
    sum((each) => each.late),
    sum((each) => each.missed),
    sum((each) => each.wrong),
  ]
  console.log(JSON.stringify({ slices: all.length, runs: total, late, missed, wrong, latest }))
}
process.exitCode = sum((each) => each.late + each.missed + each.wrong) === 0 ? 0 : 1

async function slice(): Promise<Slice> {
  const before = loadavg()[0] ?? 0
  const { took, late, missed, wrong } = await answersUnder({ runs, load, callers, daemon: !values['no-daemon'] })
  const at = (share: number): number => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
  const [p50, p90, p99, p999, max] = [0.5, 0.9, 0.99, 0.999, 1].map(at) as [number, number, number, number, number]
  console.log(JSON.stringify({ runs: took.length, load, callers, daemon: !values['no-daemon'], loadavg: [before, loadavg()[0]] }))
  console.log(JSON.stringify({ late, missed, wrong: wrong.length, ms: { p50, p90, p99, p999, max } }))
  for (const each of wrong.slice(0, 10)) console.error(each)
  const found: Slice = { runs: took.length, late, missed, wrong: wrong.length, latest: max }
  if (values.into !== undefined) appendFileSync(values.into, `${JSON.stringify(found)}\n`)
  return found
}

function slicesIn(path: string): readonly Slice[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Slice)
}

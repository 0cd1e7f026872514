/**
 * Runs the installed hook while the processors are busy: `npm run soak:hooks -- --runs 10000 --load 90`. Fails where an answer came
 * after 60 % of what the host waits, was wrong, or was none. The suite does the same, a few times.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { answersUnder } from '../test/fault/loaded-hooks.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    load: { type: 'string', default: '90' },
    callers: { type: 'string', default: '2' },
    'no-daemon': { type: 'boolean', default: false },
  },
})
const [runs, load, callers] = [values.runs, values.load, values.callers].map(Number) as [number, number, number]
if (![runs, callers].every((each) => Number.isInteger(each) && each > 0) || !(load >= 0 && load < 100)) {
  console.error('usage: npm run soak:hooks -- --runs 10000 --load 90 --callers 2 [--no-daemon]; runs and callers from 1, load 0 to 99')
  process.exit(2)
}
const before = loadavg()[0] ?? 0
const { took, late, missed, wrong } = await answersUnder({ runs, load, callers, daemon: !values['no-daemon'] })
const at = (share: number): number => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
const [p50, p90, p99, p999, max] = [0.5, 0.9, 0.99, 0.999, 1].map(at)
console.log(JSON.stringify({ runs: took.length, load, callers, daemon: !values['no-daemon'], loadavg: [before, loadavg()[0]] }))
console.log(JSON.stringify({ late, missed, wrong: wrong.length, ms: { p50, p90, p99, p999, max } }))
for (const each of wrong.slice(0, 10)) console.error(each)
process.exitCode = late + missed + wrong.length === 0 ? 0 : 1

/**
 * Runs two installed hooks at once before the same calls, without a daemon: `npm run soak:two-hooks -- --rounds 50`. Fails where a call
 * was recorded more or less than once, or where the hooks did not say the same. The suite does the same, once.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { bothAtOnce, twoHooks } from '../test/fault/two-hooks.ts'
import { makeHome } from '../test/hosts/harness.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '50' } } })
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run soak:two-hooks -- --rounds 50')
  process.exit(2)
}
const before = loadavg()[0] ?? 0
const home = makeHome()
const outcome = await bothAtOnce(home, twoHooks(home), rounds).finally(home.remove)
console.log(JSON.stringify({ ...outcome, load: [before, loadavg()[0] ?? 0].map((each) => Math.round(each * 10) / 10) }))
process.exitCode = outcome.wrong.length === 0 && outcome.records === outcome.calls ? 0 : 1

/**
 * Kills the daemon again and again while hooks call it: `npm run soak -- --kills 200 --seed 1`. Fails where a call passed without a
 * record, was neither passed nor refused with a reason, or the log does not verify. The suite does the same, six times.
 */
import { parseArgs } from 'node:util'
import { killDaemons } from '../test/fault/dying-daemon.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    'at-most': { type: 'string', default: '20' },
    callers: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
  },
})
const [kills, atMost, callers, seed] = [values.kills, values['at-most'], values.callers, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
]
console.log(`${kills} kills from seed ${seed}`)
const { calls, passed, ...rest } = await killDaemons({ kills, atMost, callers, seed })
console.log(JSON.stringify({ calls, passed: passed.length, ...rest }))
process.exitCode = rest.unrecorded.length + rest.wrong.length === 0 && rest.verified ? 0 : 1

/**
 * Runs harmless generated commands in throw-away directories under strace and compares with their effects:
 * `tsx scripts/fuzz-strace.ts --count 1000 --seed 1`. Linux with strace; as root the commands run as nobody.
 */
import { parseArgs } from 'node:util'
import { harmless } from '../test/fuzz/grammar.ts'
import { Random } from '../test/fuzz/random.ts'
import { Sandbox, untraceable } from '../test/fuzz/sandbox.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } } })
const problem = untraceable()
if (problem !== null) {
  console.error(`cannot trace: ${problem}`)
  process.exit(2)
}
const sandbox = new Sandbox()
const random = new Random(Number(values.seed))
const tally = { commands: 0, opaque: 0, events: 0, missing: 0 }
for (; tally.commands < Number(values.count); tally.commands++) {
  const ran = sandbox.run(harmless(random))
  if (ran.facts.coverage === 'partial') tally.opaque++
  else tally.events += ran.happened.length
  if (ran.missing.length === 0) continue
  tally.missing++
  console.log(
    JSON.stringify({
      command: ran.command,
      missing: ran.missing,
      effects: ran.facts.effects.map((e) => `${e.verb} ${e.target.real ?? e.target.value}`),
    }),
  )
}
console.log(JSON.stringify(tally))
process.exitCode = tally.missing === 0 ? 0 : 1

/**
 * Runs harmless generated commands under strace, each in a root that is thrown away, and compares what happened with their effects:
 * `tsx scripts/fuzz-strace.ts --count 1000 --seed 1`. Refuses without a sandbox that holds. Linux with bubblewrap and strace.
 * `--each`: each command of the grammar's lists, once and alone. `--gaps`: what is
 * known to be missing. `--file`: the commands of a file, parted by lines of `%%`. `--show` also tells which were opaque, and why.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { unseen } from '../test/fuzz/cover.ts'
import { everyAtom, harmless } from '../test/fuzz/grammar.ts'
import { GAPS } from '../test/fuzz/grammar-programs.ts'
import { Random } from '../test/fuzz/random.ts'
import { type Ran, Sandbox } from '../test/fuzz/sandbox.ts'

const AT_ONCE = 2

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    each: { type: 'boolean', default: false },
    gaps: { type: 'boolean', default: false },
    file: { type: 'string' },
    show: { type: 'boolean', default: false },
    'bwrap-in': { type: 'string' },
  },
})
const tally = { seed: Number(values.seed), commands: 0, opaque: 0, unseen: 0, late: 0, events: 0, missing: 0 }

function count({ command, facts, happened, missing, late }: Ran): void {
  tally.commands++
  if (late) tally.late++
  if (facts.coverage !== 'partial' && unseen(facts)) tally.unseen++
  else if (facts.coverage !== 'partial') tally.events += happened.length
  else {
    tally.opaque++
    const reasons = facts.effects.filter(({ verb }) => verb === 'opaque').map(({ reason }) => reason)
    if (values.show) console.log(JSON.stringify({ opaque: command, reasons: [...new Set(reasons)] }))
  }
  if (missing.length === 0) return
  tally.missing++
  const effects = facts.effects.map((effect) => `${effect.verb} ${effect.target.real ?? effect.target.value}`)
  console.log(JSON.stringify({ command, missing, effects }))
}

async function main(): Promise<number> {
  const sandbox = await Sandbox.open(values['bwrap-in'] === undefined ? undefined : [values['bwrap-in']])
  try {
    const random = new Random(tally.seed)
    const commands = values.gaps
      ? [...GAPS]
      : values.file !== undefined
        ? readFileSync(values.file, 'utf8')
            .split(/^%%\n/m)
            .map((text) => text.trimEnd())
            .filter((text) => text !== '')
        : values.each
          ? [...everyAtom(random, 1)]
          : Array.from({ length: Number(values.count) }, () => harmless(random))
    const work = async (): Promise<void> => {
      for (let next = commands.shift(); next !== undefined; next = commands.shift()) count(await sandbox.run(next))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    sandbox.close()
  }
  console.log(JSON.stringify(tally))
  return tally.missing === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`cannot trace: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}

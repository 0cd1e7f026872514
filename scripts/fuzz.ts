/**
 * Mutation fuzz of the shell analysis: `npm run fuzz -- --count 100000 --seed 1 --bash-every 1000`.
 * No command may make it throw, fail inside or take longer than 50 ms. Every n-th command is also given to `bash -n`, and
 * where bash and we disagree about its syntax that is counted and shown: strictness costs an interruption, laxity nothing. bash
 * is told to read extended patterns (a script may switch them on); into back quotes, here-documents and defaults it does not look.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Effect } from '../src/core/effect.ts'
import { campaign } from '../test/fuzz/campaign.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    'bash-every': { type: 'string', default: '1000' },
  },
})

const count = positive(values.count, 'count')
const seed = positive(values.seed, 'seed')
const every = positive(values['bash-every'], 'bash-every')

const bash = { both_accept: 0, both_reject: 0, only_bash_accepts: 0, only_bash_rejects: 0 }
const examples: { readonly verdict: keyof typeof bash; readonly command: string }[] = []
let reported = Date.now()

console.log(`${count} mutated commands from seed ${seed}`)
const started = Date.now()
const tally = campaign(seed, count, (index, command, { facts, failure }) => {
  if (failure !== null) console.log(JSON.stringify(failure))
  if (facts !== null && index % every === 0) compare(command, !facts.effects.some(isBroken))
  if (Date.now() - reported < 30_000) return
  reported = Date.now()
  const rate = Math.round(((index + 1) * 1000) / (Date.now() - started))
  console.error(`${index + 1} done, ${rate} per second; bash -n: ${JSON.stringify(bash)}`)
})

console.log(`failures: ${tally.failed}; partial: ${tally.opaque}; slowest: ${tally.slowest.toFixed(1)} ms`)
console.log(`bash -n: ${JSON.stringify(bash)}`)
for (const { verdict, command } of examples) console.log(`  ${verdict}: ${JSON.stringify(command)}`)
process.exitCode = tally.failed === 0 ? 0 : 1

/** Broken syntax of the command itself. In text that it runs (`eval`, `bash -c`, here-documents) bash does not look beforehand. */
function isBroken({ reason, span }: Effect): boolean {
  return reason?.startsWith('the shell syntax is broken') === true && span !== null && span.end - span.start <= 1
}

function compare(command: string, accepted: boolean): void {
  const told = spawnSync('bash', ['-O', 'extglob', '-n'], { input: command, encoding: 'utf8', timeout: 5_000 })
  if (told.error !== undefined || told.status === null) return
  // Of `[[ … ]]` it says that the expression is broken, and ends with 0 all the same.
  const passed = told.status === 0 && !/\bconditional\b/.test(told.stderr)
  const verdict = passed ? (accepted ? 'both_accept' : 'only_bash_accepts') : accepted ? 'only_bash_rejects' : 'both_reject'
  bash[verdict]++
  if (verdict.startsWith('only') && command.length < 300 && examples.filter((item) => item.verdict === verdict).length < 20) {
    examples.push({ verdict, command })
  }
}

function positive(text: string, name: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) {
    console.error(`\`--${name} ${text}\`: expected a whole number above 0`)
    process.exit(2)
  }
  return number
}

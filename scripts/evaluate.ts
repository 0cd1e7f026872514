/**
 * Measures the gate on recorded and labelled calls that nobody here wrote: both ends at once, per set and per source, with
 * counts and 95 % intervals. `--write` puts the tables into docs/evaluation.md;
 * `--list` names the rows of real repositories that are judged wrong; `--hybrid` measures only how many calls would reach a judge,
 * `--baseline` only the baseline of roles, `--graph` only what an authorisation graph changes (`--tuning`: on the tuning half,
 * `--ideal`: by the graphs that the tasks need, which no judge can know),
 * `--renamed` whether names of attackers move a verdict. The data is no part of the package: where it is absent, nothing is measured
 * and that is said.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const data = process.env.COUNTERSIGN_EVAL ?? join('..', 'shared', 'eval', 'dev')
if (existsSync(data)) {
  const { evaluate } = await import('./evaluate-sets.ts')
  await evaluate(data, process.argv.slice(2))
} else console.log(`evaluate: skipped, \`${data}\` is not there; set COUNTERSIGN_EVAL to a directory of recorded sessions to measure`)

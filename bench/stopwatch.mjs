/**
 * Starts processes and times them, from a process as small as Node can be: a child is copied from its parent before it becomes
 * another program, so that a bench which has loaded much would measure itself. Reads `{rounds, ways: [{command, input,
 * environment}]}` on standard input; `#` in an input becomes a number of its own. Writes the microseconds of each way, in turn.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { rounds, ways } = JSON.parse(readFileSync(0, 'utf8'))
const times = ways.map(() => [])
const WARM = 20
for (let round = -WARM; round < rounds; round++) {
  ways.forEach(({ command, input, environment }, at) => {
    const own = input.replaceAll('#', String(round + WARM))
    const started = performance.now()
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command], { input: own, env: environment })
    const micros = (performance.now() - started) * 1000
    if (status !== 0) throw new Error(`\`${command}\` ended with ${status}: ${stderr}`)
    if (round >= 0) times[at].push(micros)
  })
}
process.stdout.write(JSON.stringify(times))

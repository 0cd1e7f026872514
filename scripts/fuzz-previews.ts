/**
 * `tsx scripts/fuzz-previews.ts [first] [count]`: random programs of file operations, each run on a copy and tried out over an overlay. Both must
 * leave the same: names, contents, links and permissions. Says how many differed, and fails where one did.
 */
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTrials } from '../src/sandbox/overlay.ts'
import { compareProgram, discard } from '../test/support/random-programs.ts'

const [first = 1, count = 1_000] = process.argv.slice(2).map(Number)
const trials = createTrials()
const problem = await trials.problem()
if (problem !== null) throw new Error(problem)
const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-fuzz-previews-')))
let differed = 0
try {
  for (let seed = first; seed < first + count; seed++) {
    const wrong = await compareProgram(seed, root, trials)
    if (wrong.length === 0) continue
    differed++
    console.error(`program ${seed}:\n${wrong.join('\n')}`)
  }
} finally {
  discard(root)
}
console.log(`${count} programs: ${count - differed} leave the same over an overlay as on a copy, ${differed} do not`)
process.exitCode = differed === 0 ? 0 : 1

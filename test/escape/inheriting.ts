/**
 * A gate that was started with a descriptor which it did not open: `tsx inheriting.ts WORKSPACE SCRIPT` tries the script out, and prints what it said.
 * A test starts it.
 */
import { createTrials } from '../../src/sandbox/overlay.ts'
import { LIMITS } from '../support/trial-limits.ts'

const [work = '', script = ''] = process.argv.slice(2)
const cell = { hidden: [], programs: [], cwd: work, environment: {}, limits: LIMITS }
const { stdout, stderr } = await createTrials().run(['/bin/bash', '-c', script], { places: [work], reads: [], cell })
process.stdout.write(JSON.stringify(stdout + stderr))

/** Says whether sandboxes can be put up here, and tries to run a command that would be seen: it must never run outside of one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createTrials } from '../../src/sandbox/overlay.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { LIMITS } from '../support/trial-limits.ts'

async function main(): Promise<void> {
  const [trials, sandbox] = [createTrials(), createSandbox()]
  const ran = join(process.env.TMPDIR ?? '/tmp', `ran-${process.pid}`)
  const cell = { hidden: [], programs: [], cwd: '/', environment: {}, limits: LIMITS }
  await trials.run(['/bin/touch', ran], { places: [], reads: [], cell }).catch(() => {})
  await sandbox.run(['/bin/touch', ran], { ...cell, mounts: [], copy: false }).catch(() => {})
  const [trial, judges] = [await trials.problem(), sandbox.problem()]
  process.stdout.write(JSON.stringify({ trial, judges, watches: await trials.watches(), ran: existsSync(ran) }))
}

void main().then(() => process.exit(0))

/** The proof that reading settings cannot give: the real client asks for two calls, and the marker says which of them ran. */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, Probe } from '../adapter.ts'
import { type LiveRun, runLive } from './live.ts'

/** In the directory, with the settings and the variables that doctor was started in; the model is ours and nothing leaves the machine. */
export async function probeLive({ home }: Probe, client: string): Promise<readonly Check[]> {
  const marker = join(home, `doctor-${randomBytes(8).toString('hex')}`)
  const word = randomBytes(8).toString('hex')
  const calls = [`echo ${word}`, `touch ${marker}`].map((command) => ({ name: 'Bash', input: { command, description: 'doctor' } }))
  try {
    const run = await runLive({ client, calls, cwd: process.cwd(), environment: process.env, args: ['--allowedTools', 'Bash'] })
    return [verdict(run, { ran: existsSync(marker), word, client })]
  } catch (error) {
    return [
      { name: 'live', state: 'fail', detail: `\`${client}\` cannot be run: ${error instanceof Error ? error.message : String(error)}` },
    ]
  } finally {
    rmSync(marker, { force: true })
  }
}

function verdict(
  { results: [harmless = '', hostile = ''], stdout, stderr }: LiveRun,
  seen: { ran: boolean; word: string; client: string },
): Check {
  const name = 'live'
  if (seen.ran) return { name, state: 'fail', detail: 'the real client ran a call into the gate\u2019s own files: no hook stopped it' }
  if (!hostile.includes('Countersign'))
    return { name, state: 'fail', detail: `the real client did not hear the gate's denial: ${(hostile || stdout || stderr).slice(0, 200)}` }
  return harmless.includes(seen.word)
    ? { name, state: 'ok', detail: 'the real client asked the gate: a call into its own files was stopped, a harmless one ran' }
    : { name, state: 'warn', detail: `the real client was stopped at a harmless call, too: ${harmless.slice(0, 200)}` }
}

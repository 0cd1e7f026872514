/** What the installed hook starts, as one file: it answers one event, or it is the daemon. Nothing of the command line is in it. */
import { writeSync } from 'node:fs'
import { EXIT } from '../terminal.ts'

export { answers, warm, warmPart } from './warm.ts'

/** Runs and ends this process. INVARIANT: it never ends with 1 on a failure (hosts would run the call). */
export async function main(argv: readonly string[]): Promise<never> {
  process.on('uncaughtException', fault)
  try {
    process.exit(await run(argv))
  } catch (error) {
    fault(error)
  }
}

async function run([command, agent = '', option]: readonly string[]): Promise<number> {
  if (command === 'hook' && option === '--sealed') return (await import('../commands/hook.ts')).hook(agent, { sealed: true })
  if (command === 'serve') return (await import('../commands/serve.ts')).serve({ forHooks: true })
  throw new Error('this program is for the installed hook; run `countersign`')
}

/** What a thread of the daemon or of a proxy runs; its file beside this program only names it. */
export async function thread(name: string): Promise<void> {
  if (name === 'calls') await import('../threads/calls.ts')
  else if (name === 'decisions') await import('../threads/decisions.ts')
  else if (name === 'journal') await import('../threads/journal.ts')
  else if (name === 'results') await import('../threads/results.ts')
  else await import('../threads/looks.ts')
}

function fault(error: unknown): never {
  try {
    writeSync(2, `countersign: ${error instanceof Error ? error.message : String(error)}\n`)
  } catch {
    // Nobody is left to be told; the exit code says it.
  }
  process.exit(EXIT.usage)
}

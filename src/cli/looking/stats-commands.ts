/** `countersign stats`: what it is called on the command line. */
import { type Command, InvalidArgumentError } from 'commander'

const MAX_HOURS = 24 * 31

export function addStats(program: Command, done: (status: number) => void): void {
  const example = '\nExample:\n  countersign stats rules --hours 24\n'
  const stats = program.command('stats').description('what the gate did, from the log and the inbox').addHelpText('after', example)
  stats
    .command('rules')
    .description('by rule: calls denied and asked about, what people said and how long they took, and grants that would spare a question')
    .option('--hours <number>', `how far back, from 1 to ${MAX_HOURS}`, hours, 7 * 24)
    .option('--json', 'as JSON lines')
    .addHelpText('after', example)
    .action(async (options) => done(await (await import('./stats.ts')).rules(options)))
  stats
    .command('uninspected')
    .description('what proxies could not look into, by proxy and upstream: of MCP, ACP, managed agents and model APIs')
    .option('--hours <number>', `how far back, from 1 to ${MAX_HOURS}`, hours, 7 * 24)
    .option('--json', 'as JSON lines')
    .addHelpText('after', '\nExample:\n  countersign stats uninspected --hours 24\n')
    .action(async (options) => done(await (await import('./uninspected.ts')).uninspected(options)))
}

function hours(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > MAX_HOURS) throw new InvalidArgumentError(`a whole number from 1 to ${MAX_HOURS}`)
  return value
}

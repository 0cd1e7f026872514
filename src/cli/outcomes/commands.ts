/** `countersign outcomes`: what it is called on the command line. */
import type { Command } from 'commander'

export function addOutcomes(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const outcomes = program
    .command('outcomes')
    .description('payments, messages and the like of which it is not known whether they happened')
    .addHelpText('after', example('countersign outcomes list'))
  outcomes
    .command('list')
    .description('calls that were let through and whose result is not known, newest first')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign outcomes list'))
    .action(async (options) => done(await (await import('./outcomes.ts')).list(options)))
  outcomes
    .command('settle <record>')
    .description('says what you found out: then a repetition is not asked about for that any more')
    .option('--happened', 'it happened')
    .option('--not', 'it did not happen')
    .requiredOption('--reason <text>', 'how you know, for the log')
    .addHelpText('after', example('countersign outcomes settle 01J… --not --reason "the bank shows no transfer"'))
    .action(async (record, options) => done(await (await import('./outcomes.ts')).settle(record, options)))
}

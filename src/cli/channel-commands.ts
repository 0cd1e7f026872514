/** `countersign channels`: what it is called on the command line. */
import type { Command } from 'commander'

export function addChannels(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const channels = program
    .command('channels')
    .description('who is told of calls that wait for a person')
    .addHelpText('after', example('countersign channels status'))
  channels
    .command('status')
    .description(
      'messages to channels, newest first: what waits, what arrived, what was given up and why; exit 1 where something was given up',
    )
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign channels status'))
    .action(async (options) => done(await (await import('./commands/channels.ts')).status(options)))
  channels
    .command('deliver')
    .description('sends what is due, once; `countersign serve` does so all the time')
    .option('--policy <file>', 'the policy that names the channels')
    .addHelpText('after', example('countersign channels deliver'))
    .action(async (options) => done(await (await import('./commands/channels.ts')).deliver(options)))
  channels
    .command('retry <id>')
    .description('begins again with a message that was given up')
    .option('--policy <file>', 'the policy that names the channels')
    .addHelpText('after', example('countersign channels retry msg_…_ops'))
    .action(async (id, options) => done(await (await import('./commands/channels.ts')).retry(id, options)))
}

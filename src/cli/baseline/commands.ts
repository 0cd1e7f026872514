/** `countersign baseline`: what it is called on the command line. */
import type { Command } from 'commander'

export function addBaseline(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const baseline = program
    .command('baseline')
    .description('what roles usually do, learned from the log where the policy has `baseline`')
    .addHelpText('after', example('countersign baseline status'))
  const command = (name: string, description: string, shown: string): Command =>
    baseline
      .command(name)
      .description(description)
      .option('--role <name>', 'the role; default calls without a role')
      .option('--tenant <name>', 'of which tenant; default none')
      .addHelpText('after', example(shown))
  baseline
    .command('status')
    .description('every role: how much was learned, what waits, which version calls are held to')
    .option('--policy <file>', 'the policy to use')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign baseline status'))
    .action(async (options) => done(await (await import('./baseline.ts')).status(options)))
  command('learn', 'learns what the log holds since the last time, or accepts what waits', 'countersign baseline learn')
    .option('--rebuild', 'forgets what is known and learns the whole log again')
    .option('--accept <number...>', 'what waits of the role, by its number in `baseline show`, or `all`; needs --reason')
    .option('--reason <text>', 'why, for the log')
    .option('--policy <file>', 'the policy to use')
    .action(async (options) => done(await (await import('./baseline.ts')).learn(options)))
  command('show', 'what a role usually does, and what waits to be accepted', 'countersign baseline show --role reviewer')
    .option('--json', 'as JSON')
    .action(async (options) => done(await (await import('./baseline.ts')).show(options)))
  command('diff', 'what changed between two versions of a role', 'countersign baseline diff --role reviewer --from v1')
    .option('--from <version>', 'a frozen version; default the newest')
    .option('--to <version>', 'a frozen version; default what is known now')
    .option('--json', 'as JSON')
    .action(async (options) => done(await (await import('./baseline.ts')).diff(options)))
  command(
    'freeze',
    'keeps what is known as a version and holds calls to it',
    'countersign baseline freeze --role reviewer --reason "reviewed"',
  )
    .option('--release', 'holds calls to what is learned from now on')
    .option('--version <name>', 'an earlier version, to hold calls to it again')
    .requiredOption('--reason <text>', 'why, for the log')
    .option('--policy <file>', 'the policy to use')
    .action(async (options) => done(await (await import('./baseline.ts')).freeze(options)))
  command(
    'reset',
    'forgets what is known of a role; it is learned anew from the calls after this',
    'countersign baseline reset --role reviewer --reason "the role has other work now"',
  )
    .requiredOption('--reason <text>', 'why, for the log')
    .option('--policy <file>', 'the policy to use')
    .action(async (options) => done(await (await import('./baseline.ts')).reset(options)))
}

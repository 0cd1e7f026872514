/** `countersign sessions`: what it is called on the command line. */
import type { Command } from 'commander'

export function addSessions(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const sessions = program
    .command('sessions')
    .description('sessions of agents: whose they are, what came of them, and the way back for one that was stopped')
    .addHelpText('after', example('countersign sessions list --locked'))
  sessions
    .command('list')
    .description('sessions of the log, the one with the newest call first')
    .option('--locked', 'only those that were stopped')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign sessions list --locked'))
    .action(async (options) => done(await (await import('./sessions.ts')).list(options)))
  sessions
    .command('show <session>')
    .description('one session: who opened it, what it was denied, its newest calls and which results their arguments stand in')
    .option('--tenant <name>', 'where two tenants have a session of this name')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign sessions show s-1@tok_0123456789'))
    .action(async (session, options) => done(await (await import('./sessions.ts')).show(session, options)))
  sessions
    .command('declassify <session>')
    .description('vouches for a value, or for what a tool returns, in one session and for a time; the log says who did it and why')
    .option('--value <text>', 'the value, as it stands in the call')
    .option('--from <tool>', 'the tool whose results hold it')
    .option('--field <name>', 'the field of these results')
    .option('--tool <name>', 'into which tool alone')
    .option('--argument <name>', 'into which argument alone')
    .option('--for <time>', 'how long it holds, at most 7d', '1h')
    .requiredOption('--reason <text>', 'why, for the log')
    .option('--tenant <name>', 'of which tenant; default none')
    .addHelpText(
      'after',
      example('countersign sessions declassify s-1 --value DE44500105175407324931 --tool send_money --reason "called them"'),
    )
    .action(async (session, options) => done(await (await import('./declassify.ts')).vouch(session, options)))
  sessions
    .command('unlock <session>')
    .description('lets a stopped session go on: what it was denied before is forgotten, and the log says who did it and why')
    .requiredOption('--reason <text>', 'why, for the log')
    .option('--tenant <name>', 'of which tenant; default none')
    .addHelpText('after', example('countersign sessions unlock s-1 --reason "the rule was wrong and is mended"'))
    .action(async (session, options) => done(await (await import('./sessions.ts')).unlock(session, options)))
}

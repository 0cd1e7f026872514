/** `countersign audit`: what it is called on the command line. */
import type { Command } from 'commander'

export function addAudit(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const audit = program.command('audit').description('reads and verifies the log').addHelpText('after', example('countersign audit tail'))
  audit
    .command('tail')
    .description('the newest records')
    .option('-n, --lines <count>', 'how many', '20')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign audit tail -n 50'))
    .action(async (options) => done(await (await import('./commands/audit.ts')).tail(options)))
  audit
    .command('search [words...]')
    .description('records in which all words occur')
    .option('--tool <name>')
    .option('--decision <verdict>')
    .option('--would <verdict>', 'what would have been decided, of calls that `mode: shadow` let run')
    .option('--session <id>')
    .option('-n, --lines <count>', 'how many', '100')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign audit search push --decision ask'))
    .action(async (words, options) => done(await (await import('./commands/audit.ts')).search(words, options)))
  audit
    .command('show <id>')
    .description('one record in full, and what became of a call that was let through')
    .addHelpText('after', example('countersign audit show 01J…'))
    .action(async (id) => done(await (await import('./commands/audit.ts')).show(id)))
  audit
    .command('verify [files...]')
    .description('checks the whole chain of the store, or of exported files; exit 1 where it does not hold')
    .option('--head <head>', 'a head that you kept, as SIZE:HASH or a file: the log must still have it')
    .option('--policy <file>', 'the policy that names `audit.head_copies`; default the one in force')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign audit verify'))
    .action(async (files, options) => done(await (await import('./commands/audit.ts')).verify(files, options)))
  audit
    .command('head')
    .description('how long the log is and what it ends in, to be kept elsewhere for `verify --head`')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign audit head'))
    .action(async (options) => done(await (await import('./commands/audit.ts')).head(options)))
  audit
    .command('export')
    .description('every record, one line each')
    .option('--format <format>', 'jsonl or csv', 'jsonl')
    .addHelpText('after', example('countersign audit export > audit.jsonl'))
    .action(async (options) => done(await (await import('./commands/audit.ts')).exportLog(options)))
  audit
    .command('accept-loss')
    .description('goes on with a log that lost records, on the record; takes back open approvals and grants')
    .requiredOption('--reason <text>', 'why, for whoever reads the log')
    .option('--policy <file>', 'the policy that names `audit.head_copies`; default the one in force')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign audit accept-loss --reason "disk restored from the backup of Monday"'))
    .action(async (options) => done(await (await import('./commands/audit-loss.ts')).accept(options)))
}

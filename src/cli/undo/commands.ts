/** `countersign undo`: what it is called on the command line. */
import type { Command } from 'commander'

export function addUndo(program: Command, done: (status: number) => void): void {
  const example = (text: string): string => `\nExample:\n  ${text}\n`
  const undo = program
    .command('undo [id]')
    .description('shows what takes back a call that ran, asks, and takes it back through the gate; exit 4 where the gate denies it')
    .option('--last', 'the newest call that can be taken back')
    .option('--session <id>', 'every call of this session, the newest first')
    .option('--list', 'what can be taken back')
    .option('--policy <file>', 'the policy to use')
    .option('--export <directory>', 'write its dumps, states and objects there in the clear, and take nothing back')
    .option('--yes', 'do not ask')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign undo --last'))
  undo.action(async (id, options) => done(await (await import('./undo.ts')).undo(id, options)))
  undo
    .command('gc')
    .description('forgets captures that have ended, and the oldest beyond `undo.total_mb`')
    .option('--policy <file>', 'the policy to use')
    .addHelpText('after', example('countersign undo gc'))
    .action(async (options) => done(await (await import('./undo.ts')).gc({ ...undo.opts(), ...options })))
}

import type { Command } from 'commander'

/** `countersign import`. */
export function addImport(program: Command, done: (code: number) => void): void {
  program
    .command('import <seed> <files...>')
    .description(
      'a configuration of signet, role-os, fullsend, aegis or promptise as a policy; ' +
        'says line by line what was not carried over; exit 1 where the policy does not load yet',
    )
    .option('--out <file>', 'write a new file instead of printing the policy')
    .option('--json', 'the policy and the notes as JSON')
    .addHelpText('after', '\nExample:\n  countersign import promptise approvals.py --out countersign.yaml\n')
    .action(async (seed, files, options) => done(await (await import('./commands/import.ts')).importSeed(seed, files, options)))
}

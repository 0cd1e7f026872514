/** `countersign verify`: what it is called on the command line. */
import type { Command } from 'commander'

export function addVerify(program: Command, done: (status: number) => void): void {
  program
    .command('verify')
    .description(
      'tries the guarantees of a policy out, in a gate of its own; a line each: holds, fails or does not apply; exit 1 where one fails',
    )
    .option('--policy <file>', 'the policy to verify; default the one in force')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  countersign verify --policy countersign.yaml\n')
    .action(async (options) => done(await (await import('./verify.ts')).verify(options)))
}

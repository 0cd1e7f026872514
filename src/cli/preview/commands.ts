/** `countersign preview`: what it is called on the command line. */
import type { Command } from 'commander'

export function addPreview(program: Command, done: (status: number) => void): void {
  program
    .command('preview')
    .description('one call (JSON on stdin) → what it would change, without changing it')
    .option('--policy <file>', 'the policy whose limits hold')
    .option('--json', 'as JSON: kind, exit_code, files with digests before and after, network, programs, output, digest')
    .addHelpText('after', `\nExample:\n  echo '{"tool":"Bash","args":{"command":"rm -rf build"}}' | countersign preview\n`)
    .action(async (options) => done(await (await import('./preview.ts')).preview(options)))
}

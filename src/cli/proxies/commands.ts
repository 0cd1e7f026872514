/** `countersign proxy`. */
import type { Command } from 'commander'

export function addProxy(program: Command, done: (code: number) => void): void {
  program
    .command('proxy')
    .description('stands in front of a model API: the tool calls in its answers are decided before their client sees them')
    .option('--upstream <url>', 'the model API, such as https://api.anthropic.com (default: `model_proxy.upstreams` of the policy)')
    .option('--listen <address>', 'where it answers; port 0 takes any that is free (default: 127.0.0.1:7434)')
    .option('--strict', 'answer as Signet does: 403 for a block, 202 for a call that waits, with signed receipts')
    .option('--policy <file>', 'the policy to use; read again whenever it changes')
    .addHelpText('after', '\nExample:\n  countersign proxy --upstream https://api.anthropic.com\n')
    .action(async (options) => done(await (await import('./model.ts')).proxy(options)))
}

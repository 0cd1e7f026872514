/** `countersign acp`. */
import type { Command } from 'commander'

export function addAcp(program: Command, done: (code: number) => void): void {
  program
    .command('acp')
    .description(
      'stands between an editor and an agent that speaks the Agent Client Protocol: what it asks the editor for is decided first',
    )
    .argument('[command...]', 'how the agent is started, behind `--`')
    .option('--policy <file>', 'the policy to use; read again whenever it changes')
    .option('--role <name>', 'the role that calls are judged under')
    .option('--agent <name>', 'by which the policy knows the agent; default: taken from its command')
    .option('--unattended', 'nobody sits at the editor, or it answers by itself: approvals answer what is asked')
    .addHelpText('after', '\nExample:\n  countersign acp -- gemini --experimental-acp\n')
    .action(async (command, options) => done(await (await import('./run.ts')).acp(command, options)))
}

/** `countersign agents`. */
import type { Command } from 'commander'

export function addAgents(program: Command, done: (code: number) => void): void {
  const agents = program
    .command('agents')
    .description('answers the questions of agents that run at their provider (Claude Managed Agents)')
    .addHelpText('after', '\nExample:\n  countersign agents check sesn_01\n')
  agents
    .command('worker')
    .description('decides every call that a session waits with, and confirms or denies it')
    .argument('[sessions...]', 'ids of sessions; needs `ANTHROPIC_API_KEY`')
    .option('--all', 'every session of the workspace, new ones too')
    .option('--policy <file>', 'the policy to use; read again whenever it changes')
    .option('--role <name>', 'the role that calls are judged under')
    .option('--agent <name>', 'by which the policy knows the agent (default: claude-managed-agents)')
    .option('--url <url>', 'where the API is (default: `ANTHROPIC_BASE_URL`, else https://api.anthropic.com)')
    .option('--workspace <id>', 'of a key that may act in several')
    .addHelpText('after', '\nExample:\n  countersign agents worker --all\n')
    .action(async (sessions, options) => done(await (await import('./run.ts')).worker(sessions, options)))
  agents
    .command('check')
    .description('says which tools of a session run without a question; exit 1 where there is one')
    .argument('<sessions...>', 'ids of sessions; needs `ANTHROPIC_API_KEY`')
    .option('--url <url>', 'where the API is (default: `ANTHROPIC_BASE_URL`, else https://api.anthropic.com)')
    .option('--workspace <id>', 'of a key that may act in several')
    .addHelpText('after', '\nExample:\n  countersign agents check sesn_01\n')
    .action(async (sessions, options) => done(await (await import('./run.ts')).check(sessions, options)))
}

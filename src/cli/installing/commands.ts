/** `countersign init`, `uninstall` and `doctor`. */
import type { Command } from 'commander'

export function addInstalling(program: Command, done: (code: number) => void): void {
  const agentOption = ['--agent <name>', 'the agent to gate; default: claude-code'] as const
  const allOption = ['--all', 'every agent that is found on this machine'] as const
  const scopeOption = ['--scope <scope>', 'user, project or managed settings; default: user'] as const
  program
    .command('init')
    .description('writes a starter policy and installs the hook; shows what would change first')
    .option(...agentOption)
    .option(...allOption)
    .option('--policy <file>', 'a policy of yours, wherever it lies: the hook and the daemon hold to it')
    .option('--plugin <directory>', 'makes a plug-in of Claude Code there, and leaves the settings as they are')
    .option('--managed', 'the same as `--scope managed`')
    .option('--scope <scope>', 'managed settings (as root, for every user of the machine), user or project; default: asked, else user')
    .option('--role <name>', 'the role that calls of main sessions are judged under; subagents keep their own')
    .option('--role-from <variable>', 'the same, read at each call from this variable of the client')
    .option('--no-role', 'no role any more')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask')
    .option('--json', 'the changes as JSON')
    .addHelpText('after', example('countersign init --agent claude-code --dry-run'))
    .action(async (options) => done(await (await import('../commands/init.ts')).init(options)))
  program
    .command('uninstall')
    .description('takes the hook out of the settings again; the log and the policy stay')
    .option(...agentOption)
    .option(...allOption)
    .option('--plugin <directory>', 'takes the plug-in of Claude Code out of this directory instead')
    .option('--managed', 'the same as `--scope managed`')
    .option(...scopeOption)
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask')
    .option('--json', 'the changes as JSON')
    .addHelpText('after', example('countersign uninstall --dry-run'))
    .action(async (options) => done(await (await import('../commands/init.ts')).uninstall(options)))
  program
    .command('doctor')
    .description('proves that the gate is really in force: a canary call through every installed hook')
    .option('--live', 'also run the real client, headless, on a model of our own: a marker proves what it runs')
    .option('--client <program>', 'the client that --live runs (default: claude)')
    .option('--plugin <directory>', 'also looks at the plug-in of Claude Code in this directory')
    .option('--json', 'as JSON')
    .addHelpText('after', example('countersign doctor --live'))
    .action(async (options) => done(await (await import('../commands/doctor.ts')).doctor(options)))
}

function example(line: string): string {
  return `\nExample:\n  ${line}\n`
}

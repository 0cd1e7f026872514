/** The commands about policies that projects bring. */
import type { Command } from 'commander'

const example = (text: string) => `\nExample:\n  ${text}\n`

export function addTrust(program: Command, done: (code: number) => void): void {
  const trust = program
    .command('trust')
    .description('shows what the policy of a project would change, and trusts exactly that file once you say yes')
    .argument('[dir]', 'the directory that holds the policy; default this one')
    .addHelpText('after', example('countersign trust ~/src/shop'))
    .action(async (dir) => done(await (await import('./trust.ts')).trust(dir)))
  trust
    .command('list')
    .description('every policy file that is trusted, and whether it changed since')
    .option('--json', 'as JSON lines')
    .addHelpText('after', example('countersign trust list'))
    .action(async (options) => done(await (await import('./trust.ts')).list(options)))
  trust
    .command('revoke')
    .description('the policy of the directory only tightens yours again')
    .argument('[dir]', 'the directory that holds the policy; default this one')
    .addHelpText('after', example('countersign trust revoke ~/src/shop'))
    .action(async (dir) => done(await (await import('./trust.ts')).revoke(dir)))
}

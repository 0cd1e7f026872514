import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { sqlFile, sqlWord } from '../data/databases.ts'
import { nameOf } from '../tool.ts'
import { platform } from './platforms.ts'

/** `wrangler`, whose databases are told SQL on the command line. */

const commands = platform({
  provider: 'cloudflare',
  deploys: ['deploy', 'publish', 'pages deploy', 'pages publish', 'versions upload', 'versions deploy', 'rollback', 'triggers deploy'],
  secrets: ['auth token'],
  local: ['dev', 'generate', 'init', 'types', 'pages dev', 'pages functions', 'setup', 'check', 'd1 migrations create'],
  reads: [
    'tail',
    'deployments',
    'secret list',
    'kv key get',
    'kv key list',
    'r2 object get',
    'd1 info',
    'pages deployment list',
    'pages deployment tail',
    'pages project list',
    'versions list',
    'versions view',
  ],
  updates: [
    'secret put',
    'secret bulk',
    'd1 execute',
    'd1 migrations apply',
    'd1 time-travel restore',
    'kv key put',
    'kv bulk put',
    'r2 object put',
    'queues',
    'pages secret put',
  ],
  deletes: [
    'delete',
    'secret delete',
    'kv key delete',
    'kv bulk delete',
    'kv namespace delete',
    'r2 object delete',
    'r2 bucket delete',
    'd1 delete',
  ],
  inert: '-h --dry-run',
  flags: '--preview',
})

/** `wrangler d1 execute DATABASE --command SQL`, or `--file`. False where it is no such command. */
function executed(parsed: ParsedCommand, context: CommandContext): boolean {
  const [group, verb, name] = parsed.operands
  const text = parsed.value('--command')
  const file = parsed.value('--file')
  if (group?.text !== 'd1' || verb?.text !== 'execute' || (text === null && file === null)) return false
  const client = { database: context.thing('database', name === undefined ? 'd1' : nameOf(name)), name: 'wrangler' }
  const run = (inside: CommandContext): void => {
    if (text !== null) sqlWord(text, client, inside)
    if (file !== null) sqlFile(file, client, inside)
  }
  if (parsed.flag('--remote')) context.within({ attributes: { remote: 'cloudflare' }, remote: false }, run)
  else run(context)
  return true
}

const options = Object.fromEntries(Object.entries(commands.options ?? {}).filter(([name]) => name !== '--remote'))

export const wrangler: CommandSpec = {
  ...commands,
  flags: [...(commands.flags ?? []), '--remote'],
  options,
  refine: (parsed, context) => {
    if (!executed(parsed, context)) commands.refine?.(parsed, context)
  },
}

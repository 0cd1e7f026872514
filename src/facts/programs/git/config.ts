import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { known, list, nameOf, refined, takes } from '../tool.ts'
import { configKind, forgetsAtOnce, inTree } from './code.ts'

/** `git config`: what is read, what is set, and whether git will run it later. */

/** Where `git config` writes. */
function configScope(parsed: ParsedCommand): string {
  if (parsed.flag('--system')) return 'system'
  if (parsed.flag('--global')) return 'global'
  if (parsed.value('-f', '--file') !== null) return 'file'
  return parsed.flag('--worktree') ? 'worktree' : 'local'
}

/** An alias that is another spelling of a subcommand runs nothing that git would not run; `!` runs a shell, and options may name programs. */
function isShortcut(key: string, value: Word | undefined): boolean {
  const text = value?.text ?? ''
  return (
    /^alias\.[\w-]+$/i.test(key) &&
    /^[a-z][a-z-]*(?:\s[^!$`]*)?$/.test(text) &&
    !/\s-(?:[xcO]|-(?:ex|upload|receive|open|config))/.test(text)
  )
}

function configWrite([key, value]: readonly (Word | undefined)[], parsed: ParsedCommand, context: CommandContext): void {
  const name = key === undefined ? '(unknown)' : nameOf(key)
  const kind = key?.text === null ? 'trust' : isShortcut(name, value) ? 'plain' : configKind(name)
  const file = parsed.value('-f', '--file')
  const attributes = { key: name, value: known(value), scope: configScope(parsed), ...(kind === 'plain' ? {} : { runs_code: true }) }
  const target = file === null ? context.thing('variable', name) : context.path(inTree(parsed, file))
  context.emit(kind === 'plain' ? 'change' : 'persist', target, { action: 'git:config', attributes })
  if (forgetsAtOnce(name, value?.text ?? null))
    context.emit('change', target, { action: 'git:history', reversible: false, attributes: { operation: 'expire' } })
}

/** Settings whose value lets whoever has it in. */
const SECRET_KEY = /(?:^|\.)(?:extraheader|proxyauthpassword|password|\w*token|smtppass)$/i

function configRead(key: Word | undefined, parsed: ParsedCommand, context: CommandContext): void {
  context.emit('read', context.thing('variable', key === undefined ? 'git configuration' : nameOf(key)), {
    action: SECRET_KEY.test(key?.text ?? '') ? 'secret:read' : 'git:config-read',
    attributes: { scope: configScope(parsed) },
  })
}

const READ_WORDS = ['get', 'list', 'get-color', 'get-colorbool']
const WRITE_WORDS = ['set', 'unset', 'rename-section', 'remove-section', 'edit']

function reads(parsed: ParsedCommand): boolean {
  return parsed.flag('-l', '--list', '--get', '--get-all', '--get-regexp', '--get-urlmatch', '--get-color', '--get-colorbool')
}

function writes(parsed: ParsedCommand): boolean {
  return parsed.flag('--unset', '--unset-all', '--remove-section', '--rename-section', '--add', '--replace-all')
}

/** Both syntaxes: `git config --get k`, `git config k v`, and `git config set k v` of git 2.46 and later. */
function config(parsed: ParsedCommand, context: CommandContext): void {
  const [first, second, third] = parsed.operands
  const word = first?.text ?? ''
  if (reads(parsed)) configRead(first, parsed, context)
  else if (parsed.flag('-e', '--edit')) context.emit('execute', context.thing('program', 'editor'), { action: 'git:config' })
  else if (writes(parsed)) configWrite([first, second], parsed, context)
  else if (READ_WORDS.includes(word)) configRead(second, parsed, context)
  else if (WRITE_WORDS.includes(word)) configWrite([second, third], parsed, context)
  else if (second === undefined) configRead(first, parsed, context)
  else configWrite([first, second], parsed, context)
}

/** `git config`. */
export const CONFIG: CommandSpec = refined(config, {
  flags: list(
    '--global --system --local --worktree -l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool ' +
      '--add --replace-all --unset --unset-all --remove-section --rename-section -e --edit -z --null --name-only ' +
      '--show-origin --show-scope --bool --int --bool-or-int --path --expiry-date --includes --no-includes --fixed-value ' +
      '--all --regexp --append',
  ),
  options: takes('-f --file --blob --type --default --comment --value --url'),
})

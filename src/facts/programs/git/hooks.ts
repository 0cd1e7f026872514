import type { CommandContext, ParsedCommand, Word } from '../../host.ts'
import { fileAt } from '../../resources/file-text.ts'
import { knownWord } from '../../resources/text/word.ts'
import { list } from '../tool.ts'
import { workTree } from './code.ts'

/** Hooks that this very call put into a repository: git runs them at the next act, whatever that is. */

/** The message that two hooks are given to look at. */
const MESSAGE = list('commit-msg prepare-commit-msg')

const COMMIT = list('pre-commit prepare-commit-msg commit-msg post-commit post-rewrite')
const HOOKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['commit', COMMIT],
  ['cherry-pick', COMMIT],
  ['revert', COMMIT],
  ['merge', list('pre-merge-commit prepare-commit-msg commit-msg post-merge')],
  ['pull', list('pre-merge-commit prepare-commit-msg commit-msg post-merge pre-rebase post-checkout post-rewrite')],
  ['rebase', list('pre-rebase post-checkout post-rewrite prepare-commit-msg post-commit')],
  ['am', list('applypatch-msg pre-applypatch post-applypatch')],
  ['checkout', ['post-checkout']],
  ['switch', ['post-checkout']],
  ['worktree', ['post-checkout']],
  ['push', ['pre-push']],
  ['gc', ['pre-auto-gc']],
])
/** Whatever moves a reference or writes the index, and a mere `git status` writes it. */
const ALWAYS = list('reference-transaction post-index-change')
const EVERY: ReadonlySet<string> = new Set([...[...HOOKS.values()].flat(), ...ALWAYS])
/** What `--no-verify` leaves out. */
const VERIFYING: ReadonlySet<string> = new Set(list('pre-commit commit-msg pre-merge-commit pre-push'))

/** The hooks of a subcommand that may run. */
function hooksOf(parsed: ParsedCommand): readonly string[] {
  const [subcommand] = parsed.path
  if (subcommand === undefined) return []
  if (subcommand === 'hook') return parsed.operands.flatMap(({ text }) => text ?? []).slice(0, 1)
  const unverified = parsed.flag('--no-verify') || (subcommand === 'commit' && parsed.flag('-n'))
  const named = HOOKS.get(subcommand) ?? []
  return [...(unverified ? named.filter((name) => !VERIFYING.has(name)) : named), ...ALWAYS]
}

/** Where hooks lie that are not in the repository (`-c core.hooksPath=…`); null where they are. */
function hooksPath(parsed: ParsedCommand, context: CommandContext): string | null {
  const setting = parsed.values('-c').findLast(({ text }) => /^core\.hookspath=/i.test(text ?? ''))
  if (setting === undefined) return null
  const value = setting.text?.slice('core.hooksPath='.length) ?? ''
  const tree = workTree(parsed)
  return context.path(knownWord(value.startsWith('/') || tree === '.' ? value : `${tree}/${value}`, setting.span)).real
}

/** Runs the hooks of the subcommand that this very call wrote into the repository, or where it is told to look for them. */
export function writtenHooks(parsed: ParsedCommand, context: CommandContext): void {
  const made = context.made()
  if (made.length === 0) return
  const hooks = hooksOf(parsed)
  if (hooks.length === 0) return
  const { span } = parsed.invocation
  const tree = knownWord(workTree(parsed), span)
  const here = context.path(tree).real
  const elsewhere = hooksPath(parsed, context)
  for (const path of made) {
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    if (!hooks.includes(name)) continue
    const directory = path.slice(0, slash)
    const top = /^(.*)\/\.git\/hooks$/.exec(directory)?.[1]
    const own = elsewhere === null && top !== undefined && here !== null && `${here}/`.startsWith(`${top}/`)
    if (own || directory === elsewhere) runHook(knownWord(path, span), { name, top: own ? knownWord(top, span) : tree }, context)
  }
}

/** Hooks that a project keeps among its files. Its `prepare` script leads git there, so they run in every checkout that is set up. */
export function keptHooks(parsed: ParsedCommand, context: CommandContext): void {
  if (!HOOKS.has(parsed.path[0] ?? '') || hooksPath(parsed, context) !== null) return
  const { span } = parsed.invocation
  const here = context.path(knownWord(workTree(parsed), span)).real
  const top = here === null ? undefined : context.view.git(here)?.top
  if (top === undefined) return
  const directory = knownWord(top, span)
  const husky = `${top}/.husky/`
  const made = context.made().flatMap((path) => (path.startsWith(husky) ? path.slice(husky.length) : []))
  const kept = new Set([...made, ...(context.view.list(husky.slice(0, -1), MOST_KEPT) ?? [])])
  const hooks = hooksOf(parsed)
  for (const name of hooks) if (kept.has(name)) runHook(knownWord(husky + name, span), { name, top: directory }, context)
  if (fileAt(`${top}/lefthook.yml`, context, { span, limit: 1 }) === null) return
  context.within({ attributes: {}, remote: false, certainty: 'likely', directory }, (inner) => {
    for (const name of hooks)
      inner.command(
        ['lefthook', 'run', name].map((word) => knownWord(word, span)),
        'git',
      )
  })
}

/** Names read of `.husky`. */
const MOST_KEPT = 64

/** Runs the hooks that this very call wrote where `git config core.hooksPath` now leads: the next act of git does. */
export function configuredHooks(parsed: ParsedCommand, context: CommandContext): void {
  const words = parsed.operands.filter(({ text }) => text !== 'set')
  const [key, value] = words
  if (parsed.path[0] !== 'config' || key?.text?.toLowerCase() !== 'core.hookspath' || value === undefined || value.text === null) return
  const directory = context.path(value).real
  const top = knownWord(workTree(parsed), value.span)
  context.within({ attributes: {}, remote: false, certainty: 'possible' }, (inner) => {
    for (const path of inner.made()) {
      const slash = path.lastIndexOf('/')
      const name = path.slice(slash + 1)
      if (path.slice(0, slash) === directory && EVERY.has(name)) runHook(knownWord(path, value.span), { name, top }, inner)
    }
  })
}

function runHook(path: Word, { name, top }: { readonly name: string; readonly top: Word }, context: CommandContext): void {
  const given: Word = { text: null, prefix: '', glob: false, dynamic: true, span: path.span }
  const args = MESSAGE.includes(name) ? [knownWord('.git/COMMIT_EDITMSG', path.span), given] : [given, given, given]
  context.within({ attributes: { hook: name }, remote: false, directory: top }, (inner) => inner.script(null, path, args))
}

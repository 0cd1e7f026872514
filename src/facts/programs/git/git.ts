import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { list, takes, tool } from '../tool.ts'
import { gitCode, workTree } from './code.ts'
import { GIT_HISTORY } from './history.ts'
import { configuredHooks, keptHooks, writtenHooks } from './hooks.ts'
import { GIT_READ } from './read.ts'
import { GIT_REMOTE } from './remote.ts'
import { GIT_WORK } from './work.ts'

/** git: global options, aliases, and the subcommands of the other `git-*.ts` files. */

const GLOBAL: Pick<CommandSpec, 'flags' | 'options' | 'optionalValues'> = {
  flags: list(
    '-p --paginate -P --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice ' +
      '--literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --version ' +
      '-v',
  ),
  options: takes('-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source'),
  optionalValues: list('--exec-path --list-cmds'),
}

/** An alias of the command line (`-c alias.p=push`) or of the repository. */
function aliasOf(name: string, parsed: ParsedCommand, context: CommandContext): string | null {
  for (const word of parsed.values('-c')) {
    const key = `alias.${name}=`
    if (word.text?.toLowerCase().startsWith(key.toLowerCase())) return word.text.slice(key.length)
  }
  const tree = workTree(parsed)
  const where = tree.startsWith('/') ? tree : context.cwd === null ? null : tree === '.' ? context.cwd : `${context.cwd}/${tree}`
  const aliases = where === null ? undefined : context.view.git(where)?.aliases
  return aliases !== undefined && Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null
}

/** An unknown subcommand is an alias or an external program `git-x`: both may do anything. */
function alias(parsed: ParsedCommand, context: CommandContext): boolean {
  const first = parsed.operands[0]
  if (first === undefined || first.text === null || parsed.path.length > 0) return false
  const body = aliasOf(first.text, parsed, context)
  if (body === null) {
    context.opaque(`\`git ${first.text}\` is an alias or an external program that is not known here`, first.span)
    return false
  }
  // What stands behind the name is the alias', options and all.
  const { args } = parsed.invocation
  const rest = args.slice(args.indexOf(first) + 1)
  if (body.startsWith('!')) {
    // Wherever it is called, it runs at the top of the work tree.
    const tree = workTree(parsed)
    const { real } = context.path(knownWord(tree, first.span))
    const top = (real === null ? null : context.view.git(real)?.top) ?? tree
    const code = body.slice(1)
    const words = ['sh', '-c', `${code} "$@"`].map((part) => knownWord(part, first.span))
    const run = (inner: CommandContext): void =>
      rest.length === 0 ? inner.shell(code, first.span, 'git') : inner.command([...words, first, ...rest], 'git')
    if (top === '.' || top === context.cwd) run(context)
    else context.within({ attributes: {}, remote: false, directory: knownWord(top, first.span) }, run)
    return true
  }
  const words = body.split(' ').filter((part) => part !== '' && !QUOTES.some((quote) => part.includes(quote)))
  if (words[0] === first.text) return false
  const tree = workTree(parsed)
  const global = ['git', ...(tree === '.' ? [] : ['-C', tree])]
  // The alias is git again, in the same directory.
  context.within({ attributes: {}, remote: false, directory: knownWord('.', first.span) }, (inner) =>
    inner.command([...[...global, ...words].map((part) => knownWord(part, first.span)), ...rest], 'git'),
  )
  return true
}

const QUOTES = ['"', "'", '\\']

/** What git runs of others whatever its subcommand does. */
function runs(parsed: ParsedCommand, context: CommandContext): void {
  gitCode(parsed, context)
  writtenHooks(parsed, context)
  keptHooks(parsed, context)
  configuredHooks(parsed, context)
}

/** Dashed spellings run the same code: `git-receive-pack`, `git-upload-pack`. */
const DASHED = ['upload-pack', 'receive-pack', 'upload-archive']

/** Options by which git takes another repository, other settings or other remotes than those of its directory. */
const LEADING = ['--git-dir', '--work-tree', '--namespace', '--config-env']
const REMOTES = /^(?:remote|url|include|includeif|branch|push|core)\./i

/** Where git works: as `-C` says; null where that is not known. Undefined: where it runs. */
function placeOf(parsed: ParsedCommand): Word | null | undefined {
  if (parsed.value(...LEADING) !== null || parsed.values('-c').some(({ text }) => text === null || REMOTES.test(text))) return null
  const tree = workTree(parsed)
  if (tree === '.') return undefined
  const { args, program } = parsed.invocation
  const end = args.findIndex(({ text }) => text !== null && text === parsed.path[0])
  return args.slice(0, end < 0 ? undefined : end).some(({ text }) => text === null) ? null : knownWord(tree, program.span)
}

/** Every subcommand says of its effects where git works. */
function placed(spec: CommandSpec): CommandSpec {
  const { refine, subcommands } = spec
  return {
    ...spec,
    ...(subcommands === undefined
      ? {}
      : { subcommands: Object.fromEntries(Object.entries(subcommands).map(([name, node]) => [name, placed(node)])) }),
    ...(refine === undefined
      ? {}
      : {
          refine: (parsed, context) => {
            const worksIn = placeOf(parsed)
            if (worksIn === undefined) refine(parsed, context)
            else context.within({ attributes: {}, remote: false, worksIn }, (inner) => refine(parsed, inner))
          },
        }),
  }
}

const GIT = placed(
  tool('git', {
    everywhere: runs,
    fallback: alias,
    ...GLOBAL,
    subcommands: { ...GIT_READ, ...GIT_WORK, ...GIT_HISTORY, ...GIT_REMOTE },
  }),
)

function dashed(): CommandTable {
  return Object.fromEntries(DASHED.map((name) => [`git-${name}`, GIT_REMOTE[name] ?? {}]))
}

export const git: CommandTable = { git: GIT, ...dashed() }

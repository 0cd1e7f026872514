import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { lexical, toPath } from '../../resources/path/index.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, known, list, refined, takes } from '../tool.ts'
import { APPLYING } from './apply.ts'
import { gitFlag, inTree, workTree } from './code.ts'
import { GIT_COMMIT } from './commit.ts'
import { CONFIG } from './config.ts'

/** git subcommands that act on the work tree, the index and the configuration. */

const repository = (parsed: ParsedCommand, context: CommandContext) => context.thing('repository', workTree(parsed))

/** Uncommitted work in these paths is lost; without paths, in the whole tree. */
interface Discard {
  readonly operation: string
  /** True: what the index holds takes its place, and not what some commit does. Default false. */
  readonly fromIndex?: boolean
  readonly words: readonly Word[]
}

function discard({ operation, fromIndex = false, words }: Discard, parsed: ParsedCommand, context: CommandContext): void {
  const options = { action: 'git:discard', reversible: false, certainty: 'likely', attributes: { operation } } as const
  if (words.length === 0) context.emit('change', repository(parsed, context), options)
  for (const word of words) {
    const named = inTree(parsed, word)
    const single = namesOneFile(named, parsed, context) ? { single_file: true, ...(fromIndex ? { from_index: true } : {}) } : {}
    context.emit('change', context.path(named), { ...options, attributes: { operation, ...single } })
  }
}

const LEADING_AWAY = ['-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--pathspec-from-file']
const LEADING_VARIABLES = list(
  'GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_LITERAL_PATHSPECS GIT_ICASE_PATHSPECS GIT_GLOB_PATHSPECS GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS',
)

/** True of the name of one file, which is no pattern of git's and leads through no link, in the repository that the command works in. */
function namesOneFile({ text, glob }: Word, parsed: ParsedCommand, context: CommandContext): boolean {
  const { cwd, view } = context
  if (text === null || glob || cwd === null || /^[~:]|[*?[\]\\]/.test(text) || parsed.value(...LEADING_AWAY) !== null) return false
  if (LEADING_VARIABLES.some((name) => context.variable(name) !== null)) return false
  const path = absolute(text, cwd)
  const { real, type } = view.realpath(path)
  if (type !== 'file' || real !== path) return false
  const top = view.git(path.slice(0, path.lastIndexOf('/')) || '/')?.top
  return top !== undefined && top === view.git(absolute(workTree(parsed), cwd))?.top
}

const absolute = (path: string, cwd: string): string => toPath(lexical(path.startsWith('/') ? path : `${cwd}/${path}`).names)

/** An operand that can only be a path: git reads anything else as a branch or a commit first. */
function isPath(word: Word, context: CommandContext): boolean {
  if (word.text === null) return false
  const text = word.text
  if (text === '.' || text.startsWith('./') || text.startsWith('../') || text.startsWith('/') || text.startsWith(':')) return true
  if (word.glob || text.endsWith('/')) return true
  if (context.cwd === null) return text.includes('.') && !text.includes('..')
  return context.view.realpath(`${context.cwd}/${text}`).type !== 'missing'
}

const CHECKOUT_FLAGS = list(
  '-f --force -q --quiet --progress --no-progress -t --no-track -d --detach -m --merge -p --patch --ours --theirs --guess ' +
    '--no-guess --ignore-skip-worktree-bits --overlay --no-overlay --pathspec-file-nul --discard-changes ' +
    '--ignore-other-worktrees -l --overwrite-ignore',
)

function checkout(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.rest.length > 0) {
    discard({ operation: 'checkout', fromIndex: parsed.operands.length === parsed.rest.length, words: parsed.rest }, parsed, context)
    return
  }
  const creating = parsed.value('-b', '-B', '--orphan') !== null
  if (gitFlag(parsed, '-f', '--force')) discard({ operation: 'checkout', words: [] }, parsed, context)
  const paths = creating ? [] : parsed.operands.filter((word, at) => isPath(word, context) || (at > 0 && !gitFlag(parsed, '--detach')))
  if (paths.length > 0 || parsed.value('--pathspec-from-file') !== null) {
    discard({ operation: 'checkout', fromIndex: paths.length === parsed.operands.length, words: paths }, parsed, context)
    return
  }
  context.emit('change', repository(parsed, context), {
    action: 'git:checkout',
    attributes: { branch: known(parsed.value('-b', '-B', '--orphan') ?? parsed.operands[0]) },
  })
}

function switching(parsed: ParsedCommand, context: CommandContext): void {
  if (gitFlag(parsed, '-f', '--force', '--discard-changes')) discard({ operation: 'switch', words: [] }, parsed, context)
  context.emit('change', repository(parsed, context), { action: 'git:checkout', attributes: { branch: known(parsed.operands[0]) } })
}

function restore(parsed: ParsedCommand, context: CommandContext): void {
  const staged = gitFlag(parsed, '-S', '--staged')
  if (staged && !gitFlag(parsed, '-W', '--worktree')) {
    context.emit('change', repository(parsed, context), { action: 'git:index' })
    return
  }
  discard({ operation: 'restore', fromIndex: !staged && parsed.value('-s', '--source') === null, words: parsed.operands }, parsed, context)
}

function clean(parsed: ParsedCommand, context: CommandContext): void {
  if (gitFlag(parsed, '-n', '--dry-run')) {
    context.emit('read', repository(parsed, context), { action: 'git:read' })
    return
  }
  const force = gitFlag(parsed, '-f', '--force')
  const configured = parsed.values('-c').some((word) => (word.text ?? word.prefix).toLowerCase().startsWith('clean.requireforce'))
  const words = parsed.operands
  const paths = words.length > 0 ? words : [knownWord('.', parsed.invocation.span)]
  for (const word of paths) {
    context.emit('delete', context.path(inTree(parsed, word)), {
      action: 'git:discard',
      reversible: false,
      certainty: force || configured ? 'certain' : 'possible',
      attributes: {
        operation: 'clean',
        force,
        recursive: gitFlag(parsed, '-d'),
        ignored: gitFlag(parsed, '-x') || gitFlag(parsed, '-X'),
        interactive: gitFlag(parsed, '-i', '--interactive'),
      },
    })
  }
}

function remove(parsed: ParsedCommand, context: CommandContext): void {
  if (gitFlag(parsed, '-n', '--dry-run')) {
    context.emit('read', repository(parsed, context), { action: 'git:read' })
    return
  }
  if (gitFlag(parsed, '--cached')) {
    context.emit('change', repository(parsed, context), { action: 'git:index' })
    return
  }
  const force = gitFlag(parsed, '-f', '--force')
  for (const word of parsed.operands) {
    const target = context.path(inTree(parsed, word))
    context.emit('delete', target, { action: 'git:rm', reversible: !force, attributes: { force, recursive: gitFlag(parsed, '-r') } })
  }
}

function move(parsed: ParsedCommand, context: CommandContext): void {
  if (gitFlag(parsed, '-n', '--dry-run')) {
    context.emit('read', repository(parsed, context), { action: 'git:read' })
    return
  }
  const words = parsed.operands
  for (const word of words.slice(0, -1)) context.emit('delete', context.path(inTree(parsed, word)), { action: 'git:mv', reversible: true })
  const last = words.at(-1)
  if (last !== undefined) context.emit('write', context.path(inTree(parsed, last)), { action: 'git:mv' })
}

const changing = (action: string, spec: CommandSpec = {}): CommandSpec =>
  does({ verb: 'change', action, kind: 'repository', value: '.' }, spec)
/** What stops at conflicts and is gone on with, or given up with all that was resolved. */
const resumable = (action: string, spec: CommandSpec): CommandSpec =>
  refined((parsed, context) => {
    const attributes = gitFlag(parsed, '--abort') ? { abandons: true } : {}
    context.emit('change', repository(parsed, context), { action, attributes })
  }, spec)
const reading: CommandSpec = does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' })

const WORKTREE: CommandSpec = {
  subcommands: byName({
    add: refined(
      (parsed, context) => {
        const word = parsed.operands[0]
        if (word !== undefined)
          context.emit('write', context.path(inTree(parsed, word)), { action: 'git:worktree', attributes: { recursive: true } })
      },
      {
        flags: list('-f --force --detach -d --checkout --no-checkout --lock --orphan -q --quiet --track --guess-remote'),
        options: takes('-b -B --reason'),
      },
    ),
    // Without force git refuses where anything in it is not committed.
    remove: refined(
      (parsed, context) => {
        const [word] = parsed.operands
        const force = gitFlag(parsed, '-f', '--force')
        if (word === undefined) return
        const target = context.path(inTree(parsed, word))
        context.emit('delete', target, { action: 'git:worktree', reversible: !force, span: word.span, attributes: force ? { force } : {} })
      },
      { flags: list('-f --force') },
    ),
    list: reading,
    'move lock unlock prune repair': changing('git:worktree'),
  }),
}

/** Subcommands that change files, the index, or the configuration. */
export const GIT_WORK: Readonly<Record<string, CommandSpec>> = byName({
  ...GIT_COMMIT,
  checkout: refined(checkout, {
    flags: CHECKOUT_FLAGS,
    options: takes('-b -B --orphan --conflict --pathspec-from-file'),
    optionalValues: list('--track --recurse-submodules'),
  }),
  switch: refined(switching, {
    flags: CHECKOUT_FLAGS,
    options: takes('-c -C --create --force-create --orphan --conflict'),
    optionalValues: list('--track --recurse-submodules'),
  }),
  restore: refined(restore, {
    flags: list(
      '-S --staged -W --worktree -p --patch -q --quiet --progress --ours --theirs -m --merge --ignore-unmerged --overlay --no-overlay',
    ),
    options: takes('-s --source --conflict --pathspec-from-file'),
  }),
  clean: refined(clean, { flags: list('-d -f --force -i --interactive -n --dry-run -q --quiet -x -X'), options: takes('-e --exclude') }),
  rm: refined(remove, {
    flags: list('-f --force -n --dry-run -r --cached --ignore-unmatch --sparse -q --quiet'),
    options: takes('--pathspec-from-file'),
  }),
  mv: refined(move, { flags: list('-f --force -k -n --dry-run -v --verbose --sparse') }),
  ...APPLYING,
  config: CONFIG,
  worktree: WORKTREE,
  init: refined(
    (parsed, context) => {
      context.emit('write', context.path(inTree(parsed, parsed.operands[0] ?? knownWord('.git', parsed.invocation.span))), {
        action: 'git:init',
      })
      for (const word of parsed.values('--template'))
        context.emit('execute', context.path(word), { action: 'git:hooks', certainty: 'likely' })
    },
    {
      flags: list('-q --quiet --bare'),
      options: takes('--template --separate-git-dir --object-format -b --initial-branch'),
      optionalValues: ['--shared'],
    },
  ),
  'merge cherry-pick revert': resumable('git:merge', {
    flags: list(
      '--commit --no-commit -n -e --edit --no-edit --ff --no-ff --ff-only --squash --no-squash -s --signoff --stat --no-stat ' +
        '--abort --continue --skip --quit --no-verify -q -v --quiet --verbose --autostash --allow-unrelated-histories -x ' +
        '--allow-empty --keep-redundant-commits',
    ),
    options: takes('-m --message -F --file --strategy -X --strategy-option --into-name -m --mainline --cleanup'),
    optionalValues: list('-S --gpg-sign --log'),
  }),
  'update-index write-tree commit-tree mktree mktag merge-file merge-index stage sparse-checkout merge-tree': changing('git:index', {
    flags: list('-q -f -u -m -z --add --remove --refresh'),
    options: takes('-p -F --index-info'),
  }),
  'read-tree': refined(
    (parsed, context) => {
      if (parsed.flag('--reset') && parsed.flag('-u')) discard({ operation: 'read-tree', words: [] }, parsed, context)
      else context.emit('change', repository(parsed, context), { action: 'git:index' })
    },
    {
      flags: list('-m -u -i -n -v -q --reset --trivial --aggressive --empty --dry-run'),
      options: takes('--prefix'),
      inert: ['-n', '--dry-run'],
    },
  ),
  'checkout-index': refined(
    (parsed, context) => {
      const words = parsed.flag('-a', '--all') ? [] : parsed.operands
      if (parsed.flag('-f', '--force')) discard({ operation: 'checkout-index', words }, parsed, context)
      else context.emit('change', repository(parsed, context), { action: 'git:index' })
    },
    { flags: list('-u -q -f -a -n -z --index --quiet --force --all --no-create --temp --stdin'), options: takes('--prefix --stage') },
  ),
  'hash-object': does(
    [
      { verb: 'read', action: 'git:read', kind: 'path', from: 0 },
      { verb: 'change', action: 'git:objects', kind: 'repository', value: '.', when: (parsed) => parsed.flag('-w') },
    ],
    { flags: list('-w --stdin --no-filters --literally'), options: takes('-t --path') },
  ),
  mergetool: refined((_, context) => context.emit('execute', context.thing('program', 'git mergetool'), { action: 'git:tool' }), {
    options: takes('-t --tool'),
    flags: list('-y --no-prompt -g --gui'),
  }),
  maintenance: {
    subcommands: byName({
      'start register': does({ verb: 'persist', action: 'git:maintenance', kind: 'service', value: 'git maintenance' }),
      'run stop unregister': changing('git:gc'),
    }),
  },
  hook: { subcommands: { run: does({ verb: 'execute', action: 'git:hooks', kind: 'program', at: 0 }) } },
})

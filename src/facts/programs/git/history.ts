import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, list, nameOf, refined, takes } from '../tool.ts'
import { gitFlag, inTree, ownLetter, workTree } from './code.ts'
import { STASH_SHOW } from './read.ts'

/** git subcommands that move, rewrite or forget history: reset, rebase, branches, tags, stash, reflog, gc. */

/** What happens to history; `lost` where commits can no longer be found by name or reflog. */
interface Rewrite {
  readonly operation: string
  readonly lost: boolean
  /** What was under way is given up, with every conflict that was resolved in it. */
  readonly abandons?: boolean
}

function history({ operation, lost, abandons = false }: Rewrite, parsed: ParsedCommand, context: CommandContext): void {
  const names = parsed.operands.length > 0 && lost ? parsed.operands.map(nameOf) : [workTree(parsed)]
  const action = DISCARDS.has(operation) ? 'git:discard' : 'git:history'
  for (const name of names) {
    context.emit('change', context.thing('repository', name), {
      action,
      reversible: !lost,
      attributes: { operation, ...(abandons ? { abandons } : {}) },
    })
  }
}

/** Work thrown away that nothing else names: unmerged branches, stashes. */
const DISCARDS: ReadonlySet<string> = new Set(['branch-delete', 'stash-drop', 'stash-clear'])

const rewriting = (operation: string, lost: boolean, spec: CommandSpec = {}): CommandSpec =>
  refined((parsed, context) => history({ operation, lost }, parsed, context), spec)

const reading = (spec: CommandSpec = {}): CommandSpec => does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }, spec)

function reset(parsed: ParsedCommand, context: CommandContext): void {
  const hard = gitFlag(parsed, '--hard')
  const target = context.thing('repository', workTree(parsed))
  if (hard || gitFlag(parsed, '--merge')) {
    context.emit('change', target, {
      action: 'git:discard',
      reversible: false,
      certainty: hard ? 'certain' : 'likely',
      attributes: { operation: 'reset', hard, to: parsed.operands[0] === undefined ? 'HEAD' : nameOf(parsed.operands[0]) },
    })
    return
  }
  context.emit('change', target, { action: 'git:reset' })
}

/** `--exec` and its kin: text that git hands to a shell. */
function runs(parsed: ParsedCommand, context: CommandContext, ...names: readonly string[]): void {
  for (const word of parsed.values(...names)) context.shell(word.text, word.span, 'git')
}

const REBASE: CommandSpec = refined(
  (parsed, context) => {
    runs(parsed, context, '-x', '--exec')
    if (gitFlag(parsed, '--show-current-patch')) context.emit('read', context.thing('repository', workTree(parsed)), { action: 'git:read' })
    else history({ operation: 'rebase', lost: false, abandons: gitFlag(parsed, '--abort') }, parsed, context)
  },
  {
    flags: list(
      '-i --interactive --continue --skip --abort --quit --edit-todo --show-current-patch -m --merge -p -r --keep-base --root ' +
        '--autosquash --no-autosquash --autostash --no-autostash -q -v --quiet --verbose -f --force-rebase --no-ff --ff ' +
        '--fork-point --no-fork-point --signoff --no-verify --stat -n --no-stat --update-refs --apply --reapply-cherry-picks ' +
        '--keep-empty --committer-date-is-author-date --ignore-whitespace',
    ),
    options: takes('--onto -x --exec -s --strategy -X --strategy-option -C --whitespace --empty'),
    optionalValues: list('--rebase-merges -S --gpg-sign'),
  },
)

const FILTERS = list('--tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter --setup')
const FILTER_BRANCH: CommandSpec = refined(
  (parsed, context) => {
    runs(parsed, context, ...FILTERS)
    history({ operation: 'filter-branch', lost: true }, parsed, context)
  },
  { flags: list('-f --force --prune-empty'), options: takes(`${FILTERS.join(' ')} --subdirectory-filter --original -d --state-branch`) },
)

const FILTER_REPO: CommandSpec = refined(
  (parsed, context) => {
    for (const word of parsed.values(
      ...list(
        '--filename-callback --message-callback --name-callback --email-callback --blob-callback --commit-callback ' +
          '--refname-callback --tag-callback --reset-callback',
      ),
    )) {
      context.code('python', word.text, word.span)
    }
    if (!gitFlag(parsed, '--analyze')) history({ operation: 'filter-repo', lost: true }, parsed, context)
    else context.emit('read', context.thing('repository', workTree(parsed)), { action: 'git:read' })
  },
  {
    flags: list('--force -f --analyze --invert-paths --use-base-name --dry-run --partial --refs'),
    options: takes(
      '--path --path-glob --path-regex --path-rename --replace-text --replace-message --strip-blobs-bigger-than ' +
        '--strip-blobs-with-ids --mailmap --subdirectory-filter --to-subdirectory-filter --filename-callback --message-callback ' +
        '--name-callback --email-callback --blob-callback --commit-callback --refname-callback --tag-callback --reset-callback ' +
        '--source --target',
    ),
    singleDashLong: false,
  },
)

const BRANCH: CommandSpec = refined(
  (parsed, context) => {
    const force = gitFlag(parsed, '-D') || (gitFlag(parsed, '-d', '--delete') && gitFlag(parsed, '-f', '--force'))
    if (force) return history({ operation: 'branch-delete', lost: true }, parsed, context)
    if (gitFlag(parsed, '-d', '--delete')) return history({ operation: 'merged-branch-delete', lost: false }, parsed, context)
    if (gitFlag(parsed, '-M') || ownLetter(parsed, 'C')) return history({ operation: 'branch-move', lost: false }, parsed, context)
    const listing = gitFlag(parsed, '-l', '--list', '-a', '--all', '-r', '--remotes', '--show-current', '-v', '-vv', '--verbose')
    const filtered = parsed.value('--contains', '--no-contains', '--merged', '--no-merged', '--points-at', '--sort', '--format') !== null
    const target = context.thing('repository', workTree(parsed))
    const setting = gitFlag(parsed, '-u', '--set-upstream-to', '--unset-upstream', '--edit-description', '-m', '--move', '--copy')
    if (!setting && !ownLetter(parsed, 'c') && (listing || filtered || parsed.operands.length === 0))
      context.emit('read', target, { action: 'git:read' })
    else context.emit('change', target, { action: 'git:branch', attributes: gitFlag(parsed, '-f', '--force') ? { force: true } : {} })
  },
  {
    flags: list(
      '-d --delete -D -m --move -M -c --copy -C -f --force -l --list -a --all -r --remotes -v -vv --verbose -q --quiet ' +
        '--show-current -i --ignore-case --no-column --no-track --create-reflog --unset-upstream --edit-description ' +
        '--recurse-submodules --omit-empty',
    ),
    options: takes('-u --set-upstream-to --sort --format --points-at'),
    optionalValues: list('-t --track --color --column --abbrev --contains --no-contains --merged --no-merged'),
  },
)

const TAG: CommandSpec = refined(
  (parsed, context) => {
    const target = context.thing('repository', workTree(parsed))
    if (gitFlag(parsed, '-d', '--delete')) return history({ operation: 'tag-delete', lost: true }, parsed, context)
    const listing = gitFlag(parsed, '-l', '--list', '-v', '--verify') || parsed.operands.length === 0
    if (listing) context.emit('read', target, { action: 'git:read' })
    else context.emit('change', target, { action: 'git:tag', reversible: !gitFlag(parsed, '-f', '--force') })
  },
  {
    flags: list(
      '-a --annotate -s --sign --no-sign -f --force -d --delete -v --verify -l --list -i --ignore-case -e --edit --create-reflog',
    ),
    options: {
      ...takes(
        '-m --message -u --local-user --sort --format --contains --no-contains --merged --no-merged --points-at --cleanup --trailer',
      ),
      ...takes('-F --file', 'read'),
    },
    optionalValues: list('-n --color --column'),
  },
)

const STASH_FLAGS = list(
  '-p --patch -S --staged -k --keep-index --no-keep-index -u --include-untracked -a --all -q --quiet --pathspec-file-nul',
)

const STASH_PUSH: CommandSpec = refined(
  (parsed, context) => {
    context.emit('change', context.thing('repository', workTree(parsed)), { action: 'git:stash' })
    // Of files that are named, what was changed in them is gone from where it stood.
    for (const word of [...parsed.operands, ...parsed.rest])
      context.emit('change', context.path(inTree(parsed, word)), { action: 'git:stash' })
  },
  {
    flags: STASH_FLAGS,
    options: takes('-m --message --pathspec-from-file'),
  },
)

const STASH_SAVE: CommandSpec = does({ verb: 'change', action: 'git:stash', kind: 'repository', value: '.' }, { flags: STASH_FLAGS })

const STASH: CommandSpec = {
  ...STASH_PUSH,
  subcommands: byName({
    push: STASH_PUSH,
    save: STASH_SAVE,
    'pop apply branch create store': does(
      { verb: 'change', action: 'git:stash', kind: 'repository', value: '.' },
      { flags: list('--index -q --quiet') },
    ),
    list: reading(),
    show: STASH_SHOW,
    drop: rewriting('stash-drop', true, { flags: list('-q --quiet') }),
    clear: rewriting('stash-clear', true),
  }),
}

const REFLOG: CommandSpec = {
  ...reading(),
  operands: ['data'],
  subcommands: byName({
    'show list exists': reading(),
    'expire delete': rewriting('reflog-expire', true, {
      flags: list('--all --rewrite --updateref --stale-fix -n --dry-run -v'),
      options: takes('--expire --expire-unreachable'),
      inert: ['--dry-run', '-n'],
    }),
  }),
}

const GC: CommandSpec = refined(
  (parsed, context) => {
    const prune = parsed.value('--prune')?.text ?? null
    const lost = prune !== null && prune !== 'never'
    const target = context.thing('repository', workTree(parsed))
    if (lost || gitFlag(parsed, '--prune'))
      context.emit('change', target, { action: 'git:history', reversible: false, attributes: { operation: 'gc', prune: prune ?? 'now' } })
    else context.emit('change', target, { action: 'git:gc' })
  },
  {
    flags: list('--aggressive --auto --quiet -q --force --no-prune --keep-largest-pack --cruft --no-cruft --detach --no-detach'),
    optionalValues: ['--prune', '--expire'],
  },
)

const UPDATE_REF: CommandSpec = refined(
  (parsed, context) => {
    const remove = gitFlag(parsed, '-d')
    const target = context.thing('repository', nameOf(parsed.operands[0] ?? knownWord(workTree(parsed), parsed.invocation.span)))
    if (gitFlag(parsed, '--stdin')) context.opaque('the references to update come from standard input')
    context.emit('change', target, {
      action: 'git:history',
      reversible: !remove,
      attributes: { operation: remove ? 'ref-delete' : 'ref-update' },
    })
  },
  { flags: list('-d --no-deref --deref --stdin -z --create-reflog'), options: takes('-m') },
)

const BISECT: CommandSpec = {
  subcommands: byName({
    run: {
      stopAtOperand: true,
      refine: (parsed, context) => {
        context.emit('change', context.thing('repository', workTree(parsed)), { action: 'git:checkout' })
        if (parsed.operands.length > 0) context.command(parsed.operands, 'git')
      },
    },
    'start bad good new old skip reset replay next terms': does({ verb: 'change', action: 'git:checkout', kind: 'repository', value: '.' }),
    'log visualize view': reading(),
  }),
}

const NOTES: CommandSpec = {
  ...reading(),
  operands: ['data'],
  options: takes('--ref'),
  subcommands: byName({
    'list show': reading(),
    merge: does(
      { verb: 'change', action: 'git:notes', kind: 'repository', value: '.', flags: { abandons: ['--abort'] } },
      { flags: list('--commit -q -v'), options: takes('-s --strategy') },
    ),
    'add append edit copy': does(
      { verb: 'change', action: 'git:notes', kind: 'repository', value: '.' },
      { flags: list('-f --force'), options: { ...takes('-m -C -c'), ...takes('-F --file', 'read') } },
    ),
    'remove prune': rewriting('notes-remove', true),
  }),
}

/** Subcommands that change history. */
export const GIT_HISTORY: Readonly<Record<string, CommandSpec>> = byName({
  reset: refined(reset, {
    flags: list('--hard --soft --mixed --merge --keep -q --quiet -p --patch -N --intent-to-add --refresh --no-refresh'),
    options: takes('--pathspec-from-file'),
    optionalValues: ['--recurse-submodules'],
  }),
  rebase: REBASE,
  'filter-branch': FILTER_BRANCH,
  'filter-repo': FILTER_REPO,
  branch: BRANCH,
  tag: TAG,
  stash: STASH,
  reflog: REFLOG,
  gc: GC,
  prune: rewriting('prune', true, { flags: list('-n --dry-run -v --progress'), options: takes('--expire'), inert: ['-n', '--dry-run'] }),
  'update-ref': UPDATE_REF,
  bisect: BISECT,
  notes: NOTES,
  replace: rewriting('replace', false, { flags: list('-d -f -e -l --delete --force --edit --list'), options: takes('--format') }),
  'symbolic-ref': refined(
    (parsed, context) => {
      // Without HEAD the directory is no repository any more.
      if (gitFlag(parsed, '-d', '--delete')) history({ operation: 'ref-delete', lost: true }, parsed, context)
      else context.emit('change', context.thing('repository', workTree(parsed)), { action: 'git:branch' })
    },
    { flags: list('-q -d --short --delete'), options: takes('-m') },
  ),
  'fast-import': rewriting('fast-import', true, { flags: list('--force --quiet') }),
  'pack-refs repack multi-pack-index commit-graph pack-objects unpack-objects index-pack update-server-info rerere': does(
    { verb: 'change', action: 'git:gc', kind: 'repository', value: '.' },
    { flags: list('-a -A -d -f -F -l -q --all'), options: takes('--window --depth --threads') },
  ),
  'prune-packed': does({ verb: 'change', action: 'git:gc', kind: 'repository', value: '.' }, { flags: list('-n -q') }),
})

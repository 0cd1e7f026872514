/**
 * Servers of git: the reference server, and servers that put several acts behind one tool with a `mode`. What a call does is what the
 * command does that it stands for, so it is that command which is read.
 */
import type { Json } from '../../../core/json.ts'
import type { CommandLine, ToolContext, ToolFamily, ToolSpec } from '../spec.ts'
import { quiet } from './shapes.ts'

const PLACES = ['repo_path', 'path', 'repository'] as const

type Words = readonly string[]
/** The words behind `git`; null: nobody knows what the call does. */
type Reading = (context: ToolContext) => Words | null

/** Set, in any form in which a server may take it for that. */
function on(context: ToolContext, ...names: Words): boolean {
  const is = (value: Json | undefined): boolean => value !== undefined && !OFF.has(value)
  return names.some((name) => is(context.value(name)))
}

const OFF: ReadonlySet<Json> = new Set<Json>([null, false, 0, '', 'false', '0', 'no'])

/** An option that only makes a call milder counts where it can be nothing else. */
const surely = (context: ToolContext, ...names: Words): boolean => names.some((name) => context.value(name) === true)

const options = (context: ToolContext, given: Readonly<Record<string, Words>>): Words =>
  Object.entries(given).flatMap(([option, names]) => (on(context, ...names) ? [option] : []))

const first = (context: ToolContext, ...names: Words): Words => {
  const found = context.text(...names)
  return found === null ? [] : [found]
}

const list = (context: ToolContext, ...names: Words): Words => names.flatMap((name) => context.all(`${name}.*`).map(({ text }) => text))

const behind = (words: Words): Words => (words.length === 0 ? [] : ['--', ...words])

const BRANCH = ['branchName', 'branch_name', 'branch', 'name'] as const
const FILES = ['files', 'paths'] as const
const FORCE = { '-f': ['force'] } as const

/** By what the call says it is to do; `otherwise` where it says nothing. */
function byMode(otherwise: Reading, modes: Readonly<Record<string, Reading>>): Reading {
  return (context) => {
    const mode = context.value('mode') ?? context.value('operation') ?? context.value('action')
    if (mode === undefined || mode === null || mode === '') return otherwise(context)
    const known = typeof mode === 'string' ? mode.toLowerCase() : ''
    return Object.hasOwn(modes, known) ? (modes[known]?.(context) ?? null) : null
  }
}

const branchCreated: Reading = (c) => ['branch', ...options(c, FORCE), ...first(c, ...BRANCH), ...first(c, 'startPoint', 'base_branch')]
const tagCreated: Reading = (c) => ['tag', ...options(c, FORCE), ...first(c, 'tagName', 'tag_name', 'name'), ...first(c, 'commit')]
const reset: Reading = (c) => {
  const type = c.text('mode', 'type')?.toLowerCase() ?? (on(c, 'hard') ? 'hard' : null)
  if (type !== null && !['soft', 'mixed', 'hard', 'merge', 'keep'].includes(type)) return null
  return ['reset', ...(type === null ? [] : [`--${type}`]), ...first(c, 'target', 'commit', 'revision'), ...behind(list(c, ...FILES))]
}

function pushed(c: ToolContext): Words {
  const [branch] = first(c, ...BRANCH)
  const [there] = first(c, 'remoteBranch', 'remote_branch')
  const options_ = options(c, {
    '--force': ['force'],
    '--force-with-lease': ['forceWithLease', 'force_with_lease'],
    '--tags': ['tags'],
    '--delete': ['delete'],
    '-u': ['setUpstream', 'set_upstream'],
  })
  const dry = surely(c, 'dryRun', 'dry_run') ? ['--dry-run'] : []
  const removed = on(c, 'delete')
  const refs = removed ? [there ?? branch] : [there === undefined || branch === undefined ? (branch ?? there) : `${branch}:${there}`]
  const named = refs.filter((ref) => ref !== undefined)
  const remote = first(c, 'remote')
  return ['push', ...options_, ...dry, ...(remote.length > 0 ? remote : named.length > 0 ? ['origin'] : []), ...named]
}

const remote = (...words: Words): Reading => {
  return (c) => ['remote', ...words, ...(words[0] === 'set-url' ? options(c, { '--push': ['push'] }) : []), ...first(c, 'name', 'remote')]
}
const withUrl =
  (reading: Reading): Reading =>
  (c) => [...(reading(c) ?? []), ...first(c, 'url', 'newName', 'new_name')]

const stash =
  (...words: Words): Reading =>
  (c) => ['stash', ...words, ...(words[0] === 'push' || words[0] === 'list' ? [] : first(c, 'stashRef', 'stash_ref', 'stash'))]
const stashPushed = stash('push')

const worktree = ['worktreePath', 'worktree_path'] as const
const rebase =
  (word: string): Reading =>
  () => ['rebase', word]
const rebaseStarted: Reading = (c) => {
  const onto = first(c, 'onto')
  return ['rebase', ...(onto.length > 0 ? ['--onto', ...onto] : []), ...first(c, 'upstream'), ...first(c, 'branch')]
}

const READINGS: Readonly<Record<string, Reading>> = {
  git_status: () => ['status'],
  git_diff_unstaged: () => ['diff'],
  git_diff_staged: () => ['diff', '--cached'],
  git_diff: (c) => [
    ...['diff', ...options(c, { '--cached': ['staged'] }), ...first(c, 'source'), ...first(c, 'target')],
    ...behind(list(c, 'paths')),
  ],
  git_log: (c) => ['log', ...first(c, 'branch', 'revision'), ...behind(first(c, 'filePath', 'file_path'))],
  git_changelog_analyze: () => ['log'],
  git_show: (c) => {
    const object = c.text('object', 'revision') ?? 'HEAD'
    const file = c.text('filePath', 'file_path')
    return ['show', file === null ? object : `${object}:${file}`]
  },
  git_blame: (c) => ['blame', ...behind(first(c, 'filePath', 'file_path', 'file'))],
  git_reflog: (c) => ['reflog', 'show', ...first(c, 'ref')],
  git_branch: byMode((c) => (first(c, ...BRANCH).length > 0 ? branchCreated(c) : ['branch', '--list']), {
    list: () => ['branch', '--list'],
    'show-current': () => ['branch', '--show-current'],
    create: branchCreated,
    delete: (c) => ['branch', on(c, 'force') ? '-D' : '-d', ...first(c, ...BRANCH)],
    rename: (c) => ['branch', on(c, 'force') ? '-M' : '-m', ...first(c, ...BRANCH), ...first(c, 'newBranchName', 'new_name')],
  }),
  git_create_branch: branchCreated,
  git_checkout: (c) => [
    ...['checkout', ...options(c, { ...FORCE, '-b': ['createBranch', 'create_branch'] }), ...first(c, 'target', ...BRANCH)],
    ...behind(list(c, ...FILES)),
  ],
  git_commit: (c) => [
    ...['commit', ...options(c, { '--amend': ['amend'], '--no-verify': ['noVerify', 'no_verify'], '-a': ['all'] }), '-m', 'message'],
  ],
  git_add: (c) => [
    ...['add', ...options(c, { ...FORCE, '-u': ['update'], '-A': ['all'] })],
    ...behind([...list(c, ...FILES), ...first(c, ...FILES)]),
  ],
  git_reset: reset,
  git_merge: (c) => (on(c, 'abort') ? ['merge', '--abort'] : ['merge', ...options(c, { '--squash': ['squash'] }), ...first(c, ...BRANCH)]),
  git_cherry_pick: (c) => ['cherry-pick', ...options(c, { '-n': ['noCommit'], '--abort': ['abort'] }), ...list(c, 'commits')],
  git_rebase: byMode(rebaseStarted, {
    start: rebaseStarted,
    continue: rebase('--continue'),
    skip: rebase('--skip'),
    abort: rebase('--abort'),
  }),
  git_tag: byMode((c) => (first(c, 'tagName', 'tag_name', 'name').length > 0 ? tagCreated(c) : ['tag', '--list']), {
    list: () => ['tag', '--list'],
    verify: (c) => ['tag', '-v', ...first(c, 'tagName', 'tag_name')],
    create: tagCreated,
    delete: (c) => ['tag', '-d', ...first(c, 'tagName', 'tag_name', 'name')],
  }),
  git_stash: byMode(stashPushed, {
    ...{ push: stashPushed, save: stashPushed, list: stash('list'), show: stash('show') },
    ...{ pop: stash('pop'), apply: stash('apply'), drop: stash('drop'), clear: stash('clear') },
  }),
  git_worktree: byMode((c) => (first(c, ...worktree).length > 0 ? ['worktree', 'add', ...first(c, ...worktree)] : ['worktree', 'list']), {
    list: () => ['worktree', 'list'],
    prune: () => ['worktree', 'prune'],
    add: (c) => {
      const branch = first(c, 'branch')
      return ['worktree', 'add', ...(branch.length > 0 ? ['-b', ...branch] : []), ...first(c, ...worktree), ...first(c, 'commitish')]
    },
    remove: (c) => ['worktree', 'remove', ...options(c, { '--force': ['force'] }), ...first(c, ...worktree)],
    move: (c) => ['worktree', 'move', ...first(c, ...worktree), ...first(c, 'newPath', 'new_path')],
  }),
  git_fetch: (c) => ['fetch', ...options(c, { '--prune': ['prune'], '--tags': ['tags'] }), ...first(c, 'remote'), ...first(c, 'branch')],
  git_pull: (c) => ['pull', ...options(c, { '--rebase': ['rebase'] }), ...first(c, 'remote'), ...first(c, 'branch')],
  git_push: pushed,
  git_remote: byMode((c) => (on(c, 'url') ? withUrl(remote('set-url'))(c) : ['remote', '-v']), {
    list: () => ['remote', '-v'],
    'get-url': remote('get-url'),
    add: withUrl(remote('add')),
    'set-url': withUrl(remote('set-url')),
    rename: withUrl(remote('rename')),
    remove: remote('remove'),
  }),
  git_clean: (c) =>
    surely(c, 'dryRun', 'dry_run') ? ['clean', '-n'] : ['clean', '-f', ...options(c, { '-d': ['directories'], '-x': ['ignored'] })],
}

/** What a call does before its own act. */
const BEFORE: Readonly<Record<string, Reading>> = {
  git_commit: (c) => {
    const staged = list(c, 'filesToStage', 'files_to_stage')
    return staged.length === 0 ? null : ['add', ...behind(staged)]
  },
}

/** Where a server of its own runs is not known: a relative name leads nowhere. */
function commandOf(tool: string, reading: Reading): (context: ToolContext) => CommandLine | null {
  return (context) => {
    const words = reading(context)
    const before = BEFORE[tool]?.(context) ?? null
    if (words === null) return null
    const place = context.text(...PLACES)
    const git = place === null ? ['git'] : ['git', '-C', place]
    const lines = [before, words].flatMap((each) => (each === null ? [] : [[...git, ...each]]))
    return { lines, directory: place?.startsWith('/') === true ? undefined : null }
  }
}

/** Names of arguments whose words the command has in their place: nothing else is read from them. */
const TAKEN = [
  ...['branch', 'branch_name', 'branchName', 'newBranchName', 'name', 'newName', 'new_name', 'base_branch', 'startPoint', 'tagName'],
  ...[
    'remote',
    'remoteBranch',
    'url',
    'filePath',
    'file_path',
    'worktreePath',
    'worktree_path',
    'newPath',
    'new_path',
    'object',
    'revision',
  ],
  ...['files.*', 'paths.*', 'filesToStage.*', 'message', 'mode', 'stashRef', 'upstream', 'onto', 'commits.*', 'commit', 'commitish', 'ref'],
  ...['grep', 'author', 'since', 'until', 'sinceTag', 'tag_name', 'branch_type', 'strategy', 'format'],
]

const REPOSITORY = Object.fromEntries([...PLACES.map((name) => [name, 'list'] as const), ...TAKEN.map((name) => [name, 'ignore'] as const)])

/** Texts that are no names: git takes them as the value of an option. */
const TEXTS: ReadonlySet<string> = new Set(['message', 'mode', 'grep', 'author', 'format', 'strategy'])
const NAMES = [
  ...TAKEN.filter((name) => !TEXTS.has(name)),
  ...'target source start_timestamp end_timestamp contains not_contains'.split(' '),
]

/** Where git expects a name, a word that begins with a dash is an option to it. */
function dashes(context: ToolContext): void {
  for (const name of NAMES) {
    for (const { text, pointer } of context.all(name)) {
      if (!text.startsWith('-')) continue
      const span = { pointer, start: 0, end: text.length }
      context.emit('execute', context.thing('code', text), {
        action: 'git:tool',
        reason: 'an option stands where git expects a name',
        span,
        attributes: { injection: 'option' },
      })
    }
  }
}

const LOOKS: ReadonlySet<string> = new Set(
  'git_status git_diff_unstaged git_diff_staged git_diff git_log git_changelog_analyze git_show git_blame git_reflog'.split(' '),
)

const tools: Readonly<Record<string, ToolSpec>> = Object.fromEntries(
  Object.entries(READINGS).map(([tool, reading]) => [
    tool,
    { tier: LOOKS.has(tool) ? 'low' : 'medium', args: REPOSITORY, refine: dashes, command: commandOf(tool, reading) } satisfies ToolSpec,
  ]),
)

export const git: ToolFamily = {
  family: 'mcp-git',
  servers: ['git'],
  tools: {
    ...tools,
    git_init: {
      tier: 'medium',
      args: { repo_path: 'write', path: 'write' },
      effects: [{ verb: 'change', action: 'git:init', kind: 'repository', from: PLACES, value: 'repository', directory: PLACES }],
    },
    git_clone: { tier: 'low', on: { url: 'fetch', path: 'write' } },
    git_set_working_dir: {
      tier: 'low',
      args: { path: 'list' },
      refine: (context) => {
        for (const place of context.all('path'))
          if (on(context, 'initializeIfNotPresent')) context.use('write', place, { action: 'git:init' })
      },
    },
    ...quiet('git_clear_working_dir git_wrapup_instructions'),
  },
}

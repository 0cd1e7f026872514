import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../spec.ts'
import { gitFlag, helperTransport, inTree, packPrograms, workTree } from './git-code.ts'
import { does, each, known, list, literal, nameOf, refined, takes } from './tool.ts'

/** git subcommands that talk to another repository: push, fetch, clone, remotes, submodules. */

/** Absolute directory of the repository, for the View. */
function directory(parsed: ParsedCommand, context: CommandContext): string | null {
  const tree = workTree(parsed)
  if (tree.startsWith('/')) return tree
  if (context.cwd === null) return null
  return tree === '.' ? context.cwd : `${context.cwd}/${tree}`
}

interface Remote {
  readonly name: string
  readonly attributes: JsonObject
}

/** The remote that a command names, or the one git would take. */
function remoteOf(word: Word | null, parsed: ParsedCommand, context: CommandContext): Remote {
  const where = directory(parsed, context)
  const git = where === null ? null : context.view.git(where)
  const name = word === null ? 'origin' : nameOf(word)
  const url = git !== null && Object.hasOwn(git.remotes, name) ? (git.remotes[name] ?? null) : null
  const attributes = {
    remote: word === null ? 'origin' : known(word),
    ...(url === null ? {} : { url }),
    ...(git?.branch ? { head: git.branch } : {}),
  }
  return { name, attributes }
}

const PUSH_FLAGS = list(
  '-f --force --force-if-includes --all --branches --mirror --tags --follow-tags -d --delete --prune -n --dry-run --porcelain -u --set-upstream --atomic --no-verify --verify -q --quiet -v --verbose --progress --thin -4 -6 --ipv4 --ipv6 --no-force-with-lease',
)

/** What the refspecs of a push ask for. */
function refspecs(words: readonly Word[]): {
  readonly force: boolean
  readonly remove: boolean
  readonly branches: readonly (string | null)[]
} {
  const branches = words.map((word) => {
    if (word.text === null) return null
    const text = word.text.startsWith('+') ? word.text.slice(1) : word.text
    return (text.includes(':') ? text.slice(text.lastIndexOf(':') + 1) : text).replace('refs/heads/', '')
  })
  return {
    force: words.some((word) => word.prefix.startsWith('+')),
    remove: words.some((word) => word.text?.startsWith(':') === true && word.text !== ':'),
    branches,
  }
}

function push(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.operands[0] ?? parsed.value('--repo')
  if (word !== null) helperTransport(word, context)
  packPrograms(parsed, context)
  const remote = remoteOf(word, parsed, context)
  const specs = refspecs(parsed.operands.slice(1))
  const lease = gitFlag(parsed, '--force-with-lease') || parsed.value('--force-with-lease') !== null
  const force = gitFlag(parsed, '-f', '--force') || specs.force || lease
  const remove = gitFlag(parsed, '-d', '--delete') || specs.remove || gitFlag(parsed, '--prune')
  const mirror = gitFlag(parsed, '--mirror')
  const target = context.thing('repository', remote.name)
  if (gitFlag(parsed, '-n', '--dry-run') && !parsed.flag('--no-dry-run')) {
    context.emit('fetch', target, { action: 'git:push-dry-run', attributes: remote.attributes })
    return
  }
  const branch = specs.branches.length > 0 ? specs.branches.join(' ') : (remote.attributes['head'] ?? null)
  context.emit('publish', target, {
    action: 'git:push',
    reversible: !(force || remove || mirror),
    attributes: {
      ...remote.attributes,
      branch: specs.branches.includes(null) ? null : branch,
      force,
      lease,
      delete: remove,
      mirror,
      tags: gitFlag(parsed, '--tags') || gitFlag(parsed, '--follow-tags'),
      all: gitFlag(parsed, '--all') || gitFlag(parsed, '--branches'),
      no_verify: gitFlag(parsed, '--no-verify'),
    },
  })
}

/** A push under another name: its remote is the operand at `at`. */
function pushLike(at: number, spec: CommandSpec = {}): CommandSpec {
  return refined((parsed, context) => {
    const word = parsed.operands[at] ?? null
    if (word !== null) helperTransport(word, context)
    packPrograms(parsed, context)
    const remote = remoteOf(word, parsed, context)
    const force = gitFlag(parsed, '--force', '-f')
    const mirror = gitFlag(parsed, '--mirror')
    if (gitFlag(parsed, '--dry-run', '-n')) {
      context.emit('fetch', context.thing('repository', remote.name), { action: 'git:push-dry-run', attributes: remote.attributes })
      return
    }
    context.emit('publish', context.thing('repository', remote.name), {
      action: 'git:push',
      reversible: !(force || mirror),
      attributes: { ...remote.attributes, force, mirror, by: parsed.path.join(' ') },
    })
  }, spec)
}

const FETCH_FLAGS = list(
  '--all -a --append --atomic -f --force -k --keep -p --prune -P --prune-tags -n --no-tags -t --tags -u --update-head-ok -q --quiet -v --verbose --progress --unshallow --dry-run --multiple --set-upstream -4 -6 --rebase -r --no-rebase --ff --no-ff --ff-only --squash --no-commit --commit --edit --no-edit -e --autostash --no-autostash --no-verify --allow-unrelated-histories --stat --signoff --write-commit-graph --update-shallow --refetch',
)
const FETCH_OPTIONS = takes(
  '--depth --deepen --shallow-since --shallow-exclude -j --jobs --upload-pack -o --server-option --refmap --negotiation-tip --filter -s --strategy -X --strategy-option --bundle-uri',
)

function fetching(action: string, alters: boolean): CommandSpec {
  return refined(
    (parsed, context) => {
      const word = parsed.operands[0] ?? null
      if (word !== null) helperTransport(word, context)
      packPrograms(parsed, context)
      const remote = remoteOf(word, parsed, context)
      const target = word !== null && word.prefix.includes('://') ? context.url(word) : context.thing('repository', remote.name)
      context.emit('fetch', target, { action, attributes: remote.attributes })
      if (alters) context.emit('change', context.thing('repository', workTree(parsed)), { action: 'git:merge', certainty: 'likely' })
    },
    { flags: FETCH_FLAGS, options: FETCH_OPTIONS, optionalValues: list('--recurse-submodules --rebase --gpg-sign -S --log') },
  )
}

/** The directory git makes for a URL: its last part, without `.git`. */
function cloneName(word: Word): Word {
  let text = word.text ?? word.prefix
  while (text.endsWith('/')) text = text.slice(0, -1)
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1)
  const name = last.endsWith('.git') ? last.slice(0, -4) : last
  return literal(name === '' ? '.' : name, word.span)
}

function clone(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.operands[0]
  if (word === undefined) return
  packPrograms(parsed, context)
  if (!helperTransport(word, context) || word.prefix.startsWith('http')) {
    const text = word.text ?? word.prefix
    const local = text.startsWith('/') || text.startsWith('.') || text.startsWith('file://')
    if (local) context.emit('read', context.path(word), { action: 'git:clone' })
    else
      context.emit('fetch', context.url(word), {
        action: 'git:clone',
        attributes: { submodules: gitFlag(parsed, '--recurse-submodules', '--recursive') },
      })
  }
  context.emit('write', context.path(inTree(parsed, parsed.operands[1] ?? cloneName(word))), { action: 'git:clone' })
  for (const template of parsed.values('--template'))
    context.emit('execute', context.path(template), { action: 'git:hooks', certainty: 'likely' })
}

const CLONE: CommandSpec = refined(clone, {
  flags: list(
    '-l --local -s --shared --no-hardlinks -q --quiet -v --verbose --progress -n --no-checkout --bare --sparse --mirror --dissociate --single-branch --no-single-branch --no-tags --recurse-submodules --recursive --shallow-submodules --remote-submodules --reject-shallow',
  ),
  options: takes(
    '-o --origin -b --branch -u --upload-pack --template -c --config --depth --shallow-since --shallow-exclude --reference --reference-if-able --separate-git-dir -j --jobs --filter --server-option --bundle-uri --revision',
  ),
})

const remoteChange = (reversible: boolean) =>
  does(
    { verb: 'change', action: 'git:remote', kind: 'repository', at: 0, value: 'origin', reversible },
    { flags: list('-f --tags --no-tags --add --delete --push -a --auto -d'), options: takes('-t -m --mirror') },
  )

const REMOTE: CommandSpec = {
  ...does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
  flags: list('-v --verbose'),
  subcommands: {
    add: refined(
      (parsed, context) => {
        const url = parsed.operands[1]
        if (url !== undefined) helperTransport(url, context)
        context.emit('change', context.thing('repository', nameOf(parsed.operands[0] ?? literal('origin', parsed.invocation.span))), {
          action: 'git:remote',
          attributes: { url: known(url) },
        })
      },
      { flags: list('-f --fetch --tags --no-tags'), options: takes('-t -m --mirror') },
    ),
    'set-url': refined(
      (parsed, context) => {
        const url = parsed.operands[1]
        if (url !== undefined) helperTransport(url, context)
        context.emit('change', context.thing('repository', nameOf(parsed.operands[0] ?? literal('origin', parsed.invocation.span))), {
          action: 'git:remote',
          attributes: { url: known(url) },
        })
      },
      { flags: list('--push --add --delete') },
    ),
    ...each('rename set-branches set-head', remoteChange(true)),
    ...each('remove rm', remoteChange(false)),
    prune: remoteChange(true),
    update: fetching('git:fetch', false),
    show: fetching('git:ls-remote', false),
    'get-url': does({ verb: 'read', action: 'git:read', kind: 'repository', at: 0 }),
  },
}

const SUBMODULE_FETCH = does(
  { verb: 'fetch', action: 'git:submodule', kind: 'repository', at: 0, value: 'submodules' },
  {
    flags: list('--init --recursive --remote --force -f --merge --rebase --no-fetch --checkout -N -q --quiet --progress'),
    options: takes('-b --branch --name --reference --depth -j --jobs --filter'),
  },
)

const SUBMODULE: CommandSpec = {
  ...does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
  flags: list('-q --quiet'),
  subcommands: {
    ...each('update add', SUBMODULE_FETCH),
    ...each('status summary', does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' })),
    ...each('init sync set-branch absorbgitdirs', does({ verb: 'change', action: 'git:submodule', kind: 'repository', value: '.' })),
    'set-url': does({ verb: 'change', action: 'git:remote', kind: 'repository', at: 0 }),
    deinit: does({
      verb: 'change',
      action: 'git:discard',
      kind: 'path',
      from: 0,
      value: '.',
      reversible: false,
      flags: { force: list('-f --force'), all: ['--all'] },
    }),
    foreach: {
      stopAtOperand: true,
      flags: list('--recursive -q --quiet'),
      refine: (parsed, context) => {
        const words = parsed.operands
        if (words.length === 1) context.shell(words[0]?.text ?? null, words[0]?.span ?? parsed.invocation.span, 'git')
        else if (words.length > 1) context.command(words, 'git')
      },
    },
  },
}

/** Subcommands that talk to other repositories. */
export const GIT_REMOTE: Readonly<Record<string, CommandSpec>> = {
  push: refined(push, {
    flags: PUSH_FLAGS,
    options: takes('--repo --receive-pack --exec -o --push-option --recurse-submodules'),
    optionalValues: list('--force-with-lease --signed'),
  }),
  'send-pack': pushLike(0, {
    flags: list('--all --dry-run --force --mirror --verbose --thin --atomic --stdin'),
    options: takes('--receive-pack --exec --remote'),
  }),
  'http-push': pushLike(0, { flags: list('--all --dry-run --force --verbose -d -D') }),
  fetch: fetching('git:fetch', false),
  'fetch-pack': fetching('git:fetch', false),
  pull: fetching('git:pull', true),
  'ls-remote': fetching('git:ls-remote', false),
  clone: CLONE,
  remote: REMOTE,
  submodule: SUBMODULE,
  subtree: {
    flags: list('-q --quiet -d --squash --rejoin'),
    options: takes('-P --prefix -m --message -b --branch --onto'),
    subcommands: {
      push: pushLike(0),
      pull: fetching('git:pull', true),
      add: fetching('git:fetch', true),
      ...each('merge split', does({ verb: 'change', action: 'git:merge', kind: 'repository', value: '.' })),
    },
  },
  lfs: {
    subcommands: {
      push: pushLike(0, { flags: list('--all --dry-run --object-id --stdin') }),
      ...each('fetch pull clone checkout', does({ verb: 'fetch', action: 'git:lfs', kind: 'repository', at: 0, value: 'origin' })),
      ...each('ls-files status env logs pointer', does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' })),
      ...each(
        'install uninstall track untrack update',
        does({ verb: 'change', action: 'git:config', kind: 'repository', value: '.', attributes: { key: 'filter.lfs' } }),
      ),
      migrate: does({
        verb: 'change',
        action: 'git:history',
        kind: 'repository',
        value: '.',
        reversible: false,
        attributes: { operation: 'lfs migrate' },
      }),
      prune: does({ verb: 'delete', action: 'git:history', kind: 'repository', value: '.', attributes: { operation: 'lfs prune' } }),
      ...each('lock unlock', does({ verb: 'change', action: 'git:lock', kind: 'repository', value: 'origin' })),
    },
  },
  svn: {
    subcommands: {
      ...each('dcommit commit-diff set-tree', pushLike(9, { flags: list('-n --dry-run') })),
      ...each('branch tag', pushLike(9, { flags: list('-n --dry-run'), options: takes('-m --message') })),
      ...each('clone fetch rebase', fetching('git:fetch', true)),
      ...each('log info blame find-rev show-ignore', does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' })),
      init: does({ verb: 'change', action: 'git:remote', kind: 'repository', at: 0 }),
    },
  },
  p4: {
    subcommands: {
      submit: pushLike(9, { flags: list('-n --dry-run') }),
      ...each('clone sync rebase', fetching('git:fetch', true)),
    },
  },
  'send-email': does(
    {
      verb: 'send',
      action: 'mail:send',
      kind: 'address',
      option: ['--to'],
      value: 'sendemail.to',
      reversible: false,
      when: (parsed) => !gitFlag(parsed, '--dry-run'),
    },
    { flags: list('--dry-run --annotate --quiet'), options: takes('--from --cc --bcc --smtp-server --subject --confirm') },
  ),
  'request-pull': does({ verb: 'fetch', action: 'git:ls-remote', kind: 'repository', at: 1 }),
  ...each('upload-pack receive-pack upload-archive', does({ verb: 'execute', action: 'git:serve', kind: 'repository', at: 0, value: '.' })),
  ...each('daemon instaweb http-backend', does({ verb: 'execute', action: 'net:listen', kind: 'program', value: 'git daemon' })),
  credential: refined((parsed, context) => {
    const operation = parsed.operands[0]?.text ?? 'fill'
    const target = context.thing('account', 'git credentials')
    if (operation === 'fill') context.emit('read', target, { action: 'secret:read' })
    else context.emit(operation === 'reject' ? 'delete' : 'change', target, { action: 'git:credential', attributes: { operation } })
  }),
}

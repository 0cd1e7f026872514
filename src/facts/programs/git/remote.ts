import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, does, known, list, nameOf, refined, takes } from '../tool.ts'
import { gitFlag, helperTransport } from './code.ts'
import { CLONE, fetching, PUSH, pushLike } from './transfer.ts'

/** git subcommands that talk to another repository: push, fetch, clone, remotes, submodules. */

const remoteChange = (reversible: boolean) =>
  does(
    { verb: 'change', action: 'git:remote', kind: 'repository', at: 0, value: 'origin', reversible },
    { flags: list('-f --tags --no-tags --add --delete --push -a --auto -d'), options: takes('-t -m --mirror') },
  )

const REMOTE: CommandSpec = {
  ...does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
  flags: list('-v --verbose'),
  subcommands: byName({
    add: refined(
      (parsed, context) => {
        const url = parsed.operands[1]
        if (url !== undefined) helperTransport(url, context)
        context.emit('change', context.thing('repository', nameOf(parsed.operands[0] ?? knownWord('origin', parsed.invocation.span))), {
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
        context.emit('change', context.thing('repository', nameOf(parsed.operands[0] ?? knownWord('origin', parsed.invocation.span))), {
          action: 'git:remote',
          attributes: { url: known(url) },
        })
      },
      { flags: list('--push --add --delete') },
    ),
    rename: remoteChange(true),
    'remove rm': remoteChange(false),
    // What is remembered of the branches of the other side, as a fetch changes it.
    'prune set-branches set-head': does(
      { verb: 'change', action: 'git:branch', kind: 'repository', at: 0, value: 'origin' },
      { flags: list('-n --dry-run --add -a --auto -d --delete'), operands: ['data'], inert: list('-n --dry-run') },
    ),
    update: fetching('git:fetch', false),
    show: fetching('git:ls-remote', false),
    'get-url': does({ verb: 'read', action: 'git:read', kind: 'repository', at: 0 }),
  }),
}

/** Programs that `send-email` asks for addresses, or hands the message to. */
function mailPrograms(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('--sendmail-cmd', '--to-cmd', '--cc-cmd', '--header-cmd')) context.shell(word.text, word.span, 'git')
  for (const word of parsed.values('--smtp-server')) if (word.prefix.startsWith('/')) context.shell(word.text, word.span, 'git')
}

const SUBMODULE_FETCH = does(
  [
    { verb: 'fetch', action: 'git:submodule', kind: 'repository', at: 0, value: 'submodules' },
    { verb: 'change', action: 'git:submodule', kind: 'repository', value: '.' },
  ],
  {
    flags: list('--init --recursive --remote --force -f --merge --rebase --no-fetch --checkout -N -q --quiet --progress'),
    options: takes('-b --branch --name --reference --depth -j --jobs --filter'),
  },
)

const SUBMODULE: CommandSpec = {
  ...does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
  flags: list('-q --quiet'),
  subcommands: byName({
    'update add': SUBMODULE_FETCH,
    'status summary': does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
    'init sync set-branch absorbgitdirs': does({ verb: 'change', action: 'git:submodule', kind: 'repository', value: '.' }),
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
  }),
}

/** Subcommands that talk to other repositories. */
export const GIT_REMOTE: Readonly<Record<string, CommandSpec>> = byName({
  push: PUSH,
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
    subcommands: byName({
      push: pushLike(0),
      pull: fetching('git:pull', true),
      add: fetching('git:fetch', true),
      'merge split': does({ verb: 'change', action: 'git:merge', kind: 'repository', value: '.' }),
    }),
  },
  lfs: {
    subcommands: byName({
      push: pushLike(0, { flags: list('--all --dry-run --object-id --stdin') }),
      'fetch pull clone checkout': does({ verb: 'fetch', action: 'git:lfs', kind: 'repository', at: 0, value: 'origin' }),
      'ls-files status env logs pointer': does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
      'install uninstall track untrack update': does({
        verb: 'change',
        action: 'git:config',
        kind: 'repository',
        value: '.',
        attributes: { key: 'filter.lfs' },
      }),
      migrate: does({
        verb: 'change',
        action: 'git:history',
        kind: 'repository',
        value: '.',
        reversible: false,
        attributes: { operation: 'lfs migrate' },
      }),
      prune: does({ verb: 'delete', action: 'git:history', kind: 'repository', value: '.', attributes: { operation: 'lfs prune' } }),
      'lock unlock': does({ verb: 'change', action: 'git:lock', kind: 'repository', value: 'origin' }),
    }),
  },
  svn: {
    subcommands: byName({
      'dcommit commit-diff set-tree': pushLike(9, { flags: list('-n --dry-run') }),
      'branch tag': pushLike(9, { flags: list('-n --dry-run'), options: takes('-m --message') }),
      'clone fetch rebase': fetching('git:fetch', true),
      'log info blame find-rev show-ignore': does({ verb: 'read', action: 'git:read', kind: 'repository', value: '.' }),
      init: does({ verb: 'change', action: 'git:remote', kind: 'repository', at: 0 }),
    }),
  },
  p4: {
    subcommands: byName({
      submit: pushLike(9, { flags: list('-n --dry-run') }),
      'clone sync rebase': fetching('git:fetch', true),
    }),
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
    {
      flags: list('--dry-run --annotate --quiet --force --validate --thread --no-thread --format-patch'),
      options: takes(
        '--from --to --cc --bcc --reply-to --in-reply-to --subject --confirm --compose-encoding --transfer-encoding ' +
          '--smtp-server --smtp-server-port --smtp-server-option --smtp-user --smtp-pass --smtp-auth --smtp-encryption ' +
          '--smtp-domain --smtp-ssl-cert-path --sendmail-cmd --to-cmd --cc-cmd --header-cmd --batch-size --relogin-delay ' +
          '--identity --envelope-sender --suppress-cc --8bit-encoding',
      ),
      refine: mailPrograms,
    },
  ),
  'request-pull': does({ verb: 'fetch', action: 'git:ls-remote', kind: 'repository', at: 1 }),
  'upload-pack receive-pack upload-archive': does({ verb: 'execute', action: 'git:serve', kind: 'repository', at: 0, value: '.' }),
  'daemon instaweb http-backend': does({ verb: 'execute', action: 'net:listen', kind: 'program', value: 'git daemon' }),
  credential: refined((parsed, context) => {
    const operation = parsed.operands[0]?.text ?? 'fill'
    const target = context.thing('account', 'git credentials')
    if (operation === 'fill') context.emit('read', target, { action: 'secret:read' })
    else context.emit(operation === 'reject' ? 'delete' : 'change', target, { action: 'git:credential', attributes: { operation } })
  }),
})

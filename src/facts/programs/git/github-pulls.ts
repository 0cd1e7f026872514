import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { type Act, byName, type Doing, does, doing, list, refined, takes } from '../tool.ts'

/** Pull requests, issues and releases of GitHub's command line. */

/** Options that name the repository. */
export const REPO = list('-R --repo')
/** What may be said of an act beside its verb. */
export type Options = Pick<Act, 'reversible' | 'flags' | 'values' | 'attributes' | 'operands'>

/** The client itself does it: what it would touch can be asked for in the same way. */
export const CLIENT = { client: 'gh' } as const

/** An act on the repository of `-R`, or of the working directory. */
export function on(what: Doing, options: Options = {}, spec: CommandSpec = {}): CommandSpec {
  return does({ ...doing(what), kind: 'repository', option: REPO, value: 'origin', ...options }, spec)
}

/** A subcommand that only looks. */
export const VIEW: CommandSpec = on('fetch gh:read', {}, { operands: ['data'] })
export const CREATE_PR = on(
  'publish gh:pr-create',
  {
    reversible: true,
    attributes: CLIENT,
    flags: { draft: list('-d --draft') },
    values: { base: list('-B --base'), head: list('-H --head') },
  },
  {
    flags: list('-f --fill --fill-first --fill-verbose -w --web --no-maintainer-edit -e --editor'),
    options: { ...takes('-F --body-file', 'read'), ...takes('-t --title -b --body -r --reviewer -T --template') },
    inert: ['--dry-run'],
  },
)
const COMMENT = on(
  'publish gh:comment',
  { reversible: true },
  {
    flags: list('-e --editor -w --web --edit-last --delete-last --create-if-none --approve -a -r --request-changes -c --comment --yes'),
    options: { ...takes('-F --body-file', 'read'), ...takes('-b --body') },
  },
)
const EDIT_GRAMMAR: CommandSpec = {
  flags: list('-c --comment -d --delete-branch --undo --remove-milestone --rebase'),
  options: { ...takes('-F --body-file', 'read'), ...takes('-t --title -r --reason -c --comment') },
}
const CHECKOUT: CommandSpec = refined(
  (_, context) => {
    context.emit('fetch', context.thing('repository', 'origin'), { action: 'git:fetch' })
    context.emit('change', context.thing('repository', '.'), { action: 'git:checkout' })
  },
  { flags: list('-f --force --detach --recurse-submodules'), options: takes('-b --branch') },
)

export const PR: CommandSpec = {
  subcommands: byName({
    'create new': CREATE_PR,
    merge: on(
      'change gh:pr-merge',
      {
        reversible: false,
        attributes: CLIENT,
        operands: { number: 0 },
        flags: { admin: ['--admin'], auto: ['--auto'], delete_branch: list('-d --delete-branch') },
      },
      {
        flags: list('-m --merge -r --rebase -s --squash --disable-auto'),
        options: { ...takes('-F --body-file', 'read'), ...takes('-b --body -t --subject --match-head-commit -A --author-email') },
      },
    ),
    'comment review': COMMENT,
    'close reopen edit ready lock unlock update-branch revert': on('change gh:pr-edit', {}, EDIT_GRAMMAR),
    'list ls view diff status checks': VIEW,
    'checkout co': CHECKOUT,
  }),
}
export const ISSUE: CommandSpec = {
  subcommands: byName({
    'create new': on(
      'publish gh:issue',
      { reversible: true },
      {
        flags: list('-w --web -e --editor'),
        options: { ...takes('-F --body-file', 'read'), ...takes('-t --title -b --body -T --template') },
      },
    ),
    comment: COMMENT,
    'close reopen edit lock unlock pin unpin develop': on('change gh:issue', {}, EDIT_GRAMMAR),
    'delete transfer': on('delete gh:issue-delete', { reversible: false }),
    'list ls view status': VIEW,
  }),
}

/** What a release holds is put where it is told to: under its own names, but for `-O`. */
export function downloaded(parsed: ParsedCommand, context: CommandContext): void {
  const file = parsed.value('-O', '--output')
  if (file?.text === '-') return
  const into = file ?? parsed.value('-D', '--dir') ?? knownWord('.', parsed.invocation.span)
  context.emit('write', context.path(into), { action: 'net:download', span: into.span })
}

/** Files among the operands of `gh release create TAG FILES…` are uploaded. */
function assets(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands.slice(1))
    context.emit('read', context.path({ ...word, text: word.text?.split('#')[0] ?? null }), { action: 'gh:release', span: word.span })
}
const RELEASE_GRAMMAR: CommandSpec = {
  flags: list(
    '-d --draft -p --prerelease --latest --generate-notes --verify-tag --fail-on-no-commits --clobber -y --yes --cleanup-tag --notes-from-tag',
  ),
  options: {
    ...takes('-F --notes-file', 'read'),
    ...takes('-n --notes -t --title --target --discussion-category --notes-start-tag --tag'),
  },
}
const RELEASE_ACT: Options = { flags: { draft: list('-d --draft') }, values: { title: list('-t --title') } }
export const RELEASE: CommandSpec = {
  subcommands: byName({
    'create new': on(
      'publish gh:release',
      { ...RELEASE_ACT, attributes: CLIENT, operands: { tag: 0 } },
      { ...RELEASE_GRAMMAR, refine: assets },
    ),
    upload: on('publish gh:release', {}, { ...RELEASE_GRAMMAR, refine: assets }),
    edit: on('publish gh:release', { reversible: true }, RELEASE_GRAMMAR),
    'delete delete-asset': on('delete gh:release', { reversible: false }, RELEASE_GRAMMAR),
    'list ls view verify verify-asset': VIEW,
    download: on(
      'fetch gh:read',
      {},
      {
        flags: list('--clobber --skip-existing'),
        options: takes('-D --dir -O --output -p --pattern -A --archive'),
        refine: downloaded,
      },
    ),
  }),
}

import { hasClass } from '../../effect.ts'
import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { list, refined, takes } from '../tool.ts'
import { gitFlag, inTree, workTree } from './code.ts'

/** What goes into the index and into a commit: whoever gets the repository gets it, now and later. */

const repository = (parsed: ParsedCommand, context: CommandContext) => context.thing('repository', workTree(parsed))

/** Files with secrets among those that are named; `forced` where they are added although git is told to ignore them. */
function reportSecrets(parsed: ParsedCommand, context: CommandContext): void {
  const attributes = gitFlag(parsed, '-f', '--force') ? { forced: true } : {}
  for (const word of parsed.operands) {
    const path = context.path(inTree(parsed, word))
    if (hasClass(path, 'credential'))
      context.emit('change', context.thing('resource', path.value), { action: 'git:secret', span: word.span, attributes })
  }
}

function add(parsed: ParsedCommand, context: CommandContext): void {
  context.emit('change', repository(parsed, context), { action: 'git:index' })
  reportSecrets(parsed, context)
}

function commit(parsed: ParsedCommand, context: CommandContext): void {
  if (gitFlag(parsed, '--dry-run')) {
    context.emit('read', repository(parsed, context), { action: 'git:read' })
    return
  }
  const skips = gitFlag(parsed, '-n', '--no-verify')
  context.emit('change', repository(parsed, context), {
    action: 'git:commit',
    attributes: { ...(gitFlag(parsed, '--amend') ? { amend: true } : {}), ...(skips ? { no_verify: true } : {}) },
  })
  reportSecrets(parsed, context)
}

const COMMIT_FLAGS = list(
  '-a --all -p --patch --reset-author --short --branch --porcelain --long -z --null -s --signoff --no-signoff ' +
    '--allow-empty --allow-empty-message -e --edit --no-edit --amend --no-post-rewrite -i --include -o --only --dry-run -v ' +
    '--verbose -q --quiet -n --no-verify --verify --status --no-status --no-gpg-sign',
)

export const GIT_COMMIT: Readonly<Record<string, CommandSpec>> = {
  add: refined(add, {
    flags: list(
      '-A --all -u --update -f --force -i -p --patch -e --edit -n --dry-run -v --verbose -N --intent-to-add --renormalize --ignore-errors',
    ),
    options: takes('--chmod --pathspec-from-file'),
    inert: ['-n', '--dry-run'],
  }),
  commit: refined(commit, {
    flags: COMMIT_FLAGS,
    options: {
      ...takes('-F --file -t --template', 'read'),
      ...takes(
        '-m --message -C --reuse-message -c --reedit-message --fixup --squash --author --date --cleanup --trailer --pathspec-from-file',
      ),
    },
    optionalValues: list('-S --gpg-sign -u --untracked-files'),
  }),
}

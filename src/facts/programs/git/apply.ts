import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { patchFiles, patchFrom, patchIn } from '../files/patch-files.ts'
import { list, refined, takes } from '../tool.ts'
import { gitFlag, inTree, workTree } from './code.ts'

/** `git apply` and `git am`: patches into the work tree. What they change is told from the patch where it can be read. */

export const APPLYING: Readonly<Record<string, CommandSpec>> = {
  apply: refined(apply, {
    flags: list(
      '--check --stat --numstat --summary --apply --index --cached --3way -3 -R --reverse --reject --unsafe-paths --no-add ' +
        '--allow-empty -v --verbose -q --recount --inaccurate-eof --binary --allow-overlap -z',
    ),
    options: takes('-p -C --directory --exclude --include --whitespace --build-fake-ancestor'),
  }),
  am: refined(mailed, {
    flags: list('-3 --3way --abort --skip --continue --quit -s --signoff -k -q --interactive -i'),
    options: takes('-p -C --directory --exclude --include --whitespace --patch-format'),
    operands: ['read'],
  }),
}

function apply(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) context.emit('read', context.path(inTree(parsed, word)), { action: 'git:apply' })
  if (gitFlag(parsed, '--check', '--stat', '--numstat', '--summary') && !gitFlag(parsed, '--apply')) return
  context.emit('change', context.thing('repository', workTree(parsed)), {
    action: 'git:apply',
    attributes: gitFlag(parsed, '--unsafe-paths') ? { unsafe_paths: true } : {},
  })
  patches(parsed, context)
}

function mailed(parsed: ParsedCommand, context: CommandContext): void {
  const attributes = gitFlag(parsed, '--abort') ? { abandons: true } : { mailed: true }
  context.emit('change', context.thing('repository', workTree(parsed)), { action: 'git:commit', attributes })
  if (!gitFlag(parsed, '--abort', '--skip', '--continue', '--quit')) patches(parsed, context)
}

function patches(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  const below = parsed.value('--directory')
  if (below !== null && below.text === null) return
  const directory = below === null ? '' : `${below.text}/`
  const read =
    operands.length === 0 ? [patchFrom(invocation.input, context)] : operands.map((word) => patchIn(inTree(parsed, word), context))
  const place = (name: string) => inTree(parsed, wordOf(directory + name, invocation.program))
  for (const text of read)
    if (text !== null) patchFiles(text, context, { bare: false, plain: isPlain(parsed), strip: parsed.value('-p')?.text ?? null, place })
}

const CHANGES_MEANING = list('-R --reverse -3 --3way --cached --reject --no-add --recount --inaccurate-eof --allow-overlap --unsafe-paths')

/** Forwards, with every line as it stands. */
function isPlain(parsed: ParsedCommand): boolean {
  const other = parsed.value('-C', '--include', '--exclude', '--whitespace') !== null
  return !other && !gitFlag(parsed, ...CHANGES_MEANING) && parsed.unknown.length === 0
}

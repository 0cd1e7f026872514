import type { CommandContext, CommandSpec, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { list, nameOf, takes } from '../tool.ts'

/** `gh repo clone`. */

export const CLONE: CommandSpec = {
  refine: (parsed, context) => clone(parsed, context),
  flags: list('-u --no-upstream'),
  options: takes('--upstream-remote-name'),
}

function clone(parsed: ParsedCommand, context: CommandContext): void {
  const word = parsed.operands[0]
  if (word === undefined) return
  const directory = parsed.operands.slice(1, parsed.operands.length - parsed.rest.length)
  if (parsed.rest.length > 0) {
    // Behind `--` stand options of git itself.
    const named = /^[\w.-]+\/[\w.-]+$/.test(word.text ?? '') ? knownWord(`https://github.com/${word.text}`, word.span) : word
    context.command([...list('git clone').map((part) => knownWord(part, word.span)), ...parsed.rest, named, ...directory], 'gh')
    return
  }
  context.emit('fetch', context.thing('repository', nameOf(word)), { action: 'git:clone', span: word.span })
  const name =
    (word.text ?? word.prefix)
      .replace(/\.git$/, '')
      .split('/')
      .at(-1) ?? '.'
  context.emit('write', context.path(parsed.operands[1] ?? knownWord(name === '' ? '.' : name, word.span)), { action: 'git:clone' })
}

import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { doubtPlace } from '../../resources/doubt.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { takes } from '../tool.ts'
import { type Found, firstOf, nearest, ran } from './nearest.ts'

/** Task runners: what they run stands in a file of the project. */

export interface Task {
  readonly name: Word
  readonly context: CommandContext
}

/** Hands on what a task runs; false where the file does not say all of it. */
export type Reader = (file: Found, task: Task) => boolean

interface Runner {
  readonly files: readonly string[]
  /** Options that name the task, instead of operands. */
  readonly named?: readonly string[]
  readonly reader: Reader
}

/** Runs a task of the nearest of the files; where it cannot be read, something of the project. */
export function runner({ files, named = [], reader }: Runner): CommandSpec {
  return {
    options: takes('-f --justfile -d --working-directory -t --taskfile --dir -c --collection -C -e -s --session --env -p -k --set --shell'),
    inert: ['--help', '--version', '-h', '--list', '-l', '--list-all', '--summary', '--show', '--dry-run', '--dry', '-n', '--evaluate'],
    operands: [],
    refine: (parsed, context) => {
      const { operands, rest, invocation } = parsed
      if (operands[0]?.text === 'exec' && rest.length > 0) {
        context.command(rest, invocation.name)
        return
      }
      const chosen = parsed.values(...named)
      const own = operands.filter((word) => !rest.includes(word) && !word.prefix.includes('='))
      const names = chosen.length > 0 ? chosen : own.length > 0 && named.length === 0 ? own : [knownWord('', invocation.span)]
      const file = fileOf(parsed, files, context)
      const given = parsed.value('-f', '--justfile', '-t', '--taskfile')
      if (given?.text === null) context.opaque(`which file \`${invocation.name}\` follows is not known before it runs`, given.span)
      else if (file === null && given !== null) ranUnread(given, context)
      for (const name of names) runTask(name, { file, reader, context, runner: invocation.name })
    },
  }
}

export function fileOf(parsed: ParsedCommand, files: readonly string[], context: CommandContext): Found | null {
  const given = parsed.value('-f', '--justfile', '-t', '--taskfile')?.text ?? null
  const looking = { context, span: parsed.invocation.span }
  if (given !== null) return firstOf([given], looking)
  for (const name of files) {
    const found = nearest(name, looking)
    if (found !== null) return found
  }
  return null
}

export interface Running {
  readonly file: Found | null
  readonly reader: Reader
  readonly context: CommandContext
  readonly runner: string
}

export function runTask(name: Word, { file, reader, context, runner }: Running): void {
  const said = `${runner} ${name.text === '' ? 'default' : (name.text ?? name.prefix)}`
  if (file === null) doubtPlace(`\`${runner}\` looks for its tasks`, { span: name.span, context })
  context.emit('execute', context.thing('script', said), {
    action: 'dev:task',
    span: name.span,
    certainty: file === null ? 'likely' : 'certain',
  })
  if (file === null) return
  ran(file, context)
  const directory = wordOf(file.path.slice(0, file.path.lastIndexOf('/')), name)
  context.within({ attributes: {}, remote: false, directory, files: [file.path] }, (inner) => {
    const seen = name.text !== null && reader(file, { name, context: inner })
    if (!seen) inner.opaque(`\`${file.path}\` does not say plainly what \`${said}\` runs`, name.span)
  })
}

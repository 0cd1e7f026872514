import type { Span } from '../../effect.ts'
import type { CommandSpec, CommandTable, Word } from '../../host.ts'
import { list, type Names, takes } from '../tool.ts'

/** What wrappers have in common: the command among their operands, or text that they hand to a shell. */

export const HELP: readonly string[] = ['--help', '--version']

/** Programs that are there to run others in their place; those of `transparent` leave no trace of their own. Spellings of one stay one. */
export function wrapping(table: CommandTable, transparent: Names | 'all' = []): CommandTable {
  const clear = new Set((transparent === 'all' ? Object.keys(table) : transparent).map((name) => table[name]))
  const made = new Map<CommandSpec, CommandSpec>()
  return Object.fromEntries(
    Object.entries(table).map(([name, spec]) => {
      const wrapper = made.get(spec) ?? { ...spec, wraps: true, ...(clear.has(spec) ? { transparent: true } : {}) }
      made.set(spec, wrapper)
      return [name, wrapper]
    }),
  )
}

/** A program that runs its operands from index `skip` on. */
export function prefix(flags: string, options: string, skip = 0): CommandSpec {
  return {
    flags: list(flags),
    options: takes(options),
    inert: HELP,
    stopAtOperand: true,
    operands: [],
    refine: ({ operands, invocation }, context) => context.command(operands.slice(skip), invocation.name),
  }
}

/** Options whose value is a file that is written, besides those of `spec`. */
export function writing(names: string, spec: CommandSpec): CommandSpec {
  return { ...spec, options: { ...spec.options, ...takes(names, 'write') } }
}

/** Text as one shell word. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Words joined with blanks, as programs do that hand them to a shell; null where any is unknown. */
export function joined(words: readonly Word[]): string | null {
  return words.some((word) => word.text === null) ? null : words.map((word) => word.text).join(' ')
}

/** The span of several words. */
export function across(words: readonly Word[], otherwise: Span): Span {
  const [first, last] = [words[0], words.at(-1)]
  return first === undefined || last === undefined ? otherwise : { ...first.span, end: Math.max(first.span.end, last.span.end) }
}

/** Programs that join their operands and hand them to `sh -c`. */
export function joining(flags: string, options: string, skip = 0): CommandSpec {
  return {
    ...prefix(flags, options),
    refine: ({ operands, invocation }, context) => {
      const words = operands.slice(skip)
      if (words.length === 0) return
      if (words.length > 1 && words.some((word) => word.text === null)) context.command(words, invocation.name)
      else context.shell(joined(words), across(words, invocation.span), invocation.name)
    },
  }
}

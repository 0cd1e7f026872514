import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { loadCode } from '../loads.ts'
import { list, takes } from '../tool.ts'

/**
 * What development tools have in common: they run code of the workspace (its configuration, its tests, its plug-ins), read
 * what they are given, and write their output. That is work, not danger; what they would run or write elsewhere is named.
 * Actions: dev:build, dev:test, dev:lint, dev:format, dev:run, dev:serve, dev:generate, dev:clean, dev:debug, dev:load.
 */

/** A development tool as data; lists of options are separated by blanks. */
export interface Develops {
  readonly action: string
  readonly flags?: string
  /** Options with a value that is data. */
  readonly valued?: string
  /** Options whose value may only be attached. */
  readonly attached?: string
  /** Options whose value is a file that is read, or written. */
  readonly reads?: string
  readonly writes?: string
  /** Options whose value is a command for a shell. */
  readonly shells?: string
  /** Options whose value is code that it loads: a file or a package. */
  readonly loads?: string
  /** Flags with which it rewrites its operands, or the workspace where none is named; `*` where it always does. */
  readonly fixes?: string
  /** Flags with which it rewrites nothing after all. */
  readonly looks?: string
  /** Words that may stand first and are no file: `run`, `scan`. */
  readonly verbs?: string
  /** What operands are; default: read. */
  readonly operands?: 'read' | 'data' | 'write'
  /** The last of several operands is written. */
  readonly lastWritten?: boolean
  /** Where the output goes when no option of `writes` says so. */
  readonly output?: string
  /** Options with which nothing happens; default: `--help` and `--version`. */
  readonly inert?: string
  readonly singleDashLong?: boolean
  readonly stopAtOperand?: boolean
  readonly more?: (parsed: ParsedCommand, context: CommandContext) => void
}

/** Words that name files: without what follows `::` (`test_x.py::test_y`), without the `@` of an option file, without a verb. */
function filesOf(about: Develops, words: readonly Word[]): readonly Word[] {
  const verbs = list(about.verbs ?? '')
  const files = words
    .filter((word, index) => index > 0 || !verbs.includes(word.text ?? ''))
    .map((word) => (word.prefix.startsWith('@') ? sliceWord(word, 1) : word))
  return files.map((word) => {
    const at = (word.text ?? '').indexOf('::')
    return at <= 0 ? word : { ...word, text: word.text?.slice(0, at) ?? null, prefix: word.prefix.slice(0, at) }
  })
}

function rewrites(about: Develops, parsed: ParsedCommand): boolean {
  if (about.fixes === undefined || parsed.flag(...list(about.looks ?? ''))) return false
  if (parsed.operands.length > 0 && parsed.operands.every((word) => word.text === '-')) return false
  return about.fixes === '*' || parsed.flag(...list(about.fixes)) || parsed.value(...list(about.fixes)) !== null
}

function readsFiles(about: Develops, files: readonly Word[], context: CommandContext): void {
  const output = about.lastWritten === true && files.length > 1 ? files.at(-1) : undefined
  for (const word of files) {
    if (word === output) writePath(context, word, { action: about.action })
    else readPath(context, word)
  }
}

/** Where the tool puts what it makes unless an option says so. */
function writesOutput({ output, writes, action }: Develops, parsed: ParsedCommand, context: CommandContext): void {
  if (output === undefined || parsed.value(...list(writes ?? '')) !== null) return
  context.emit('write', context.path(knownWord(output, parsed.invocation.span)), { certainty: 'likely', action })
}

/** Emits what the tool does with what it was given. */
function develop(about: Develops, parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  const files = filesOf(about, operands)
  const name = [invocation.name, ...parsed.path].join(' ')
  const looks = about.action === 'dev:format' && parsed.flag(...list(about.looks ?? ''))
  context.emit('execute', context.thing('program', name), { action: looks ? 'dev:lint' : about.action })
  if (rewrites(about, parsed)) {
    const words = files.length === 0 ? [knownWord('.', invocation.span)] : files
    for (const word of words) writePath(context, word, { action: 'dev:format' })
  } else if ((about.operands ?? 'read') === 'read') readsFiles(about, files, context)
  writesOutput(about, parsed, context)
  for (const word of parsed.values(...list(about.shells ?? ''))) context.shell(word.text, word.span, invocation.name)
  for (const word of parsed.values(...list(about.loads ?? ''))) loadCode(word, context)
  about.more?.(parsed, context)
}

/** The spec of a development tool. */
export function develops(about: Develops): CommandSpec {
  const fixes = about.fixes === undefined || about.fixes === '*' ? '' : about.fixes
  const options = {
    ...takes(`${about.valued ?? ''} ${about.shells ?? ''} ${about.loads ?? ''}`),
    ...takes(about.reads ?? '', 'read'),
    ...takes(about.writes ?? '', 'write'),
  }
  return {
    flags: list(`${about.flags ?? ''} ${fixes} ${about.looks ?? ''}`).filter((flag) => !Object.hasOwn(options, flag)),
    options,
    optionalValues: list(about.attached ?? ''),
    operands: [about.operands === 'write' ? 'write' : 'data'],
    inert: list(about.inert ?? '--help --version'),
    ...(about.singleDashLong === undefined ? {} : { singleDashLong: about.singleDashLong }),
    ...(about.stopAtOperand === undefined ? {} : { stopAtOperand: about.stopAtOperand }),
    refine: (parsed, context) => develop(about, parsed, context),
  }
}

/** A program that runs what is named after its own options: `ccache gcc x.c`, `shx rm x`. */
export function runsRest(flags: string, valued: string, inert = '--help --version -h -V'): CommandSpec {
  return {
    flags: list(flags),
    options: takes(valued),
    inert: list(inert),
    inertFirst: true,
    stopAtOperand: true,
    operands: [],
    refine: ({ operands, invocation }, context) => {
      if (operands.length > 0) context.command(operands, invocation.name)
      else context.emit('execute', context.thing('program', invocation.name), { action: 'tool:status' })
    },
  }
}

/** Removes what a tool built earlier: it can be built again. */
export function cleans(path: string, more: Partial<Develops> = {}): CommandSpec {
  const spec = develops({ action: 'dev:clean', operands: 'data', ...more })
  return {
    ...spec,
    refine: (parsed, context) => {
      const target = context.path(knownWord(path, parsed.invocation.span))
      context.emit('delete', target, { action: 'dev:clean', reversible: true, certainty: 'likely' })
      more.more?.(parsed, context)
    },
  }
}

import type { Json } from '../../core/json.ts'
import type { Certainty, Target, TargetKind, Verb } from '../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Role, Word } from '../host.ts'
import { knownWord } from '../resources/text/word.ts'
import { commandAmong, inferredAct } from './unknown/unknown.ts'

/**
 * Building blocks for the tables of command-line tools: an act is one effect of a subcommand as data, with the options that
 * become its attributes; a tool is a tree of subcommands in which an unknown one is never silent.
 */

export type Names = readonly string[]

/** One effect of a subcommand. Its target comes from the operands, an option, or a constant. */
export interface Act {
  readonly verb: Verb
  /** `family:operation`. */
  readonly action: string
  readonly kind: TargetKind
  /** Operands from this index on, one effect each. */
  readonly from?: number
  /** That operand alone. */
  readonly at?: number
  /** The value of this option. */
  readonly option?: Names
  /** Target where nothing is named; default: the last word of the subcommand path, or the program. */
  readonly value?: string
  readonly reversible?: boolean
  readonly certainty?: Certainty
  /** Attribute name -> flags that set it to true. */
  readonly flags?: Readonly<Record<string, Names>>
  /** Attribute name -> options whose last value it takes. */
  readonly values?: Readonly<Record<string, Names>>
  readonly attributes?: Readonly<Record<string, Json>>
  /** Attribute name -> the operand that it takes. */
  readonly operands?: Readonly<Record<string, number>>
  /** Left out where this does not hold. */
  readonly when?: (parsed: ParsedCommand) => boolean
}

/** Verb and action in one: `'fetch gh:read'`. */
export type Doing = `${Verb} ${string}`

/** The two parts of a `Doing`. */
export function doing(text: Doing): Pick<Act, 'verb' | 'action'> {
  const blank = text.indexOf(' ')
  return { verb: text.slice(0, blank) as Verb, action: text.slice(blank + 1) }
}

/** `'a b  c'` as a list; tables read better without quotes and commas. Thousands of these stand before a hook's first answer. */
export function list(text: string): Names {
  const names: string[] = []
  let at = 0
  while (at < text.length) {
    const blank = text.indexOf(' ', at)
    const end = blank === -1 ? text.length : blank
    if (end > at) names.push(text.slice(at, end))
    at = end + 1
  }
  return names
}

/** Options with a value of the role, as a record. */
export function takes(names: string, role: Role = 'data'): Readonly<Record<string, Role>> {
  return under(names, role)
}

/** Words of a tool that begin a command: after `skip` of its own, and after `--` where one stands before it. */
interface Line {
  readonly skip?: number
  readonly flags?: string
  readonly valued?: string
  /** Options whose value is a command line. */
  readonly programs?: string
}

/** A subcommand that runs the words after its own: as a command, or one word with blanks in it as the text of one. */
export function runsLine({ skip = 0, flags = '', valued = '', programs = '' }: Line = {}): CommandSpec {
  return {
    flags: list(flags),
    options: { ...takes(valued), ...takes(programs, 'program') },
    stopAtOperand: true,
    operands: [],
    refine: ({ operands, rest, invocation }, context) => {
      const own = operands.slice(0, operands.length - rest.length)
      const words = own.length <= skip && rest.length > 0 ? rest : operands.slice(skip)
      const [first, ...more] = words[0]?.text === '--' ? words.slice(1) : words
      if (first === undefined) return
      if (more.length === 0 && first.text !== null && /\s/.test(first.text)) context.shell(first.text, first.span, invocation.name)
      else context.command([first, ...more], invocation.name)
    },
  }
}

/** A table in which what stands at `'get list'` stands under each of the two names. */
export function byName(entries: CommandTable): CommandTable {
  const table: Record<string, CommandSpec> = {}
  for (const [names, spec] of Object.entries(entries)) for (const name of list(names)) table[name] = spec
  return table
}

/** The same spec under every name. */
export function each(names: string, spec: CommandSpec): Readonly<Record<string, CommandSpec>> {
  return under(names, spec)
}

function under<T>(names: string, value: T): Readonly<Record<string, T>> {
  const record: Record<string, T> = {}
  for (const name of list(names)) record[name] = value
  return record
}

/** What a word names, as text: its known part where not all of it is known. */
export function nameOf(word: Word): string {
  if (word.text !== null) return word.text === '' ? '(empty)' : word.text
  return word.prefix === '' ? '(unknown)' : `${word.prefix}*`
}

/** The value of an attribute that names a word: null where it is not known. */
export function known(word: Word | null | undefined): Json {
  return word?.text ?? null
}

export function targetOf(kind: TargetKind, word: Word, context: CommandContext): Target {
  if (kind === 'path') return context.path(word)
  if (kind === 'url') return context.url(word)
  return context.thing(kind, nameOf(word))
}

/** Attributes of an act that the command line sets. */
export function attributesOf(act: Pick<Act, 'flags' | 'values' | 'attributes' | 'operands'>, parsed: ParsedCommand): Record<string, Json> {
  const attributes: Record<string, Json> = { ...act.attributes }
  for (const [name, flags] of Object.entries(act.flags ?? {})) if (parsed.flag(...flags)) attributes[name] = true
  for (const [name, options] of Object.entries(act.values ?? {})) {
    const value = parsed.value(...options)
    if (value !== null) attributes[name] = value.text
  }
  for (const [name, at] of Object.entries(act.operands ?? {})) {
    const word = parsed.operands[at]
    if (word !== undefined) attributes[name] = word.text
  }
  return attributes
}

/** The words an act names its targets by; empty where it falls back on a constant. */
function wordsOf(act: Act, parsed: ParsedCommand): readonly Word[] {
  const named = act.option === undefined ? null : parsed.value(...act.option)
  if (named !== null) return [named]
  if (act.at !== undefined) return parsed.operands.slice(act.at, act.at + 1)
  return act.from === undefined ? [] : parsed.operands.slice(act.from)
}

/** Emits the effects of an act. */
export function perform(act: Act, parsed: ParsedCommand, context: CommandContext): void {
  if (act.when !== undefined && !act.when(parsed)) return
  const options = {
    action: act.action,
    attributes: attributesOf(act, parsed),
    ...(act.reversible === undefined ? {} : { reversible: act.reversible }),
    ...(act.certainty === undefined ? {} : { certainty: act.certainty }),
  }
  const words = wordsOf(act, parsed)
  if (words.length === 0) {
    const value = knownWord(act.value ?? parsed.path.at(-1) ?? parsed.invocation.name, parsed.invocation.span)
    context.emit(act.verb, targetOf(act.kind, value, context), options)
  }
  for (const word of words) {
    const unknown = word.text === null && !word.glob ? { reason: 'what it acts on is not known before it runs' } : {}
    context.emit(act.verb, targetOf(act.kind, word, context), { span: word.span, ...unknown, ...options })
  }
}

/** A spec that performs acts; the options that the acts name join its grammar. */
export function does(acts: Act | readonly Act[], spec: CommandSpec = {}): CommandSpec {
  const all: readonly Act[] = Array.isArray(acts) ? acts : [acts as Act]
  const flags = all.flatMap((act) => Object.values(act.flags ?? {}).flat())
  const options = all.flatMap((act) => [...Object.values(act.values ?? {}).flat(), ...(act.option ?? [])])
  return {
    ...spec,
    flags: [...(spec.flags ?? []), ...flags],
    options: { ...Object.fromEntries(options.map((name) => [name, 'data' as const])), ...spec.options },
    refine: (parsed, context) => {
      for (const act of all) perform(act, parsed, context)
      spec.refine?.(parsed, context)
    },
  }
}

/** A spec whose effects only code can tell. */
export function refined(refine: (parsed: ParsedCommand, context: CommandContext) => void, spec: CommandSpec = {}): CommandSpec {
  return { ...spec, refine }
}

/** A tool as a tree of subcommands. */
export interface ToolSpec extends CommandSpec {
  /** Runs for every subcommand, after its own: global options that run code, environment. */
  readonly everywhere?: (parsed: ParsedCommand, context: CommandContext) => void
  /** Runs before an unknown subcommand is reported; true where it knew it after all. */
  readonly fallback?: (parsed: ParsedCommand, context: CommandContext) => boolean
}

export const HELP = ['--help', '-h']

/** Names a subcommand nobody knows: it may do anything the tool can do. */
export function unknownSubcommand(name: string, parsed: ParsedCommand, context: CommandContext): void {
  const program = context.thing('program', parsed.invocation.name)
  const first = parsed.operands[0]
  if (first === undefined) {
    context.emit('execute', program, { action: 'tool:help' })
    return
  }
  const subcommand = [...parsed.path, nameOf(first)].join(' ')
  context.emit('execute', program, {
    action: `${name}:unknown`,
    certainty: 'likely',
    reason: `\`${subcommand}\` is no subcommand of \`${parsed.invocation.name}\` this gate knows`,
    attributes: { subcommand },
  })
  const line = commandAmong(parsed.invocation.args, null)
  if (line !== null) context.within({ attributes: {}, remote: false, certainty: 'likely' }, (inner) => inner.command(line, subcommand))
  sayClaim(parsed, context)
}

/** What the words of a subcommand claim that no table knows: what it only changes may be as local as the tool's own settings. */
export function sayClaim(parsed: ParsedCommand, context: CommandContext): void {
  const claim = inferredAct(parsed.operands)
  // What is looked for is no act.
  if (claim === null || !claim.grave || /^(?:search|find|explain)/.test(parsed.operands[0]?.text ?? '')) return
  const what = context.thing('resource', `${parsed.invocation.name} ${[...parsed.path, claim.what].join(' ')}`)
  const reason = 'the words of an unknown subcommand say so'
  context.emit(claim.verb, what, { action: claim.action, certainty: 'likely', reversible: false, reason })
}

/**
 * A tool whose every group of subcommands answers for unknown ones, and in which `--help` is inert.
 * @param name family in actions: `gh` of `gh:unknown`
 */
export function tool(name: string, { everywhere, fallback, ...spec }: ToolSpec): CommandSpec {
  const wrap = (node: CommandSpec, before: Names = []): CommandSpec => {
    const own = [...HELP.filter((flag) => !declares(node, flag)), ...(node.inert ?? [])]
    // Options of the levels above hold here too, as far as this one does not give them another meaning.
    const quiet = own.concat(before.filter((flag) => !own.includes(flag) && !declares(node, flag)))
    const act = node.subcommands === undefined ? node.refine : answer(name, node, fallback)
    const refine = everywhere === undefined ? act : observed(act, quiet, everywhere)
    return {
      ...node,
      ...(node.subcommands === undefined ? {} : { subcommands: wrapAll(node.subcommands, quiet), operands: node.operands ?? [] }),
      ...(everywhere === undefined ? { inert: own } : { inert: [], flags: [...(node.flags ?? []), ...quiet] }),
      ...(refine === undefined ? {} : { refine }),
    }
  }
  // Some tools have hundreds of subcommands, and a hook builds them all to answer for one: nothing is made here that is not kept.
  const wrapAll = (nodes: Readonly<Record<string, CommandSpec>>, before: Names) => {
    const wrapped: Record<string, CommandSpec> = { ...nodes }
    for (const key in wrapped) wrapped[key] = wrap(wrapped[key] ?? {}, before)
    return wrapped
  }
  const help = does({ verb: 'execute', action: 'tool:help', kind: 'program', value: name })
  return wrap({ ...spec, subcommands: { help, version: help, completion: help, ...spec.subcommands } })
}

type Refine = NonNullable<CommandSpec['refine']>

/** A group of subcommands: its own act where nothing more is said, unless it takes operands itself. */
function answer(name: string, node: CommandSpec, fallback: ToolSpec['fallback']): Refine {
  return (parsed, context) => {
    if (node.refine !== undefined && (parsed.operands.length === 0 || node.operands !== undefined)) node.refine(parsed, context)
    else if (fallback?.(parsed, context) !== true) unknownSubcommand(name, parsed, context)
  }
}

/** Global options are looked at even where the subcommand itself only explains or pretends. */
function observed(act: Refine | undefined, quiet: Names, everywhere: Refine): Refine {
  return (parsed, context) => {
    if (!parsed.flag(...quiet)) act?.(parsed, context)
    everywhere(parsed, context)
  }
}

/** `-h` is a host or human-readable sizes for some: it is no request for help where the spec says so. */
function declares(node: CommandSpec, name: string): boolean {
  return (node.flags ?? []).includes(name) || Object.hasOwn(node.options ?? {}, name)
}

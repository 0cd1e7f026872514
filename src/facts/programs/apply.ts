import type { JsonObject } from '../../core/json.ts'
import type { EffectOptions } from '../effect.ts'
import type { CommandContext, CommandSpec, Invocation, Language, ParsedCommand, Role, SpecEffect, Word } from '../host.ts'
import { deletePath, reachUrl, readPath, writePath } from '../resources/acts.ts'
import { languageOf, loadCode, ranUnread } from './loads.ts'
import { reportDoubtfulWords } from './may-be-option.ts'
import { type Reading, readCommand } from './options.ts'
import { runUnread } from './unknown/code.ts'

/** Turns a spec and an invocation into effects: options and operands by role, constant effects, then the spec's own code. */

/**
 * Emits what the invocation does. An inert one (`--help`) emits nothing. A word that stands where a subcommand belongs and
 * names none becomes opaque, unless the spec takes operands itself or has a `refine` that decides; one that is not
 * statically known always does. Only the innermost subcommand's effects and `refine` apply. The result is how it was read.
 */
export function applySpec(spec: CommandSpec, invocation: Invocation, context: CommandContext): ParsedCommand {
  const reading = readCommand(spec, invocation)
  context.understood({ path: reading.parsed.path, operands: reading.parsed.operands.map(({ text }) => text) })
  applyReading(reading, context)
  const valued = new Set<string>()
  for (let doubt = reading.doubtful; doubt !== null && !valued.has(doubt) && valued.size < MAX_DOUBTS; ) {
    valued.add(doubt)
    const other = readCommand(spec, invocation, valued)
    // Without a word that is left there is no command that it hides.
    if (other.parsed.operands.length > 0) applyReading(other, context)
    doubt = other.doubtful
  }
  return reading.parsed
}

/** An option that no table knows may take a value: then the command that a wrapper runs begins one word later. Both are looked at. */
const MAX_DOUBTS = 3

function applyReading(reading: Reading, context: CommandContext): void {
  if (reading.parsed.inert) return
  const act: Act = { context, attributes: flagAttributes(reading), name: reading.parsed.invocation.name }
  for (const use of reading.uses) {
    if (use.role !== null && use.value !== null) play(use.role, use.value, act)
  }
  const { operands } = reading.parsed
  for (const [index, word] of operands.entries()) play(roleAt(reading.spec, index, operands.length), word, act)
  for (const item of reading.spec.effects ?? []) constantEffect(item, reading, act)
  reportUnresolved(reading, context)
  reportDoubtfulWords(reading, context)
  reading.spec.refine?.(reading.parsed, context)
}

function reportUnresolved({ unresolved, spec, parsed }: Reading, context: CommandContext): void {
  if (unresolved === null) return
  const program = [parsed.invocation.name, ...parsed.path].join(' ')
  if (unresolved.text === null) context.opaque(`the subcommand of \`${program}\` is not known before it runs`, unresolved.span)
  else if (spec.operands === undefined && spec.refine === undefined) {
    context.opaque(`unknown subcommand \`${unresolved.text}\` of \`${program}\``, unresolved.span)
  }
}

interface Act {
  readonly context: CommandContext
  readonly attributes: JsonObject
  /** Of the program. */
  readonly name: string
}

const NO_ATTRIBUTES: JsonObject = Object.freeze({})

function flagAttributes({ spec, parsed }: Reading): JsonObject {
  if (spec.attributes === undefined) return NO_ATTRIBUTES
  const on = Object.entries(spec.attributes).filter(([, names]) => parsed.flag(...names))
  return Object.fromEntries(on.map(([name]) => [name, true]))
}

function roleAt(spec: CommandSpec, index: number, count: number): Role {
  if (spec.lastOperand !== undefined && count > 1 && index === count - 1) return spec.lastOperand
  const roles = spec.operands ?? []
  return roles[Math.min(index, roles.length - 1)] ?? 'data'
}

const ROLES: Readonly<Record<Exclude<Role, `code:${Language}`>, (word: Word, act: Act) => void>> = {
  data: () => {},
  read: (word, { context, attributes }) => readPath(context, word, { attributes }),
  write: (word, { context, attributes }) => writePath(context, word, { attributes }),
  append: (word, { context, attributes }) => writePath(context, word, { attributes: { ...attributes, append: true } }),
  delete: (word, { context, attributes }) => deletePath(context, word, { attributes }),
  url: (word, { context, attributes }) => reachUrl(context, word, { verb: 'fetch', attributes }),
  send: (word, { context, attributes }) => reachUrl(context, word, { verb: 'send', attributes }),
  host: (word, { context, attributes }) => reachUrl(context, word, { verb: 'fetch', action: 'net:contact', attributes }),
  script: (word, { context }) => context.script(languageOf(word.text ?? word.prefix), word, []),
  program: runProgramNamed,
  steps: (word, { context }) => ranUnread(word, context),
  load: (word, { context }) => loadCode(word, context),
  code: (word, { context, name }) => runUnread(word, name, context),
}

/** A bare name is the fact of itself: few programs do anything without a word. */
function runProgramNamed(word: Word, { context, attributes, name }: Act): void {
  if (word.text !== null && /^[\w.+-]+$/.test(word.text))
    context.emit('execute', context.thing('program', word.text), { span: word.span, attributes })
  context.shell(word.text, word.span, name)
}

function isCode(role: Role): role is `code:${Language}` {
  return role.startsWith('code:')
}

function play(role: Role, word: Word, act: Act): void {
  if (isCode(role)) act.context.code(role.slice('code:'.length) as Language, word.text, word.span)
  else ROLES[role](word, act)
}

function constantEffect(item: SpecEffect, { parsed }: Reading, { context, attributes }: Act): void {
  const options: EffectOptions = {
    ...(item.action === undefined ? {} : { action: item.action }),
    ...(item.reversible === undefined ? {} : { reversible: item.reversible }),
    ...(item.reason === undefined ? {} : { reason: item.reason }),
    attributes: { ...attributes, ...item.attributes },
  }
  const wanted = item.target
  const word = wanted?.operand === undefined ? undefined : parsed.operands.at(wanted.operand)
  if (wanted === undefined || (word === undefined && wanted.value === undefined)) {
    context.emit(item.verb, context.thing('program', parsed.invocation.name), options)
  } else if (word === undefined) {
    context.emit(item.verb, context.thing(wanted.kind, wanted.value ?? ''), options)
  } else if (wanted.kind === 'path') {
    context.emit(item.verb, context.path(word), { span: word.span, ...options })
  } else if (wanted.kind === 'url' || wanted.kind === 'host') {
    reachUrl(context, word, { verb: item.verb, ...options })
  } else {
    const reason = word.text === null ? { reason: 'what it acts on is not known before it runs' } : {}
    context.emit(item.verb, context.thing(wanted.kind, word.text ?? word.prefix), { span: word.span, ...reason, ...options })
  }
}

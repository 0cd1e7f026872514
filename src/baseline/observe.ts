/** What a call looks like to a baseline: what it does, to what, with values from where, how much. Never the values themselves. Pure. */
import type { Term, Unit } from '../core/behaviour.ts'
import type { ToolCall } from '../core/call.ts'
import { type Effect, resolvedName, type Target } from '../core/effect.ts'
import type { Json } from '../core/json.ts'
import type { ArgumentFlow, CommandFact, Facts } from '../facts/facts.ts'
import { splitName } from '../facts/tools/index.ts'
import { HIDDEN } from './levels.ts'

/** Terms of one call; of too many the first are kept. */
export const MAX_TERMS = 32
/** UTF-16 units of a context or a value. */
const MAX_NAME = 96
/** Values of an argument and targets of a kind that are looked at. */
const MAX_EACH = 6

export interface Before {
  /** The session's last tool, as `toolName` gives it; null: there is none. */
  readonly previous: string | null
  /** Calls of the session so far; null: the call names no session. */
  readonly steps: number | null
}

export function observe(call: Pick<ToolCall, 'tool' | 'args'>, facts: Facts, { previous, steps }: Before): readonly Term[] {
  const tool = toolName(call)
  const terms: readonly Term[] = [
    term('tool', '', tool),
    ...facts.effects.map((effect) => term('effect', tool, effectName(effect))),
    ...requestOf(tool, facts),
    ...(facts.flow?.arguments ?? []).map((argument) => term('source', `${tool}#${argument.name}`, sourceName(argument))),
    ...facts.effects.flatMap(targetTerms),
    ...facts.commands.flatMap((command) => commandName(command) ?? []).map((name) => term('command', '', name)),
    ...volumesOf(tool, call.args),
    ...(steps === null ? [] : [term('volume', CALLS, bucket(steps + 1))]),
    ...(previous === null ? [] : [term('order', previous, tool)]),
  ]
  const seen = new Map(terms.map((each) => [keyOf(each), each]))
  return [...seen.values()].slice(0, MAX_TERMS)
}

export function toolName({ tool }: Pick<ToolCall, 'tool'>): string {
  const { server, name } = splitName(tool.server, tool.name)
  return short(server === null ? name : `${server}/${name}`)
}

/** Context of the length of a session. */
export const CALLS = 'calls of the session'

/** One text for a term; no context and no value holds a tab. */
export function keyOf({ unit, context, value }: Term): string {
  return `${unit}\t${context}\t${value}`
}

function term(unit: Unit, context: string, value: string): Term {
  return { unit, context: short(context), value: short(value) }
}

function short(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').slice(0, MAX_NAME)
}

function effectName({ verb, action, target }: Effect): string {
  return `${action ?? verb} ${target.kind} ${[target.scope, ...target.classes].join('+')}`
}

function requestOf(tool: string, { flow }: Facts): readonly Term[] {
  return flow === undefined || flow.taskUnknown ? [] : [term('request', tool, flow.match)]
}

function sourceName({ origin, source, hidden }: ArgumentFlow): string {
  const place = source === null ? '' : ` ${source.tool}.${source.field}`
  return `${hidden ? `${HIDDEN} ` : ''}${origin}${place}`
}

function targetTerms({ verb, target }: Effect): readonly Term[] {
  if (target.value === '') return []
  if (target.kind === 'path') return [term('path', verb, pathPrefix(target))]
  return HOSTS.has(target.kind) ? [term('host', verb, hostName(target))] : []
}

const HOSTS: ReadonlySet<string> = new Set(['url', 'host', 'address'])
const DEPTH = 3

/** Directories are told up to a depth; a file by its directory. */
function pathPrefix(target: Target): string {
  const parts = resolvedName(target).split('/').slice(0, -1)
  return `${parts.slice(0, DEPTH + 1).join('/')}/`
}

/** The part of a mail address that names whose it is. */
function hostName(target: Target): string {
  const name = resolvedName(target).toLowerCase()
  const at = name.lastIndexOf('@')
  return target.kind === 'url' && target.real === null ? (URL.canParse(name) ? new URL(name).host : name) : name.slice(at + 1)
}

function commandName({ program, read }: CommandFact): string | null {
  return program === null ? null : [program, ...(read?.path ?? [])].slice(0, 3).join(' ')
}

/** Amounts and sizes by powers of two. */
function volumesOf(tool: string, args: Json): readonly Term[] {
  const found: Term[] = [term('volume', `${tool}#size`, bucket(JSON.stringify(args).length))]
  for (const [name, value] of Object.entries(args as object).slice(0, MAX_EACH * 4)) {
    if (typeof value === 'number') found.push(term('volume', `${tool}#${name}`, bucket(Math.abs(value))))
    if (Array.isArray(value)) found.push(term('volume', `${tool}#${name}`, bucket(value.length)))
  }
  return found
}

function bucket(amount: number): string {
  return String(amount < 1 ? 0 : Math.floor(Math.log2(amount)) + 1)
}

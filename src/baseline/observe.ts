/** What a call looks like to a baseline: what it does, to what, with values from where, how much. Never the values themselves. Pure. */
import type { Term, Unit } from '../core/behaviour.ts'
import type { ToolCall } from '../core/call.ts'
import { type Effect, resolvedName, type Target } from '../core/effect.ts'
import type { Json } from '../core/json.ts'
import type { ArgumentFlow, CommandFact, Facts } from '../facts/facts.ts'
import { splitName } from '../facts/tools/index.ts'
import { HIDDEN } from './levels.ts'

/** Doubt is counted in halves of a point. */
export const DOUBT_STEPS = 2
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
  const isAsked = facts.flow?.match === 'full' && !facts.flow.taskUnknown
  const named = namedTexts(facts)
  const terms: readonly Term[] = [
    asked(term('tool', '', tool), isAsked),
    ...facts.effects.map((effect) => asked(term('effect', tool, effectName(effect)), isAsked)),
    ...requestOf(tool, facts),
    ...(facts.flow?.arguments ?? []).map((argument) => {
      return asked(term('source', `${tool}#${argument.name}`, sourceName(argument)), facts.flow?.taskUnknown === false && isGiven(argument))
    }),
    ...facts.effects.flatMap(targetTerms).map((each) => asked(each, isNamed(each.value, named))),
    ...facts.commands.flatMap((command) => commandName(command) ?? []).map((name) => asked(term('command', '', name), isAsked)),
    ...volumesOf(tool, call.args, aimOf(facts)),
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

function asked(of: Term, isAsked: boolean): Term {
  return isAsked ? { ...of, asked: true } : of
}

/** Origins of what the user or the operator named. */
const NAMED: ReadonlySet<string> = new Set(['user', 'approved', 'declassified', 'derived'])

/** The user or the operator gave it: that others come by such a value otherwise says little. */
function isGiven({ origin, hidden }: ArgumentFlow): boolean {
  return NAMED.has(origin) && !hidden
}

function namedTexts({ flow }: Facts): readonly string[] {
  if (flow === undefined || flow.taskUnknown) return []
  return flow.arguments.filter(isGiven).map(({ text }) => text.toLowerCase())
}

/** @param value host, or the first directories of a path. */
function isNamed(value: string, named: readonly string[]): boolean {
  const bare = value.replace(/\/$/, '').toLowerCase()
  return bare.length >= MIN_NAME && named.some((text) => text.includes(bare))
}

const MIN_NAME = 3

function requestOf(tool: string, { flow }: Facts): readonly Term[] {
  return flow === undefined || flow.taskUnknown
    ? []
    : [term('request', tool, flow.match), term('doubt', tool, String(Math.max(0, Math.round(flow.doubt * DOUBT_STEPS))))]
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

/** Amounts and sizes by powers of two, of the tool and of the tool with the same target. */
function volumesOf(tool: string, args: Json, aim: string | null): readonly Term[] {
  const amounts = Object.entries(args as object)
    .slice(0, MAX_EACH * 4)
    .flatMap(([name, value]) => {
      const amount = amountOf(value as Json)
      return amount === null ? [] : [{ name, bucket: bucket(amount) }]
    })
  return [
    term('volume', `${tool}#size`, bucket(JSON.stringify(args).length)),
    ...amounts.map(({ name, bucket: value }) => term('volume', `${tool}#${name}`, value)),
    ...(aim === null ? [] : amounts.map(({ name, bucket: value }) => term('volume', `${tool}#${name}#${aim}`, value))),
  ]
}

/** Shorter texts are names. */
const MIN_TEXT = 40

function amountOf(value: Json): number | null {
  if (typeof value === 'number') return Math.abs(value)
  if (Array.isArray(value)) return value.length
  return typeof value === 'string' && value.length > MIN_TEXT ? value.length : null
}

/** Whom or what the call is aimed at, as one of 256 numbers: enough to tell payees apart, and no name. Null: nothing is known of it. */
function aimOf({ flow }: Facts): string | null {
  const target = flow?.arguments.find(({ role }) => role === 'target')
  if (target === undefined) return null
  let hash = 0x811c9dc5
  for (const character of target.text.toLowerCase()) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return ((hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & 0xff).toString(16).padStart(2, '0')
}

function bucket(amount: number): string {
  return String(amount < 1 ? 0 : Math.floor(Math.log2(amount)) + 1)
}

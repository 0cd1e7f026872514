/**
 * Conditions with words of time and flow. Each such word is taken out of the condition, and a variable stands in its place: what it looks
 * for is a condition of its own, tried on each call when it is decided, so that nothing is ever searched for in the past.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import { FLOW_LABELS, type FlowLabel, HELD_LABELS, type HeldLabel, type History, SENT_LABELS, type SentLabel } from '../../core/history.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Checked, ConditionFault } from '../condition/check.ts'
import type { Shape } from '../condition/shape.ts'
import { compileExpression, type Expression } from '../condition.ts'
import { readDuration } from '../contracts/dates.ts'
import type { ConditionInput } from '../policy.ts'
import { suggestion } from '../reading/nearest.ts'
import type { FoundMark, TermName } from './model.ts'
import { ARITY, type CallNode, termNodes, USAGE } from './words.ts'

const MAX_TERMS = 8
const MAX_NESTED = 2
/** Longest time that a rule looks back, in milliseconds: thirty days. */
const MAX_WINDOW = 30 * 86_400_000

const OUTCOMES = ['allow', 'flag', 'ask', 'deny', 'halt'] as const
const DECISION: Shape = { type: 'string', words: OUTCOMES, wordsOf: 'decision' }

/** What was decided, and the variables that stand for words of time and flow: the same map each time, for a checker is made of each once. */
function variablesOf(terms: readonly Term[]): ReadonlyMap<string, Shape> {
  const named = terms.map(({ variable }) => variable).join(' ')
  const known = VARIABLES.get(named)
  if (known !== undefined) return known
  const made = new Map<string, Shape>([
    ['decision', DECISION],
    ...terms.map(({ variable, counts }): [string, Shape] => [variable, { type: counts ? 'number' : 'bool' }]),
  ])
  VARIABLES.set(named, made)
  return made
}

/** By the names of the variables, which tell their types. There are few: words are counted from the first, and `MAX_TERMS` is the most. */
const VARIABLES = new Map<string, ReadonlyMap<string, Shape>>()

/** A condition with all that it looks for. */
export interface Temporal {
  readonly expression: Expression
  /** Every part of it, for lints. */
  readonly checked: readonly Checked[]
  readonly terms: readonly Term[]
  /** @throws {ConditionError} */
  readonly evaluate: (input: ConditionInput, history: History, decision: string | null) => unknown
  readonly marks: (input: ConditionInput, history: History, decision: string) => readonly FoundMark[]
  /** True where it may hold, whatever came before. */
  readonly mayHold: (input: ConditionInput) => boolean
}

export interface Term {
  readonly name: TermName
  readonly variable: string
  /** Its value is a number. */
  readonly counts: boolean
  readonly parts: readonly Temporal[]
  readonly value: (input: ConditionInput, history: History) => boolean | number
  readonly marks: (input: ConditionInput, history: History, decision: string) => readonly FoundMark[]
}

export type TemporalResult =
  | { readonly ok: true; readonly temporal: Temporal }
  | { readonly ok: false; readonly faults: readonly ConditionFault[] }

export interface TermContext {
  readonly schema: JsonObject | null
  /** Names what is looked for. */
  readonly idOf: (text: string) => string
}

/** Compiles a condition with words of time and flow. Faults count their places in `text`. */
export function compileTemporal(text: string, context: TermContext, depth = 0): TemporalResult {
  const nodes = termNodes(text)
  if (nodes === null || nodes.length === 0) return wrapped(text, [], context)
  const tooMany = nodes[MAX_TERMS]
  if (tooMany !== undefined)
    return failed([fault(tooMany, `more than ${MAX_TERMS} words of time and flow in one condition`, 'split the rule')])
  const [first] = nodes
  if (depth >= MAX_NESTED && first !== undefined) return failed([fault(first, 'words of time are nested too deep', 'split the rule')])
  const faults: ConditionFault[] = []
  const terms: Term[] = []
  for (const [index, node] of nodes.entries()) {
    const term = compileTerm(node, { ...context, text, index, depth, faults })
    if (term !== null) terms.push(term)
  }
  return faults.length > 0 ? failed(faults) : wrapped(replaced(text, nodes, terms), terms, context)
}

function failed(faults: readonly ConditionFault[]): TemporalResult {
  return { ok: false, faults }
}

function wrapped(text: string, terms: readonly Term[], { schema }: TermContext): TemporalResult {
  const compiled = compileExpression(text, schema, variablesOf(terms))
  if (!compiled.ok) return compiled
  const { expression } = compiled
  const withWords = wordsIn(terms)
  const evaluate: Temporal['evaluate'] = (input, history, decision) => expression.evaluate(withWords({ input, history, decision }))
  const mayHold: Temporal['mayHold'] = (input) =>
    guesses(terms).some((guess) => {
      const values: Record<string, unknown> = { ...input, decision: '' }
      for (const [i, term] of terms.entries()) values[term.variable] = guess(i) ? (term.counts ? UNTOLD : true) : term.counts ? 0 : false
      try {
        return expression.evaluate(values as unknown as ConditionInput) !== false
      } catch {
        return true
      }
    })
  const inner = terms.flatMap(({ parts }) => parts)
  const temporal: Temporal = {
    expression,
    terms,
    checked: [expression.checked, ...inner.flatMap(({ checked }) => checked)],
    evaluate,
    mayHold,
    marks: (input, history, decision) => [
      ...terms.flatMap((term) => term.marks(input, history, decision)),
      ...inner.flatMap((part) => part.marks(input, history, decision)),
    ],
  }
  return { ok: true, temporal }
}

const ASKED = Symbol('what the words are asked about')

/** The input with the words of time and flow. Most conditions are false before they come to a word, so each word waits until it is asked. */
function wordsIn(terms: readonly Term[]): (tried: Tried) => ConditionInput {
  const words: object = Object.create(null)
  for (const { variable, value } of terms) {
    const get = function (this: { readonly [ASKED]: Tried }): boolean | number {
      const { input, history } = this[ASKED]
      return value(input, history)
    }
    Object.defineProperty(words, variable, { get })
  }
  return (tried) => Object.assign(Object.create(words), tried.input, { decision: tried.decision ?? '', [ASKED]: tried })
}

/** More than any rule counts to. */
const UNTOLD = 1e12
const MAX_GUESSED = 5

/** Ways in which the words may turn out: every one of few, and of many all or none. */
function guesses(terms: readonly Term[]): readonly ((index: number) => boolean)[] {
  if (terms.length > MAX_GUESSED) return [() => true, () => false]
  return Array.from({ length: 2 ** terms.length }, (_, bits) => (index: number) => (bits & (1 << index)) !== 0)
}

/** The text with a variable in the place of each word, as long as the word was: what is wrong elsewhere keeps its place. */
function replaced(text: string, nodes: readonly CallNode[], terms: readonly Term[]): string {
  let result = text
  for (const [i, { start, end }] of nodes.entries()) {
    const variable = terms[i]?.variable ?? 'false'
    // INVARIANT: `sum(a,b)` is the shortest word, and longer than any of the variables.
    result = result.slice(0, start) + variable.padEnd(end - start) + result.slice(end)
  }
  return result
}

interface At extends TermContext {
  readonly text: string
  readonly index: number
  readonly depth: number
  readonly faults: ConditionFault[]
}

function compileTerm(node: CallNode, at: At): Term | null {
  const [name, args] = node.args
  const term = name as TermName
  const [least, most] = ARITY[term]
  if (args.length < least || args.length > most) {
    at.faults.push(
      fault(node, `\`${name}\` takes ${least === most ? least : `${least} to ${most}`} argument${most === 1 ? '' : 's'}`, USAGE[term]),
    )
    return null
  }
  if (term === 'flows_from' || term === 'sends' || term === 'holds') return flowTerm(term, args, at)
  if (term === 'count' || term === 'sum' || term === 'distinct') return countTerm(term, args, at)
  return seenTerm(term, args, at)
}

function fault({ start, end }: { readonly start: number; readonly end: number }, message: string, help: string | null): ConditionFault {
  return { code: 'policy.sequence', message, help, at: { start, end } }
}

function literal(node: ASTNode | undefined): string | null {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : null
}

type FlowName = 'flows_from' | 'sends' | 'holds'

const LABELS: Readonly<Record<FlowName, readonly string[]>> = { flows_from: FLOW_LABELS, sends: SENT_LABELS, holds: HELD_LABELS }

function flowTerm(name: FlowName, args: readonly ASTNode[], at: At): Term | null {
  const labels = LABELS[name]
  const last = args.at(-1)
  const label = literal(last)
  const argument = name === 'flows_from' ? literal(args[0]) : ''
  if (label === null || argument === null || !labels.includes(label)) {
    const wrong = argument === null ? args[0] : last
    const help = label === null || labels.includes(label) ? USAGE[name] : suggestion(label, labels)
    const message = `\`${name}\` needs ${argument === null ? 'the name of an argument' : `one of ${labels.join(', ')}`}`
    at.faults.push(fault(wrong ?? { start: 0, end: at.text.length }, message, help))
    return null
  }
  const value: Term['value'] = (_, history) => {
    if (name === 'sends') return history.sends(label as SentLabel)
    return name === 'holds' ? history.holds(label as HeldLabel) : history.flowsFrom(argument, label as FlowLabel)
  }
  return { name, variable: `term_b${at.index}`, counts: false, parts: [], value, marks: () => [] }
}

/** A part of the word as a condition or value of its own, which may hold such words again; its faults keep their places. */
function part(node: ASTNode, at: At, type: 'bool' | 'any' | 'number'): Temporal | null {
  const compiled = compileTemporal(at.text.slice(node.start, node.end), at, at.depth + 1)
  if (!compiled.ok) {
    at.faults.push(
      ...compiled.faults.map((each) => ({ ...each, at: { start: each.at.start + node.start, end: each.at.end + node.start } })),
    )
    return null
  }
  const found = compiled.temporal.expression.type
  const fits = type === 'any' || found === 'dyn' || (type === 'bool' ? found === 'bool' : found === 'int' || found === 'double')
  if (fits) return compiled.temporal
  at.faults.push(
    fault(
      node,
      `this needs ${type === 'bool' ? 'a condition' : 'a number'}, but it is ${found}`,
      type === 'bool' ? 'compare it with something' : 'write a number, such as `double(args.amount)`',
    ),
  )
  return null
}

/** Milliseconds, or calls as a negative number. Undefined after a fault; null where none is given. */
function windowOf(node: ASTNode | undefined, at: At): number | null | undefined {
  if (node === undefined) return null
  const written = literal(node)
  const calls = written === null ? null : /^([1-9]\d{0,3}) calls?$/.exec(written)
  if (calls !== null) return -Number(calls[1])
  const time = written === null ? undefined : readDuration(written)
  if (time !== undefined && time > 0 && time <= MAX_WINDOW) return time
  at.faults.push(
    fault(node, 'this needs a time of at most 30 days, or a number of calls', 'write for example `"10m"`, `"24h"`, `"20 calls"`'),
  )
  return undefined
}

/** A condition that speaks of what was decided looks at every call; any other at those that may run. */
function always(condition: Temporal): boolean {
  return mentionsDecision(condition.expression.ast)
}

function mentionsDecision(node: ASTNode): boolean {
  return /\bdecision\b/.test(node.input.slice(node.start, node.end))
}

type Seen = 'formerly' | 'previous' | 'since' | 'within'

function seenTerm(name: Seen, args: readonly ASTNode[], at: At): Term | null {
  const [node, second] = args
  if (node === undefined) return null
  const condition = part(node, at, 'bool')
  const other = name === 'since' && second !== undefined ? part(second, at, 'bool') : null
  const window = name === 'within' ? windowOf(second, at) : null
  if (condition === null || window === undefined || (name === 'since' && other === null)) return null
  const ids = [node, ...(other === null || second === undefined ? [] : [second])].map((each) =>
    at.idOf(`seen ${at.text.slice(each.start, each.end)}`),
  )
  const parts = other === null ? [condition] : [condition, other]
  return {
    name,
    variable: `term_b${at.index}`,
    counts: false,
    parts,
    value: (_, history) => seen(name, { ids, window, history }),
    marks: (input, history, decision) =>
      parts.flatMap((each, i) => {
        if (!holds(each, { input, history, decision })) return []
        return [{ id: ids[i] ?? '', kind: 'seen', window: null, by: null, value: 0, always: always(each) } as const]
      }),
  }
}

interface SeenAt {
  readonly ids: readonly string[]
  readonly window: number | null
  readonly history: History
}

function seen(name: Seen, { ids, window, history }: SeenAt): boolean {
  const last = history.lastSeen(ids[0] ?? '', null)
  if (last === null) return false
  if (name === 'formerly') return true
  if (name === 'previous') return last.step === history.steps
  if (name === 'within') return isWithin(last, window ?? 0, history)
  const other = history.lastSeen(ids[1] ?? '', null)
  return other === null || other.step < last.step
}

function isWithin(last: { readonly step: number; readonly at: number }, window: number, { now, steps }: History): boolean {
  return window < 0 ? steps - last.step < -window : now - last.at <= window
}

interface Tried {
  readonly input: ConditionInput
  readonly history: History
  readonly decision: string | null
}

/** What cannot be told of a call is taken for found: no call gets by because of it. */
function holds(condition: Temporal, { input, history, decision }: Tried): boolean {
  try {
    return condition.evaluate(input, history, decision) !== false
  } catch {
    return true
  }
}

function countTerm(name: 'count' | 'sum' | 'distinct', args: readonly ASTNode[], at: At): Term | null {
  const [valueNode, conditionNode, windowNode, byNode] = name === 'count' ? [undefined, ...args] : args
  if (conditionNode === undefined) return null
  const condition = part(conditionNode, at, 'bool')
  const value = valueNode === undefined ? null : part(valueNode, at, name === 'sum' ? 'number' : 'any')
  const by = byNode === undefined ? null : part(byNode, at, 'any')
  const window = windowOf(windowNode, at)
  if (condition === null || window === undefined || (valueNode !== undefined && value === null) || (byNode !== undefined && by === null))
    return null
  const counter: Counter = {
    name,
    condition,
    value,
    by,
    window,
    id: at.idOf(`${name} ${args.map((each) => at.text.slice(each.start, each.end)).join(' , ')}`),
  }
  return {
    name,
    variable: `term_n${at.index}`,
    counts: true,
    parts: [condition, ...(value === null ? [] : [value]), ...(by === null ? [] : [by])],
    value: (input, history) => counted(counter, input, history),
    marks: (input, history, decision) => markOf(counter, { input, history, decision }),
  }
}

interface Counter {
  readonly name: 'count' | 'sum' | 'distinct'
  readonly condition: Temporal
  readonly value: Temporal | null
  readonly by: Temporal | null
  readonly window: number | null
  readonly id: string
}

/** With the call at hand, where it is such; one that speaks of what was decided is not, for nothing is yet. */
function counted(counter: Counter, input: ConditionInput, history: History): number {
  const tried = { input, history, decision: null }
  const by = keyOf(counter, tried)
  const own = !always(counter.condition) && holds(counter.condition, tried)
  if (counter.name === 'distinct') return history.distinct(counter.id, by, own ? textOf(counter, tried) : null)
  return history.count(counter.id, by) + (own ? amountOf(counter, tried) : 0)
}

function markOf(counter: Counter, tried: Tried): readonly FoundMark[] {
  const { id, name, window, condition } = counter
  if (!holds(condition, tried)) return []
  const value = name === 'distinct' ? textOf(counter, tried) : amountOf(counter, tried)
  return [{ id, kind: name === 'distinct' ? 'distinct' : 'count', window, by: keyOf(counter, tried), value, always: always(condition) }]
}

function keyOf({ by }: Counter, tried: Tried): string | null {
  return by === null ? null : JSON.stringify(evaluated(by, tried) ?? null)
}

function textOf({ value }: Counter, tried: Tried): string {
  return JSON.stringify((value === null ? null : evaluated(value, tried)) ?? null)
}

/** A sum over what is no number cannot be told: it is as good as any. */
function amountOf({ name, value }: Counter, tried: Tried): number {
  if (name === 'count' || value === null) return 1
  const amount = evaluated(value, tried)
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : Number.MAX_SAFE_INTEGER
}

function evaluated(temporal: Temporal, { input, history, decision }: Tried): unknown {
  try {
    return temporal.evaluate(input, history, decision)
  } catch {
    return undefined
  }
}

/**
 * Candidate relations of a proposed contract. They are guessed from names and shapes of arguments, blind to whether they hold;
 * the gate of mint.ts drops every one that a right call violates, or that too few calls could have violated.
 */
import type { Json, JsonObject } from '../../../core/json.ts'
import { readDate } from '../dates.ts'
import type { DraftParam } from './params.ts'

/** A constraint in the format of the file, as JSON. */
export type DraftConstraint = JsonObject

/** Arguments beyond this number are not paired: their pairs grow with the square. */
const MAX_PAIRED = 24
/** Values beyond this number make no alternatives. */
const MAX_VALUES = 8

/** @param examples arguments of calls that were right. */
export function draftConstraints(params: readonly DraftParam[], examples: readonly JsonObject[]): readonly DraftConstraint[] {
  const names = [...new Set([...params.map((param) => String(param.name)), ...examples.flatMap((args) => Object.keys(args))])]
  const seen = names.slice(0, MAX_PAIRED).map((name): Seen => ({ name, values: valuesOf(name, examples) }))
  const required = new Set(params.filter((param) => param.required === true).map((param) => String(param.name)))
  // Given in some calls and not in others: only then is there anything to find.
  const optional = seen.filter(({ name, values }) => !required.has(name) && values.length > 0 && values.length < examples.length)
  return [
    ...seen.flatMap(bounds),
    ...pairs(seen).flatMap(([a, b]) => [...lengths(a, b), ...orders(a, b), ...differences(a, b)]),
    ...pairs(optional).map(([a, b]): DraftConstraint => ({ kind: 'present', fields: [a.name, b.name], count: 1 })),
    ...seen.flatMap((mode) => optional.flatMap((other) => (other === mode ? [] : implications(mode, other)))),
  ]
}

interface Seen {
  readonly name: string
  readonly values: readonly Json[]
}

function valuesOf(name: string, examples: readonly JsonObject[]): readonly Json[] {
  return examples.flatMap((args) => (Object.hasOwn(args, name) ? [args[name] as Json] : []))
}

function pairs<T>(all: readonly T[]): readonly (readonly [T, T])[] {
  return all.flatMap((a, index) => all.slice(index + 1).map((b) => [a, b] as const))
}

const COUNTED =
  /(?:^|_)(?:limit|offset|count|size|page|pages|per_page|top_k|top_n|amount|quantity|timeout|length|width|height|days|hours|minutes)(?:_|$)/

/** What counts or measures is not negative; a list that is never empty may have to hold something. */
function bounds({ name, values }: Seen): readonly DraftConstraint[] {
  const plain = snake(name)
  if (values.some((value) => typeof value === 'number') && COUNTED.test(plain)) {
    const whole: readonly DraftConstraint[] = values.every(Number.isInteger) ? [{ kind: 'cmp', op: 'ge', left: name, right: 1 }] : []
    return [{ kind: 'cmp', op: 'ge', left: name, right: 0 }, ...whole]
  }
  return values.some(Array.isArray) ? [{ kind: 'cmp', op: 'ge', left: { len: name }, right: 1 }] : []
}

/** Two lists whose lengths differ from call to call and yet agree belong together. */
function lengths(a: Seen, b: Seen): readonly DraftConstraint[] {
  const sizes = new Set(a.values.flatMap((value) => (Array.isArray(value) ? [value.length] : [])))
  const lists = a.values.some(Array.isArray) && b.values.some(Array.isArray)
  return lists && sizes.size > 1 ? [{ kind: 'cmp', op: 'eq', left: { len: a.name }, right: { len: b.name } }] : []
}

const ORDERED: readonly (readonly [string, string])[] = [
  ['start', 'end'],
  ['from', 'to'],
  ['min', 'max'],
  ['begin', 'end'],
  ['first', 'last'],
  ['low', 'high'],
  ['departure', 'return'],
  ['check_in', 'check_out'],
  ['since', 'until'],
  ['after', 'before'],
]

/** `start_date` and `end_date`: names that differ in a pair of words that has an order. */
function orders(a: Seen, b: Seen): readonly DraftConstraint[] {
  for (const [low, high] of [
    [a, b],
    [b, a],
  ] as const) {
    if (!ORDERED.some(([first, second]) => swapped(snake(low.name), first, second) === snake(high.name))) continue
    if (low.values.every((value) => typeof value === 'number')) return [{ kind: 'cmp', op: 'le', left: low.name, right: high.name }]
    if (low.values.every((value) => typeof value === 'string' && readDate(value) !== undefined))
      return [{ kind: 'cmp', op: 'le', left: { date: low.name }, right: { date: high.name } }]
  }
  return []
}

const DIFFERENT: readonly (readonly [string, string])[] = [
  ['source', 'target'],
  ['source', 'destination'],
  ['src', 'dst'],
  ['from', 'to'],
  ['old', 'new'],
  ['origin', 'destination'],
  ['sender', 'recipient'],
]

function differences(a: Seen, b: Seen): readonly DraftConstraint[] {
  const [x, y] = [snake(a.name), snake(b.name)]
  const named = DIFFERENT.some(([first, second]) => swapped(x, first, second) === y || swapped(y, first, second) === x)
  return named ? [{ kind: 'distinct', fields: [a.name, b.name] }] : []
}

/** The name with one word in place of another; empty where the word is not in it. */
function swapped(name: string, from: string, to: string): string {
  const padded = `_${name}_`
  return padded.includes(`_${from}_`) ? padded.replace(`_${from}_`, `_${to}_`).slice(1, -1) : ''
}

/** `startDate` and `start-date` as `start_date`. */
function snake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** Where an argument takes few values, another may be needed with one of them and not with the rest. */
function implications(mode: Seen, other: Seen): readonly DraftConstraint[] {
  const values = [...new Set(mode.values.filter((value) => typeof value === 'string'))]
  if (values.length < 2 || values.length > MAX_VALUES || other.values.length === 0) return []
  return values.map((equals): DraftConstraint => ({ kind: 'requires', when: { field: mode.name, equals }, require: [other.name] }))
}

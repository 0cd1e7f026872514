/**
 * Paths into arguments, results and state: `items[*].price`, `payment.amount`, `variants.*`, `["a.b"]`. Whether a name is a path
 * is settled when the policy is loaded: a call that brings a key with dots in it must not move what a contract looks at.
 */
import { isJsonObject, type Json, own } from '../../core/json.ts'

/** One step: a key, a place in a list, or every item of a list or value of an object. */
type Step = { readonly key: string } | { readonly place: number } | 'each'

export interface Path {
  /** As written. */
  readonly text: string
  readonly steps: readonly Step[]
  /** True where it can lead to several places; it then reads as a list. */
  readonly many: boolean
}

const MAX_STEPS = 16
/** How many values a path may collect: more is not read at all. */
const MAX_VALUES = 100_000

/** The path that is exactly one key, whatever characters it has. */
export function keyPath(key: string): Path {
  return { text: key, steps: [{ key }], many: false }
}

/** Reads a path. @throws {SyntaxError} lower case, with the place. */
export function parsePath(text: string): Path {
  const steps: Step[] = []
  let at = 0
  while (at < text.length) {
    const step = text[at] === '[' ? bracket(text, at) : name(text, at)
    steps.push(step.step)
    at = step.end
    if (steps.length > MAX_STEPS) throw new SyntaxError(`the path has more than ${MAX_STEPS} steps`)
    if (text[at] === '.') at = dot(text, at)
    else if (at < text.length && text[at] !== '[') throw new SyntaxError(`the path needs \`.\` or \`[\` at character ${at + 1}`)
  }
  if (steps.length === 0) throw new SyntaxError('the path is empty')
  return { text, steps, many: steps.includes('each') }
}

interface Read {
  readonly step: Step
  readonly end: number
}

function name(text: string, start: number): Read {
  let end = start
  while (end < text.length && text[end] !== '.' && text[end] !== '[') end++
  const key = text.slice(start, end)
  if (key === '') throw new SyntaxError(`the path has an empty name at character ${start + 1}`)
  return { step: key === '*' ? 'each' : { key }, end }
}

function bracket(text: string, start: number): Read {
  const quoted = text[start + 1] === '"'
  const end = text.indexOf(quoted ? '"]' : ']', start + (quoted ? 2 : 1))
  if (end === -1) throw new SyntaxError(`the bracket at character ${start + 1} of the path is not closed`)
  if (quoted) return { step: { key: text.slice(start + 2, end) }, end: end + 2 }
  const inside = text.slice(start + 1, end)
  if (inside === '*') return { step: 'each', end: end + 1 }
  if (!/^\d{1,6}$/.test(inside)) throw new SyntaxError(`the path needs a place, \`*\` or a quoted name at character ${start + 2}`)
  return { step: { place: Number(inside) }, end: end + 1 }
}

function dot(text: string, at: number): number {
  if (at + 1 === text.length) throw new SyntaxError('the path ends with a dot')
  return at + 1
}

/**
 * The value at the path, or undefined where any part of it is not there. A path with `*` reads as the list of all values, and
 * is undefined as soon as one item lacks its part: half a list would prove nothing.
 */
export function readPath(value: Json | undefined, path: Path): Json | undefined {
  let current: readonly (Json | undefined)[] = [value]
  for (const step of path.steps) {
    const next: (Json | undefined)[] = []
    for (const each of current) {
      if (step === 'each') {
        const items = itemsOf(each)
        if (items === undefined) return undefined
        for (const item of items) next.push(item)
      } else next.push(take(each, step))
      if (next.length > MAX_VALUES) return undefined
    }
    current = next
  }
  if (!path.many) return current[0]
  return current.includes(undefined) ? undefined : (current as readonly Json[])
}

function take(value: Json | undefined, step: Exclude<Step, 'each'>): Json | undefined {
  if ('key' in step) return isJsonObject(value) ? own(value, step.key) : undefined
  return Array.isArray(value) ? (value[step.place] as Json | undefined) : undefined
}

/** Items of a list or values of an object. */
export function itemsOf(value: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(value)) return value as readonly Json[]
  return isJsonObject(value) ? Object.values(value) : undefined
}

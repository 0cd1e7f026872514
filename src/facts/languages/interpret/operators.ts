import { LIMITS } from '../limits.ts'
import { concat, known, pieces } from './reading.ts'
import {
  CLEAN,
  either,
  FROM,
  joinTaint,
  list,
  number,
  options,
  part,
  type Taint,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from './value.ts'

/** Operators and text formatting on constants. What is not constant keeps its known pieces and where it comes from. */

const GLUE: ReadonlySet<string> = new Set(['+', '.', '..', '+=', '.=', '<<', '||='])

const COMPARING: ReadonlySet<string> = new Set(
  '== != === !== < > <= >= in not-in is is-not instanceof eq ne lt gt =~ !~'.split(' ').map((op) => op.replace('-', ' ')),
)

/** How many pairs of values are worked out where both sides may be several; beyond them the value is unknown. */
const PAIRS = 64

/** The steps that `operate` takes where values may be several: two for each piece of text that it puts together. */
export function effortOf(left: Value, right: Value): number {
  if (left.kind !== 'any' && right.kind !== 'any') return 0
  const [l, r] = [options(left), options(right)]
  return l.length * r.length > PAIRS ? 1 : 2 * (piecesIn(l) * r.length + piecesIn(r) * l.length)
}

function piecesIn(values: readonly Value[]): number {
  let count = 0
  for (const value of values) count += value.kind === 'part' ? value.pieces.length : 1
  return count
}

/** A list of at most so many items as are followed; of more it is open. */
function bounded(items: readonly Value[], open: boolean, taint: Taint): Value {
  return list(items.slice(0, LIMITS.items), open || items.length > LIMITS.items, taint)
}

function operateEach(op: string, left: Value, right: Value): Value {
  if (options(left).length * options(right).length > PAIRS) return unknown(joinTaint(taintOf(left), taintOf(right)))
  return either(options(left).flatMap((l) => options(right).map((r) => operate(op, l, r))))
}

/** `[a] + [b]`, `[a] << b`; null for what is no longer list. */
function extend(op: string, left: Extract<Value, { kind: 'list' }>, right: Value): Value | null {
  if (op === '<<') return bounded([...left.items, right], left.open, left.taint)
  if (op !== '+' && op !== '+=') return null
  return right.kind === 'list'
    ? bounded([...left.items, ...right.items], left.open || right.open, joinTaint(left.taint, right.taint))
    : list(left.items, true, left.taint)
}

/** The value of `left op right`; unknown where it is of no interest. */
export function operate(op: string, left: Value, right: Value): Value {
  if (left.kind === 'any' || right.kind === 'any') return operateEach(op, left, right)
  if (left.kind === 'number' && right.kind === 'number' && op !== '.' && op !== '..') return arithmetic(op, left.value, right.value)
  const extended = left.kind === 'list' ? extend(op, left, right) : null
  if (extended !== null) return extended
  return (left.kind === 'object' ? extendPath(op, left, right) : null) ?? operateText(op, left, right)
}

/** `Path("a") / "b"`; null for any other object. */
function extendPath(op: string, left: Extract<Value, { kind: 'object' }>, right: Value): Value | null {
  if ((op !== '/' && op !== '+') || left.type !== 'path') return null
  return { ...left, fields: new Map([['text', joinPath([left, right])]]) }
}

function operateText(op: string, left: Value, right: Value): Value {
  if (GLUE.has(op)) return left.kind === 'constant' && left.value === null ? right : concat([left, right])
  if (op === '%' && (left.kind === 'text' || left.kind === 'part')) return percentFormat(left, right)
  if (op === '*' || op === 'x') return repeat(left, right)
  // Yes or no: nothing of what was compared is in it.
  if (COMPARING.has(op)) return UNKNOWN
  return unknown(joinTaint(taintOf(left), taintOf(right)))
}

function arithmetic(op: string, a: number, b: number): Value {
  switch (op.length > 1 && op.endsWith('=') ? op.slice(0, -1) : op) {
    case '+':
      return number(a + b)
    case '-':
      return number(a - b)
    case '*':
      return number(a * b)
    case '/':
      return number(a / b)
    case '//':
      return number(Math.floor(a / b))
    case '%':
      return number(((a % b) + b) % b)
    case '**':
      return number(a ** b)
    case '^':
      return number(a ^ b)
    case '&':
      return number(a & b)
    case '|':
      return number(a | b)
    case '<<':
      return number(a << b)
    case '>>':
      return number(a >> b)
    default:
      return unknown(CLEAN)
  }
}

function repeat(left: Value, right: Value): Value {
  const [value, count] = left.kind === 'number' ? [right, left.value] : [left, right.kind === 'number' ? right.value : -1]
  if (value.kind === 'text' && count >= 0 && value.text.length * count <= LIMITS.folded)
    return text(value.text.repeat(count), value.taint, value.bytes)
  if (value.kind === 'list') return list(value.items, true, value.taint)
  return unknown(taintOf(value))
}

/** `'%s/%d' % (a, b)` and `sprintf`. */
export function percentFormat(format: Value, values: Value): Value {
  const template = known(format)
  const items = values.kind === 'list' ? values.items : [values]
  const taint = joinTaint(taintOf(format), taintOf(values))
  if (template === null) return part([pieces(format)[0] ?? null, null], taint)
  const out: (string | null)[] = []
  let next = 0
  let from = 0
  for (const match of template.matchAll(/%(?:\((\w{1,40})\))?[-+ #0]{0,4}\d{0,4}(?:\.\d{1,4})?([a-zA-Z%])/g)) {
    out.push(template.slice(from, match.index))
    from = match.index + match[0].length
    if (match[2] === '%') out.push('%')
    else {
      const value = match[1] === undefined ? items[next++] : values.kind === 'dict' ? values.entries.get(match[1]) : undefined
      out.push(...formatted(value, match[2] ?? 's'))
    }
  }
  out.push(template.slice(from))
  return part(out, taint)
}

function formatted(value: Value | undefined, kind: string): readonly (string | null)[] {
  if (value === undefined) return [null]
  if (kind === 'c' && value.kind === 'number') return [String.fromCodePoint(Math.max(0, Math.min(value.value, 0x10ffff)))]
  return pieces(value)
}

/** `'{}/{name}'.format(a, name=b)`. */
export function braceFormat(template: string, args: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const out: (string | null)[] = []
  let next = 0
  let from = 0
  for (const match of template.matchAll(/\{\{|\}\}|\{([\w.[\]]{0,40})(?:![a-z])?(?::[^{}]{0,40})?\}/g)) {
    out.push(template.slice(from, match.index))
    from = match.index + match[0].length
    if (match[0] === '{{' || match[0] === '}}') {
      out.push(match[0].slice(1))
      continue
    }
    const key = match[1] ?? ''
    const value = key === '' ? args[next++] : /^\d+$/.test(key) ? args[Number(key)] : named.get(key)
    out.push(...(value === undefined ? [null] : pieces(value)))
  }
  out.push(template.slice(from))
  return part(out, joinTaint(...args.map((v) => taintOf(v)), ...[...named.values()].map((v) => taintOf(v))))
}

/** Parts of a path one after the other; an absolute part starts anew, as `os.path.join` does. */
export function joinPath(parts: readonly Value[]): Value {
  const taint = joinTaint(...parts.map((v) => taintOf(v)))
  let out: (string | null)[] = []
  let glob = false
  for (const value of parts) {
    const next = pieces(value)
    glob = glob || (value.kind === 'text' && value.glob)
    if (next[0]?.startsWith('/')) out = []
    const last = out.at(-1)
    if (out.length > 0 && !(typeof last === 'string' && last.endsWith('/'))) out.push('/')
    out.push(...next)
  }
  const joined = part(out, taint)
  return glob && joined.kind === 'text' ? { ...joined, glob: true } : joined
}

/** Taint of a text that is put together from single characters: a way to hide what it says. */
export function spelled(values: readonly Value[]): number {
  const single = values.length >= 4 && values.every((v) => v.kind === 'text' && v.text.length === 1 && (v.taint.bits & FROM.spelled) !== 0)
  return single ? FROM.decoded : 0
}

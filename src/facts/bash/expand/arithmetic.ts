import type { ArithmeticCommand, ArithmeticExpansionPart, ArithmeticExpression, ArithmeticWord } from 'unbash'
import type { Span } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { type ExecutionContext, opaqueAt, setVariable } from '../state/state.ts'
import { runFetched, runValue } from './subscript.ts'

/** Arithmetic over known integers. Substitutions inside run wherever they stand, also where the result is unknown. */

const DEEPEST = 100
const NAME = /^[A-Za-z_]\w*$/
const ASSIGNING: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|='])

const BINARY: ReadonlyMap<string, (a: number, b: number) => number | null> = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => (b === 0 ? null : Math.trunc(a / b))],
  ['%', (a, b) => (b === 0 ? null : a % b)],
  ['**', (a, b) => (b < 0 || b > 64 ? null : a ** b)],
  ['<', (a, b) => Number(a < b)],
  ['>', (a, b) => Number(a > b)],
  ['<=', (a, b) => Number(a <= b)],
  ['>=', (a, b) => Number(a >= b)],
  ['==', (a, b) => Number(a === b)],
  ['!=', (a, b) => Number(a !== b)],
  ['&&', (a, b) => Number(a !== 0 && b !== 0)],
  ['||', (a, b) => Number(a !== 0 || b !== 0)],
  [',', (_, b) => b],
])

/**
 * The expression, which is parsed when it is asked for; none where that would cost too much: each `[` may be searched for its end through the whole expression,
 * and back to the start of the script.
 */
export function parsed(
  node: ArithmeticCommand | ArithmeticExpansionPart,
  { analysis }: ExecutionContext,
  span: Span,
): ArithmeticExpression | undefined {
  const text = node.type === 'ArithmeticCommand' ? node.body : node.text
  const brackets = text.includes('[') ? text.split('[').length - 1 : 0
  return analysis.spend((brackets * (10 * text.length + node.end)) / 128, span) ? node.expression : undefined
}

/** The value of `$((…))` as a word; unknown, but no text that could be anything: it is a number. */
export function arithmeticWord(expression: ArithmeticExpression | undefined, site: ExecutionContext, span: Span): Word {
  const value = expression === undefined ? null : evaluate(expression, { site, span, depth: 0 })
  return value === null ? unknownWord(span) : knownWord(String(value), span)
}

/** Runs what an arithmetic command runs: substitutions and assignments. */
export function runArithmetic(expression: ArithmeticExpression | undefined, site: ExecutionContext, span: Span): void {
  if (expression !== undefined) evaluate(expression, { site, span, depth: 0 })
}

interface Evaluating {
  readonly site: ExecutionContext
  readonly span: Span
  readonly depth: number
}

function evaluate(node: ArithmeticExpression, at: Evaluating): number | null {
  if (at.depth > DEEPEST) {
    opaqueAt(at.site, 'arithmetic is nested too deep', at.span)
    return null
  }
  const deeper = { ...at, depth: at.depth + 1 }
  switch (node.type) {
    case 'ArithmeticWord':
      return wordValue(node, at)
    case 'ArithmeticGroup':
      return evaluate(node.expression, deeper)
    case 'ArithmeticUnary':
      return unary(node, deeper)
    case 'ArithmeticBinary':
      return binary(node, deeper)
    case 'ArithmeticTernary': {
      const test = evaluate(node.test, deeper)
      const [yes, no] = [evaluate(node.consequent, deeper), evaluate(node.alternate, deeper)]
      return test === null ? null : test !== 0 ? yes : no
    }
    case 'ArithmeticCommandExpansion': {
      const output = at.site.walker.substitute(node.script, at.site, at.span)
      return output.text === null ? null : integer(output.text.trim())
    }
  }
}

function safe(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) ? value : null
}

function integer(text: string): number | null {
  if (/^-?(?:0|[1-9]\d{0,15})$/.test(text)) return safe(Number(text))
  if (/^0[xX][0-9a-fA-F]{1,12}$/.test(text)) return safe(Number.parseInt(text, 16))
  return /^0[0-7]{1,15}$/.test(text) ? safe(Number.parseInt(text, 8)) : null
}

function wordValue(node: ArithmeticWord, { site, span }: Evaluating): number | null {
  const { value, parts } = node
  if (parts !== undefined) {
    const word = site.walker.word({ type: 'Word', text: value, value, pos: node.pos, end: node.end, parts }, site)
    const number = word.text === null ? null : integer(word.text.trim())
    if (number === null) runValue(word.text, site, span)
    if (word.text === null) runFetched(word, site, span)
    return number
  }
  const number = integer(value)
  if (number !== null) return number
  runValue(value, site, span)
  if (!NAME.test(value)) return null
  const text = site.scope.variables.get(value)?.word.text
  return text === undefined || text === null ? null : text === '' ? 0 : integer(text)
}

function unary(node: Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>, at: Evaluating): number | null {
  const value = evaluate(node.operand, at)
  if (node.operator === '++' || node.operator === '--') {
    const next = value === null ? null : value + (node.operator === '++' ? 1 : -1)
    assign(node.operand, next, at)
    return node.prefix ? next : value
  }
  if (value === null) return null
  if (node.operator === '-') return -value
  if (node.operator === '!') return Number(value === 0)
  return node.operator === '+' ? value : null
}

function binary(node: Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>, at: Evaluating): number | null {
  const right = evaluate(node.right, at)
  const left = node.operator === '=' && isName(node.left) ? null : evaluate(node.left, at)
  if (ASSIGNING.has(node.operator)) {
    const compute = BINARY.get(node.operator.slice(0, -1))
    const value = node.operator === '=' ? right : left === null || right === null ? null : safe(compute?.(left, right) ?? null)
    assign(node.left, value, at)
    return value
  }
  return left === null || right === null ? null : safe(BINARY.get(node.operator)?.(left, right) ?? null)
}

function isName(node: ArithmeticExpression): boolean {
  return node.type === 'ArithmeticWord' && node.parts === undefined && NAME.test(node.value)
}

function assign(target: ArithmeticExpression, value: number | null, { site, span }: Evaluating): void {
  if (target.type !== 'ArithmeticWord' || !NAME.test(target.value)) return
  setVariable(site.scope, target.value, { word: value === null ? unknownWord(span) : knownWord(String(value), span), elements: null })
}

import type { ParameterExpansionPart, ParameterOperation, Word as SyntaxWord } from 'unbash'
import { effect, type Span, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { runUnknown, wordProvenance } from '../flow/flow.ts'
import { type ExecutionContext, setVariable, spanOf, type Variable } from '../state/state.ts'
import { anyOf, elementOf, isCounted, parameterOf, sliceOf, unknownMany } from './array.ts'
import { compilePattern, removePattern, replacePattern } from './pattern.ts'
import { runName, runTemplate, runValue } from './subscript.ts'

/** Parameters: variables of the script, positional and special ones, the few known of the environment, and `${x…}` operations. */

/** The values of `$name`: one, or several for `$@` and `$*`. */
export function simpleParameter(name: string, site: ExecutionContext, span: Span): readonly Word[] {
  const { scope } = site
  if (name === '@' || name === '*') {
    return scope.positional === null ? [unknownMany(span)] : scope.positional.slice(1)
  }
  if (name === '#') {
    const counted = scope.positional !== null && isCounted(scope.positional)
    return [counted ? knownWord(String(Math.max(0, (scope.positional?.length ?? 0) - 1)), span) : unknownWord(span)]
  }
  if (/^\d+$/.test(name)) return [scope.positional === null ? unknownWord(span) : parameterOf(scope.positional, Number(name), span)]
  const variable = lookup(name, site, span)
  return [variable?.word ?? inherited(name, span)]
}

/** An inherited variable of unknown value; a secret by its name is remembered as what it is, wherever it goes. */
function inherited(name: string, span: Span): Word {
  return unknownWord(span, SECRET.test(name) ? [effect('read', target('variable', name))] : [])
}

const SECRET = /SECRET|TOKEN|PASSWO?R?D|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL/i

/** A variable, or null where neither the script nor the View says anything of it. */
function lookup(name: string, site: ExecutionContext, span: Span): Variable | null {
  const own = site.scope.variables.get(name)
  if (own !== undefined) return own
  const text = environment(name, site)
  return text === null ? null : { word: knownWord(text, span), elements: null }
}

function environment(name: string, { analysis, scope }: ExecutionContext): string | null {
  const { view } = analysis
  switch (name) {
    // The file that this stands in, which may be another than the one that was started.
    case 'BASH_SOURCE':
      return scope.project ?? [...analysis.running].findLast((path) => path.startsWith('/')) ?? null
    case 'HOME':
      return view.home
    case 'PWD':
      return scope.cwd
    case 'USER':
    case 'LOGNAME':
      return view.user
    case 'IFS':
      return ' \t\n'
    default:
      return scope.remote || !/^[A-Za-z_]/.test(name) ? null : view.env(name)
  }
}

/** The values of `${…}`. */
export function expandParameter(part: ParameterExpansionPart, site: ExecutionContext, quoted = true): readonly Word[] {
  const span = spanOf(part, site.frame)
  const { parameter, index, operation } = part
  const all = index !== undefined && (index.text === '@' || index.text === '*')
  const held = index === undefined ? variableHeld(parameter, site, span) : elementsHeld(part, site, { index, all, span })
  const { values, set, gone } = held
  if (part.prefix === '#') return [size(values, { all: all || parameter === '@', set, span })]
  if (part.prefix === '!') return indirect(values, { part, site, span })
  if (operation !== undefined) return operate(operation, { values, set, gone, quoted, part, site, span })
  return set || gone ? values : [inherited(parameter, span)]
}

/** What a variable holds as far as this call knows; `gone`: something unset it. */
interface Held {
  readonly values: readonly Word[]
  readonly set: boolean
  readonly gone: boolean
}

/** `$x`, `$1`, `$?`. */
function variableHeld(parameter: string, site: ExecutionContext, span: Span): Held {
  if (!/^[A-Za-z_]/.test(parameter)) return { values: simpleParameter(parameter, site, span), set: true, gone: false }
  const variable = lookup(parameter, site, span)
  if (variable === null) return { values: [], set: false, gone: false }
  return { values: [variable.word], set: variable.unset !== true, gone: variable.unset === true }
}

interface Indexed {
  readonly index: SyntaxWord
  /** `[@]`, `[*]`. */
  readonly all: boolean
  readonly span: Span
}

/** `${x[1]}`, `${x[@]}`. */
function elementsHeld(part: ParameterExpansionPart, site: ExecutionContext, { index, all, span }: Indexed): Held {
  const indexed = site.walker.word(index, site)
  runValue(indexed.text, site, span)
  const variable = lookup(part.parameter, site, span)
  if (variable === null) return { values: [], set: false, gone: false }
  const elements = variable.elements ?? [variable.word]
  const state = { set: variable.unset !== true, gone: variable.unset === true }
  const counts = part.prefix === '#' || part.operation?.type === 'Slice'
  if ((variable.keyed ?? variable.sparse) === true && !(all && !counts))
    return { ...state, values: [{ ...anyOf(elements, span), many: all }] }
  // `mapfile` fills an array of unknown length: every element of it is as unknown as the whole.
  const same = variable.elements === null && variable.word.text === null
  return { ...state, values: all || same ? elements : [elementOf(elements, indexed, span)] }
}

function size(values: readonly Word[], at: { all: boolean; set: boolean; span: Span }): Word {
  if (!at.set) return unknownWord(at.span)
  // One that is not known may be an array of any length.
  if (at.all)
    return isCounted(values) && !(values.length === 1 && values[0]?.text === null)
      ? knownWord(String(values.length), at.span)
      : unknownWord(at.span)
  const text = values[0]?.text
  return text === undefined || text === null ? unknownWord(at.span) : knownWord(String([...text].length), at.span)
}

interface Operating {
  readonly values: readonly Word[]
  readonly set: boolean
  /** Known not to be set. */
  readonly gone: boolean
  /** Stands in double quotes: its default is not split. */
  readonly quoted: boolean
  readonly part: ParameterExpansionPart
  readonly site: ExecutionContext
  readonly span: Span
}

function indirect(values: readonly Word[], { part, site, span }: Pick<Operating, 'part' | 'site' | 'span'>): readonly Word[] {
  const name = values[0]?.text
  if (values[0] !== undefined) runName(values[0], site)
  if (part.operation?.type === 'Default' && part.operation.operator.endsWith('='))
    assignIndirect(name, part.operation.operand, { site, span })
  if (part.index !== undefined || part.operation !== undefined || name === undefined || name === null) return [unknownWord(span)]
  return simpleParameter(name, site, span)
}

/** `${!n:=word}` may set the variable that `n` names. */
function assignIndirect(name: string | null | undefined, operand: SyntaxWord, { site, span }: Pick<Operating, 'site' | 'span'>): void {
  site.walker.word(operand, site)
  const prefix = name !== null && name !== undefined && /^[A-Za-z_]\w*$/.test(name) ? name : ''
  if (prefix === '') site.scope.scatter('', span)
  else setVariable(site.scope, prefix, { word: unknownWord(span, [], true), elements: null })
}

function operate(operation: ParameterOperation, at: Operating): readonly Word[] {
  switch (operation.type) {
    case 'Default':
      return byDefault(operation.operator, operation.operand, at)
    case 'Remove': {
      const pattern = compilePattern(operation.operand, at.site)
      return mapValues(at, (text) => (pattern === null ? null : removePattern(text, pattern, operation.operator)))
    }
    case 'Replace': {
      const pattern = compilePattern(operation.pattern, at.site)
      const replacement = at.site.walker.word(operation.replacement, at.site).text
      const { operator } = operation
      if (pattern === null || replacement === null) return mapValues(at, () => null)
      return mapValues(at, (text) => replacePattern(text, pattern, { operator, replacement }))
    }
    case 'Slice':
      return slice(operation.offset, operation.length, at)
    case 'CaseModification':
      if (operation.operand !== undefined) at.site.walker.word(operation.operand, at.site)
      return mapValues(at, (text) => changeCase(text, operation.operator))
    case 'Transform':
      // `${x@P}` expands the value as a prompt: what stands in it runs.
      if (operation.operand.text === 'P') for (const value of at.values) runPrompt(value, at)
      return [unknownWord(at.span, at.values[0]?.from, true)]
    default:
      return [unknownWord(at.span, at.values[0]?.from, at.values[0]?.dynamic)]
  }
}

/** What is not known may be a prompt that runs anything. */
function runPrompt(value: Word, { site, span, set }: Operating): void {
  const { text, candidates } = value
  for (const each of text === null ? (candidates ?? []) : [text]) runTemplate(each, site, span)
  if (text === null && candidates === undefined && set) runUnknown(site, wordProvenance([value]), { language: 'shell', span, by: '@P' })
}

/**
 * `${x:-y}` and its kin. A variable nobody is known to have set counts as unset: its default is what a fresh shell would use.
 */
function byDefault(operator: string, operand: SyntaxWord, at: Operating): readonly Word[] {
  const value = at.values[0]
  const empty = !at.set || value === undefined || (operator.startsWith(':') && value.text === '')
  if (!at.set) at.site.analysis.defaulted.add(at.part.parameter)
  if (!at.set && at.site.scope.scattered) return [unknownWord(at.span, [], true)]
  if (operator.endsWith('+')) return empty ? withoutAlternative(operand, at) : operandWords(operand, at.site, at.quoted)
  const assigns = operator.endsWith('=')
  const others = operandWords(operand, at.site, at.quoted || assigns)
  if (!empty) return at.values
  if (operator.endsWith('?')) return [unknownWord(at.span)]
  const [other] = others
  if (assigns && at.part.index === undefined && other !== undefined)
    setVariable(at.site.scope, at.part.parameter, { word: other, elements: null })
  return others
}

/** `${x:+y}` where x is empty; what y would do is looked at all the same. */
function withoutAlternative(operand: SyntaxWord, at: Operating): readonly Word[] {
  at.site.walker.word(operand, at.site)
  return [at.set || at.gone ? knownWord('', at.span) : unknownWord(at.span)]
}

function operandWords(operand: SyntaxWord, site: ExecutionContext, single: boolean): readonly Word[] {
  return single ? [site.walker.word(operand, site)] : site.walker.fields(operand, site)
}

/** Maps known values; unknown ones stay unknown with their provenance. */
function mapValues(at: Operating, change: (text: string) => string | null): readonly Word[] {
  // What is made of a secret is a secret still; nobody knows how much of it.
  if (!at.set) return [inherited(at.part.parameter, at.span)]
  return at.values.map((value) => {
    const text = value.text === null || value.glob ? null : change(value.text)
    if (text !== null) return { ...value, text, prefix: text }
    return unknownWord(at.span, value.from, value.dynamic)
  })
}

/** So many characters of a secret give nothing away: `${TOKEN:0:4}` tells only which one it is. */
const BEGINNING = 8

function slice(offset: SyntaxWord, length: SyntaxWord | undefined, at: Operating): readonly Word[] {
  const word = at.site.walker.word(offset, at.site)
  runValue(word.text, at.site, at.span)
  const from = numberOf(word)
  const count = length === undefined ? Number.POSITIVE_INFINITY : numberOf(at.site.walker.word(length, at.site))
  if (!at.set && count !== null && count <= BEGINNING) return [unknownWord(at.span)]
  if (from === null || count === null) return mapValues(at, () => null)
  const { parameter, index } = at.part
  const positional = parameter === '@' || parameter === '*'
  if (positional || index?.text === '@' || index?.text === '*') {
    const values = positional ? (at.site.scope.positional ?? [unknownMany(at.span)]) : at.values
    return at.set ? sliceOf(values, { from, count, span: at.span }) : [unknownMany(at.span)]
  }
  return mapValues(at, (text) => {
    const start = from < 0 ? text.length + from : from
    if (start < 0) return ''
    return count < 0 ? text.slice(start, text.length + count) : text.slice(start, start + count)
  })
}

function numberOf(word: Word): number | null {
  const text = word.text?.trim()
  return text !== undefined && /^-?\d{1,6}$/.test(text) ? Number(text) : null
}

function changeCase(text: string, operator: string): string {
  const [first = '', ...rest] = text
  switch (operator) {
    case '^^':
      return text.toUpperCase()
    case ',,':
      return text.toLowerCase()
    case '^':
      return first.toUpperCase() + rest.join('')
    default:
      return first.toLowerCase() + rest.join('')
  }
}

import { type Effect, target } from '../../effect.ts'
import type { Input, Invocation, Word } from '../../host.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { anyOf, isCounted, shifted } from '../expand/array.ts'
import { runName, runValue } from '../expand/subscript.ts'
import { inputProvenance, runUnknown, wordProvenance } from '../flow/flow.ts'
import { WORK } from '../state/budget.ts'
import { changed, type ExecutionContext, emitAt, NO_OUTPUT, setVariable, UNKNOWN_OUTPUT } from '../state/state.ts'
import type { Builtin, Declared } from './builtin.ts'
import { assignWord, declaring } from './declare.ts'
import { setEnvironment } from './environment.ts'
import { switchOptions } from './options.ts'

/** Builtins that set, read and take away variables and parameters. */

/** The word after the option. */
export function optionValue(invocation: Invocation, option: string): Word | undefined {
  const at = invocation.args.findIndex((arg) => arg.text === option)
  if (at >= 0) return invocation.args[at + 1]
  const attached = invocation.args.find(({ prefix }) => prefix.startsWith(option) && prefix.length > option.length)
  if (attached === undefined) return undefined
  const { text, prefix } = attached
  return { ...attached, text: text === null ? null : text.slice(option.length), prefix: prefix.slice(option.length) }
}

export const unset: Builtin = ({ invocation, site }) => {
  for (const arg of invocation.args) {
    if (arg.text?.startsWith('-') === true) continue
    runName(arg, site)
    if (arg.text === null) {
      scatter(arg, site)
      continue
    }
    const array = /^(\w+)\[/.exec(arg.text)?.[1]
    if (array !== undefined) {
      takeOut(array, arg, site)
      continue
    }
    if (arg.text.startsWith('HIST')) setEnvironment(arg.text, knownWord('', arg.span), { site, span: arg.span })
    if (invocation.args[0]?.text === '-f') site.scope.define(arg.text, null)
    else if (!reveal(arg.text, site)) setVariable(site.scope, arg.text, { word: knownWord('', arg.span), elements: null, unset: true })
  }
  return NO_OUTPUT
}

/** Taking away what is local to a function that called this one shows what it hid. */
function reveal(name: string, { scope }: ExecutionContext): boolean {
  if (scope.locals?.own.has(name) !== false) return false
  for (let { outer } = scope.locals; outer !== null; outer = outer.outer) {
    if (!outer.own.has(name)) continue
    scope.restore(name, outer.own.get(name))
    return true
  }
  return false
}

/** `unset a[1]`: what is left stands at other places than before; of what was given by its index, nobody knows which one went. */
function takeOut(name: string, { text, span }: Word, { scope }: ExecutionContext): void {
  const variable = scope.variables.get(name)
  const elements = variable?.elements
  if (variable === undefined || elements == null) return
  const index = /\[(\d{1,6})\]$/.exec(text ?? '')?.[1]
  const left =
    index === undefined || (variable.keyed ?? variable.sparse) === true || !isCounted(elements)
      ? null
      : elements.filter((_, at) => at !== Number(index))
  setVariable(scope, name, { ...variable, elements: left ?? [{ ...anyOf(elements, span), many: true }], sparse: true })
}

/** A variable whose name is not known was set, or an element of an array: what they hold is not known any more. */
function scatter({ prefix, span, text }: Word, { scope, analysis }: ExecutionContext): void {
  if (!analysis.spend(WORK.variable * scope.variables.size, span)) return
  const array = /^([A-Za-z_]\w*)\[/.exec(text ?? prefix)?.[1]
  if (array !== undefined) setVariable(scope, array, { word: { ...unknownWord(span, [], true), many: true }, elements: null })
  else if (text === null) scope.scatter(/^\w*/.exec(prefix)?.[0] ?? '', span)
}

/** `export`, `declare`, `local`, `readonly`: assignments; without any they print the variables. */
export const declare: Builtin = ({ invocation, declared, site }) => {
  const { name: builtin, args } = invocation
  const all = [...declared, ...declaring(args)]
  const how: Declaring = {
    // Another name for a variable: its value is that of whatever the other one will hold.
    reference: builtin !== 'export' && args.some(({ text }) => text !== null && /^-[a-z]*n/.test(text)),
    arithmetic: args.some(({ text }) => text !== null && /^-[a-zA-Z]*i/.test(text)),
    integer: builtin === 'integer',
    exported: builtin !== 'local',
  }
  localise(invocation, all, site)
  foldCase(invocation, all, site)
  for (const item of all) declareValue(item, how, site)
  const names = args.filter((arg) => arg.text === null || !arg.text.startsWith('-'))
  for (const name of names) declareName(name, how.reference && all.length === 0, site)
  const affected = [...all.map(({ name }) => name), ...names.map(({ text }) => text ?? '')]
  if (isReadOnly(invocation)) fixAll(invocation, affected, site)
  if (how.arithmetic) for (const name of names) remember(name, site)
  if (builtin === 'export' && args[0]?.text === '-n') keepBack(names, site)
  else if (exports(invocation)) exportNames(invocation, affected, site)
  if (affected.length > 0) return NO_OUTPUT
  if (builtin !== 'local') printVariables(site, invocation)
  return UNKNOWN_OUTPUT
}

interface Declaring {
  /** `declare -n`: the value is the name of another variable. */
  readonly reference: boolean
  /** `declare -i`: values are sums. */
  readonly arithmetic: boolean
  readonly integer: boolean
  readonly exported: boolean
}

function declareValue(item: Declared, { reference, arithmetic, integer, exported }: Declaring, site: ExecutionContext): void {
  if (arithmetic || integer) runValue(item.word.text, site, item.word.span)
  if (!reference) {
    assignWord(item, { site, exported })
    return
  }
  runName(item.word, site)
  const refers = /^[A-Za-z_]\w*/.exec(item.word.text ?? '')?.[0] ?? null
  assignWord({ ...item, word: unknownWord(item.word.span, undefined, true) }, { site, exported, refers })
}

function declareName(name: Word, reference: boolean, site: ExecutionContext): void {
  if (/^\w+\[/.test(name.prefix)) runName(name, site)
  if (name.text === null ? !/^[A-Za-z_]\w*=/.test(name.prefix) : /^\w+\[.*\]\+?=/.test(name.text)) scatter(name, site)
  else if (reference) setVariable(site.scope, name.text ?? '', { word: unknownWord(name.span), elements: null, refers: '' })
}

function isReadOnly({ name, args }: Invocation): boolean {
  return name === 'readonly' || (name !== 'export' && args.some(({ text }) => text !== null && /^-[a-zA-Z]*r/.test(text)))
}

function fixAll(invocation: Invocation, names: readonly string[], { scope }: ExecutionContext): void {
  const functions = invocation.args.some(({ text }) => text !== null && /^-[a-zA-Z]*f/.test(text))
  for (const name of names) {
    const known = functions ? scope.functions.get(name) : undefined
    if (known !== undefined) scope.functions = changed(scope.functions, name, { ...known, fixed: true })
    else if (!functions && /^[A-Za-z_]\w*$/.test(name)) scope.fix(name, invocation.span)
  }
}

function exports({ name, args }: Invocation): boolean {
  return name === 'export' || args.some(({ text }) => text !== null && /^-[a-zA-Z]*x/.test(text))
}

function exportNames(invocation: Invocation, names: readonly string[], { scope }: ExecutionContext): void {
  const functions = invocation.args.some(({ text }) => text !== null && /^-[a-z]*f/.test(text))
  for (const name of names) {
    const variable = scope.variables.get(name)
    if (variable !== undefined && !functions) setVariable(scope, name, { ...variable, exported: true })
    const known = functions ? scope.functions.get(name) : undefined
    if (known !== undefined) scope.functions = changed(scope.functions, name, { ...known, exported: true })
  }
}

/** `export -n`: programs do not have them any more. */
function keepBack(names: readonly Word[], { scope }: ExecutionContext): void {
  for (const { text } of names) {
    const variable = scope.variables.get(text ?? '')
    if (variable === undefined || text === null) continue
    const { exported: _, ...own } = variable
    scope.restore(text, own)
  }
}

/** `declare -l`, `-u`: whatever they are given from now on is written so. */
function foldCase({ name, args }: Invocation, all: readonly Declared[], { scope }: ExecutionContext): void {
  const flags = name === 'export' ? '' : args.map(({ text }) => (text !== null && /^-[a-zA-Z]+$/.test(text) ? text : '')).join('')
  const folds = flags.includes('l') ? 'lower' : flags.includes('u') ? 'upper' : undefined
  if (folds === undefined) return
  const bare = args.flatMap((word) =>
    word.text !== null && /^[A-Za-z_]\w*$/.test(word.text) ? [{ name: word.text, word: knownWord('', word.span) }] : [],
  )
  for (const { name: variable, word } of [...all, ...bare]) {
    const before = scope.variables.get(variable) ?? { word: knownWord('', word.span), elements: null, unset: true as const }
    setVariable(scope, variable, { ...before, folds })
  }
}

/** Inside of a function they are its own, empty where nothing is said, and gone after it. */
function localise({ name, args, span }: Invocation, all: readonly Declared[], { scope }: ExecutionContext): void {
  const { locals } = scope
  const own =
    name === 'local' || ((name === 'declare' || name === 'typeset') && !args.some(({ text }) => text !== null && /^-[a-zA-Z]*g/.test(text)))
  if (locals === null || !own) return
  const bare = args.flatMap(({ text }) => (text !== null && /^[A-Za-z_]\w*$/.test(text) ? [text] : []))
  for (const variable of [...all.map((item) => item.name), ...bare]) {
    // One that is read only stays what it is.
    if (locals.own.has(variable) || scope.variables.get(variable)?.fixed === 'always') continue
    locals.own.set(variable, scope.variables.get(variable))
    if (bare.includes(variable)) setVariable(scope, variable, { word: knownWord('', span), elements: null, unset: true })
  }
}

/** `declare -i n`: whatever `n` is given from now on is arithmetic. */
function remember({ text, span }: Word, site: ExecutionContext): void {
  if (text === null || !/^[A-Za-z_]\w*$/.test(text)) return
  const before = site.scope.variables.get(text) ?? { word: unknownWord(span), elements: null }
  setVariable(site.scope, text, { ...before, integer: true })
}

function printVariables(site: ExecutionContext, invocation: Invocation): void {
  emitAt(site, target('variable', '*'), { verb: 'read', action: 'env:list', span: invocation.span })
}

export const set: Builtin = ({ invocation, site }) => {
  const { args } = invocation
  if (args.length === 0) {
    printVariables(site, invocation)
    return UNKNOWN_OUTPUT
  }
  const first = afterOptions(args)
  const options = args.slice(0, first).map(({ text }) => text ?? '')
  if (options.some((text) => /^-[a-zA-Z]*a/.test(text)) || options.includes('allexport')) site.scope.exporting = true
  switchOptions(options, site)
  if (first >= args.length && options.at(-1) !== '--') return NO_OUTPUT
  const zero = site.scope.positional?.[0] ?? knownWord('bash', invocation.span)
  moveParameters(site, [zero, ...args.slice(first)])
  return NO_OUTPUT
}

/** Where the parameters begin that `set` is given: each `o` among the options takes a word. */
function afterOptions(args: readonly Word[]): number {
  let at = 0
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? ''
    if (text === '--' || text === '-') return at + 1
    if (!/^[-+]\w/.test(text)) break
    at += text.split('o').length - 1
  }
  return at
}

function moveParameters({ scope }: ExecutionContext, words: readonly Word[] | null): void {
  scope.positional = words
  if (scope.given !== null) scope.given.shifted = true
}

export const shift: Builtin = ({ invocation, site }) => {
  const { positional } = site.scope
  const count = invocation.args[0] === undefined ? 1 : Number(invocation.args[0].text ?? Number.NaN)
  moveParameters(site, positional === null || Number.isNaN(count) ? null : shifted(positional, count, invocation.span))
  return NO_OUTPUT
}

/** `read`, `mapfile`, `getopts`: variables of unknown content that comes from the input. */
export const read: Builtin = ({ invocation, streams, site }) => {
  const { name: builtin, args, span } = invocation
  const names = args.flatMap(({ text }) => (text !== null && /^[A-Za-z_]\w*$/.test(text) ? [text] : []))
  if (builtin === 'read') for (const arg of args) if (arg.text?.startsWith('-') === false) runName(arg, site)
  for (const arg of args) if (arg.text === null ? !arg.prefix.startsWith('-') : /^\w+\[/.test(arg.text)) scatter(arg, site)
  if (builtin === 'getopts') names.push('OPTARG', 'OPTIND')
  const provenance = inputProvenance(streams.input)
  const callback = builtin === 'read' ? undefined : optionValue(invocation, '-C')
  if (callback !== undefined) runUnknown(site, provenance, { language: 'shell', span: callback.span, by: 'mapfile -C' })
  const [only] = names
  const line = lineRead(invocation, streams.input, site)
  if (line !== null && names.length === 1 && only !== undefined)
    setVariable(site.scope, only, { word: knownWord(line, span), elements: null })
  else fillUnknown(site, invocation, { names, from: provenance.from })
  return NO_OUTPUT
}

function fillUnknown(
  site: ExecutionContext,
  invocation: Invocation,
  { names, from }: { readonly names: readonly string[]; readonly from: readonly Effect[] },
): void {
  const { name: builtin, span } = invocation
  const one = builtin === 'getopts' || (builtin === 'read' && !hasArray(invocation))
  const word = { ...unknownWord(span, from, true), ...(one ? {} : { many: true }) }
  for (const name of names.length === 0 ? ['REPLY', 'MAPFILE'] : names) setVariable(site.scope, name, { word, elements: null })
}

function hasArray({ args }: Invocation): boolean {
  return args.some(({ text }) => text !== null && /^-[a-zA-Z]*a/.test(text))
}

/** Options with which `read` still takes the first line as it stands. */
const WHOLE_LINE = /^-[erspt]+$/

/** The line that a plain `read` takes; null where it is another one, or only a part of it, or is taken apart. */
function lineRead({ name, args, env }: Invocation, input: Input, { scope, analysis }: ExecutionContext): string | null {
  if (name !== 'read' || input.kind !== 'text' || input.text === null || scope.looping) return null
  const first = !analysis.taken.has(input)
  analysis.taken.add(input)
  const flags = args.filter(({ prefix, text }) => prefix.startsWith('-') || text === null)
  const separators = env.get('IFS') ?? scope.variables.get('IFS')?.word
  if (!first || flags.some(({ text }) => text === null || !WHOLE_LINE.test(text))) return null
  if (separators !== undefined && !/^[ \t\n]*$/.test(separators.text ?? 'x')) return null
  const line = input.text.split('\n', 1)[0] ?? ''
  const raw = flags.some(({ text }) => text?.includes('r') === true)
  return !raw && line.includes('\\') ? null : line.trim()
}

export const printf: Builtin = ({ invocation, site }) => {
  const [flag, name] = invocation.args
  if (flag?.text !== '-v' || name === undefined) return UNKNOWN_OUTPUT
  runName(name, site)
  if (name.text === null || !/^\w+$/.test(name.text)) {
    scatter(name, site)
    return NO_OUTPUT
  }
  const values = invocation.args.slice(2)
  const plain = values.length === 2 && values[0]?.text === '%s' ? values[1] : undefined
  setVariable(site.scope, name.text, { word: plain ?? unknownWord(invocation.span, wordProvenance(values).from, true), elements: null })
  return NO_OUTPUT
}

export const letBuiltin: Builtin = ({ invocation, site }) => {
  for (const arg of invocation.args) {
    runValue(arg.text, site, arg.span)
    const name = /^([A-Za-z_]\w*)\s*[-+*/%]?=/.exec(arg.text ?? '')?.[1]
    if (name !== undefined) setVariable(site.scope, name, { word: unknownWord(arg.span), elements: null })
  }
  return NO_OUTPUT
}

/** `test -v name`, `[ -v name ]`, `wait -p name`: no effect but what the subscript of the name runs. */
export const naming: Builtin = ({ invocation, site }) => {
  for (const [at, { text }] of invocation.args.entries()) {
    const name = invocation.args[at + 1]
    if (name !== undefined && (text === '-v' || (text === '-p' && invocation.name === 'wait'))) runName(name, site)
  }
  return NO_OUTPUT
}

import { target } from '../effect.ts'
import { shifted } from './expand-array.ts'
import { runName, runValue } from './expand-subscript.ts'
import { inputProvenance, runUnknown, wordProvenance } from './flow.ts'
import type { Invocation, Word } from './spec.ts'
import type { Builtin } from './walk-builtins.ts'
import { assignWord, type Declared, declaring } from './walk-declare.ts'
import { setEnvironment } from './walk-environment.ts'
import { changed, emitAt, knownWord, NO_OUTPUT, type Site, setVariable, UNKNOWN_OUTPUT, unknownWord } from './walk-state.ts'

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
    if (arg.text === null) continue
    const array = /^(\w+)\[/.exec(arg.text)?.[1]
    if (array !== undefined) {
      forgetIndexes(array, site)
      continue
    }
    if (arg.text.startsWith('HIST')) setEnvironment(arg.text, knownWord('', arg.span), { site, span: arg.span })
    setVariable(site.scope, arg.text, { word: knownWord('', arg.span), elements: null, unset: true })
    if (invocation.args[0]?.text === '-f') site.scope.functions = changed(site.scope.functions, arg.text, null)
  }
  return NO_OUTPUT
}

/** `unset a[1]`: which elements are left, and where, is not looked at. */
function forgetIndexes(name: string, { scope }: Site): void {
  const variable = scope.variables.get(name)
  if (variable?.elements != null) setVariable(scope, name, { ...variable, keyed: true })
}

/** `export`, `declare`, `local`, `readonly`: assignments; without any they print the variables. */
export const declare: Builtin = ({ invocation, declared, site }) => {
  const all = [...declared, ...declaring(invocation.args)]
  // Another name for a variable: its value is that of whatever the other one will hold.
  const reference = invocation.name !== 'export' && invocation.args.some(({ text }) => text !== null && /^-[a-z]*n/.test(text))
  const arithmetic = invocation.args.some(({ text }) => text !== null && /^-[a-zA-Z]*i/.test(text))
  localise(invocation, all, site)
  foldCase(invocation, all, site)
  for (const item of all) {
    if (arithmetic || invocation.name === 'integer') runValue(item.word.text, site, item.word.span)
    if (reference) runName(item.word, site)
    const word = reference ? unknownWord(item.word.span, undefined, true) : item.word
    const refers = reference ? { refers: /^[A-Za-z_]\w*/.exec(item.word.text ?? '')?.[0] ?? null } : {}
    assignWord({ ...item, word }, { site, exported: invocation.name !== 'local', ...refers })
  }
  const names = invocation.args.filter((arg) => arg.text === null || !arg.text.startsWith('-'))
  for (const name of names) if (/^\w+\[/.test(name.prefix)) runName(name, site)
  if (arithmetic) for (const name of names) remember(name, site)
  if (invocation.name === 'export' && invocation.args[0]?.text === '-n') keepBack(names, site)
  else if (exports(invocation)) exportNames(invocation, [...all.map(({ name }) => name), ...names.map(({ text }) => text ?? '')], site)
  if (all.length === 0 && names.length === 0 && invocation.name !== 'local') printVariables(site, invocation)
  return all.length > 0 || names.length > 0 ? NO_OUTPUT : UNKNOWN_OUTPUT
}

function exports({ name, args }: Invocation): boolean {
  return name === 'export' || args.some(({ text }) => text !== null && /^-[a-zA-Z]*x/.test(text))
}

function exportNames(invocation: Invocation, names: readonly string[], { scope }: Site): void {
  const functions = invocation.args.some(({ text }) => text !== null && /^-[a-z]*f/.test(text))
  for (const name of names) {
    const variable = scope.variables.get(name)
    if (variable !== undefined && !functions) setVariable(scope, name, { ...variable, exported: true })
    const known = functions ? scope.functions.get(name) : undefined
    if (known !== undefined) scope.functions = changed(scope.functions, name, { ...known, exported: true })
  }
}

/** `export -n`: programs do not have them any more. */
function keepBack(names: readonly Word[], { scope }: Site): void {
  for (const { text } of names) {
    const variable = scope.variables.get(text ?? '')
    if (variable === undefined || text === null) continue
    const { exported: _, ...own } = variable
    scope.restore(text, own)
  }
}

/** `declare -l`, `-u`: whatever they are given from now on is written so. */
function foldCase({ name, args }: Invocation, all: readonly Declared[], { scope }: Site): void {
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
function localise({ name, args, span }: Invocation, all: readonly Declared[], { scope }: Site): void {
  const { locals } = scope
  const own =
    name === 'local' || ((name === 'declare' || name === 'typeset') && !args.some(({ text }) => text !== null && /^-[a-zA-Z]*g/.test(text)))
  if (locals === null || !own) return
  const bare = args.flatMap(({ text }) => (text !== null && /^[A-Za-z_]\w*$/.test(text) ? [text] : []))
  for (const variable of [...all.map((item) => item.name), ...bare]) {
    if (locals.has(variable)) continue
    locals.set(variable, scope.variables.get(variable))
    if (bare.includes(variable)) setVariable(scope, variable, { word: knownWord('', span), elements: null, unset: true })
  }
}

/** `declare -i n`: whatever `n` is given from now on is arithmetic. */
function remember({ text, span }: Word, site: Site): void {
  if (text === null || !/^[A-Za-z_]\w*$/.test(text)) return
  const before = site.scope.variables.get(text) ?? { word: unknownWord(span), elements: null }
  setVariable(site.scope, text, { ...before, integer: true })
}

function printVariables(site: Site, invocation: Invocation): void {
  emitAt(site, target('variable', '*'), { verb: 'read', action: 'env:list', span: invocation.span })
}

export const set: Builtin = ({ invocation, site }) => {
  const { args } = invocation
  if (args.length === 0) {
    printVariables(site, invocation)
    return UNKNOWN_OUTPUT
  }
  const end = args.findIndex(({ text }) => text === '--')
  const options = (end < 0 ? args : args.slice(0, end)).map(({ text }) => text ?? '')
  if (options.some((text) => /^-[a-zA-Z]*a/.test(text)) || options.includes('allexport')) site.scope.exporting = true
  const dashes = args.findIndex((arg) => arg.text === '--')
  const first = dashes >= 0 ? dashes + 1 : args.findIndex((arg) => arg.text === null || !/^[-+]/.test(arg.text))
  if (dashes < 0 && (first < 0 || /^[-+]\w*o$/.test(args[first - 1]?.text ?? ''))) return NO_OUTPUT
  const zero = site.scope.positional?.[0] ?? knownWord('bash', invocation.span)
  site.scope.positional = [zero, ...args.slice(first)]
  return NO_OUTPUT
}

export const shift: Builtin = ({ invocation, site }) => {
  const { positional } = site.scope
  const count = invocation.args[0] === undefined ? 1 : Number(invocation.args[0].text ?? Number.NaN)
  site.scope.positional = positional === null || Number.isNaN(count) ? null : shifted(positional, count, invocation.span)
  return NO_OUTPUT
}

/** `read`, `mapfile`, `getopts`: variables of unknown content that comes from the input. */
export const read: Builtin = ({ invocation, streams, site }) => {
  const names = invocation.args.filter((arg) => arg.text !== null && /^[A-Za-z_]\w*$/.test(arg.text)).map((arg) => arg.text ?? '')
  if (invocation.name === 'read') for (const arg of invocation.args) if (arg.text?.startsWith('-') === false) runName(arg, site)
  const { from } = inputProvenance(streams.input)
  if (invocation.name === 'getopts') names.push('OPTARG', 'OPTIND')
  const callback = invocation.name === 'read' ? undefined : optionValue(invocation, '-C')
  if (callback !== undefined) runUnknown(site, inputProvenance(streams.input), { language: 'shell', span: callback.span, by: 'mapfile -C' })
  const word = unknownWord(invocation.span, from, true)
  const line =
    streams.input.kind === 'text' && invocation.name === 'read' && !site.scope.looping ? streams.input.text?.split('\n', 1)[0] : undefined
  if (line !== undefined && names.length === 1 && names[0] !== undefined) {
    setVariable(site.scope, names[0], { word: knownWord(line.trim(), invocation.span), elements: null })
    return NO_OUTPUT
  }
  for (const name of names.length === 0 ? ['REPLY', 'MAPFILE'] : names) setVariable(site.scope, name, { word, elements: null })
  return NO_OUTPUT
}

export const printf: Builtin = ({ invocation, site }) => {
  const [flag, name] = invocation.args
  if (flag?.text !== '-v' || name === undefined || name.text === null) return UNKNOWN_OUTPUT
  runName(name, site)
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

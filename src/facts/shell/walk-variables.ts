import { target } from '../effect.ts'
import { runName, runValue } from './expand-subscript.ts'
import { inputProvenance, runUnknown, wordProvenance } from './flow.ts'
import type { Invocation, Word } from './spec.ts'
import type { Builtin } from './walk-builtins.ts'
import { assignWord, declaring } from './walk-declare.ts'
import { setEnvironment } from './walk-environment.ts'
import { changed, emitAt, knownWord, NO_OUTPUT, type Site, setVariable, UNKNOWN_OUTPUT, unknownWord } from './walk-state.ts'

/** Builtins that set, read and take away variables and parameters. */

/** The word after the option. */
export function optionValue(invocation: Invocation, option: string): Word | undefined {
  const at = invocation.args.findIndex((arg) => arg.text === option)
  return at < 0 ? undefined : invocation.args[at + 1]
}

export const unset: Builtin = ({ invocation, site }) => {
  for (const arg of invocation.args) {
    if (arg.text === null || arg.text.startsWith('-')) continue
    runName(arg, site)
    if (arg.text.startsWith('HIST')) setEnvironment(arg.text, knownWord('', arg.span), { site, span: arg.span })
    setVariable(site.scope, arg.text, { word: knownWord('', arg.span), elements: null, unset: true })
    if (invocation.args[0]?.text === '-f') site.scope.functions = changed(site.scope.functions, arg.text, null)
  }
  return NO_OUTPUT
}

/** `export`, `declare`, `local`, `readonly`: assignments; without any they print the variables. */
export const declare: Builtin = ({ invocation, declared, site }) => {
  const all = [...declared, ...declaring(invocation.args)]
  // Another name for a variable: its value is that of whatever the other one will hold.
  const reference = invocation.args.some(({ text }) => text !== null && /^-[a-z]*n/.test(text))
  const arithmetic = invocation.args.some(({ text }) => text !== null && /^-[a-zA-Z]*i/.test(text))
  for (const item of all) {
    if (arithmetic || invocation.name === 'integer') runValue(item.word.text, site, item.word.span)
    const word = reference ? unknownWord(item.word.span, undefined, true) : item.word
    assignWord({ ...item, word }, { site, exported: invocation.name !== 'local' })
  }
  const names = invocation.args.filter((arg) => arg.text === null || !arg.text.startsWith('-'))
  for (const name of names) if (/^\w+\[/.test(name.text ?? '')) runName(name, site)
  if (all.length === 0 && names.length === 0 && invocation.name !== 'local') printVariables(site, invocation)
  return all.length > 0 || names.length > 0 ? NO_OUTPUT : UNKNOWN_OUTPUT
}

function printVariables(site: Site, invocation: Invocation): void {
  emitAt(site, target('variable', '*'), { verb: 'read', action: 'env:list', span: invocation.span })
}

export const set: Builtin = ({ invocation, site }) => {
  const { args } = invocation
  if (args.length === 0) printVariables(site, invocation)
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
  const zero = positional?.[0]
  site.scope.positional = positional === null || zero === undefined || Number.isNaN(count) ? null : [zero, ...positional.slice(1 + count)]
  return NO_OUTPUT
}

/** `read`, `mapfile`, `getopts`: variables of unknown content that comes from the input. */
export const read: Builtin = ({ invocation, streams, site }) => {
  const names = invocation.args.filter((arg) => arg.text !== null && /^[A-Za-z_]\w*$/.test(arg.text)).map((arg) => arg.text ?? '')
  if (invocation.name === 'read') for (const arg of invocation.args) if (arg.text?.startsWith('-') === false) runName(arg, site)
  const { from } = inputProvenance(streams.input)
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

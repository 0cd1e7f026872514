import { target } from '../../effect.ts'
import type { Input, Invocation, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { runTemplate } from '../expand/subscript.ts'
import { runDecoded, runUnknown, wordProvenance } from '../flow/flow.ts'
import { LIMITS } from '../state/budget.ts'
import { joinLeft } from '../state/join.ts'
import { changed, type ExecutionContext, emitAt, NO_OUTPUT, type Output, opaqueAt, setVariable, UNKNOWN_OUTPUT } from '../state/state.ts'
import type { Builtin, BuiltinCall } from './builtin.ts'
import { InvocationContext, STDIN } from './context.ts'
import { declaring } from './declare.ts'
import { reportAlias, runLater } from './deferred.ts'
import { cd, popd, pushd } from './directories.ts'
import { runScript, runText } from './script.ts'
import { pathOf } from './target.ts'
import { runSignalled, watch } from './trap.ts'

import { declare, letBuiltin, naming, optionValue, printf, read, set, shift, unset } from './variables.ts'

/** Builtins that change the shell itself, or run something in it. The others are programs of the tables. */

/** Builtins without any effect. */
const QUIET: readonly string[] = [
  ...[':', 'true', 'false', 'type', 'fg', 'bg', 'disown', 'times', 'dirs', 'caller'],
  ...['compopt', 'ulimit', 'umask', 'help', 'logout', 'exit', 'suspend', 'rehash'],
  ...['setopt', 'unsetopt', 'autoload', 'zmodload', 'emulate', 'limit', 'whence', 'where', 'print'],
]

/** Runs in the very shell: assignments and `cd` inside stay. */
function runHere(text: string, call: BuiltinCall, by: string): Output {
  const { site, invocation } = call
  const { scope } = site
  const { wrappers } = scope
  if (wrappers.length >= LIMITS.wrappers) {
    opaqueAt(site, 'the chain of wrappers is too deep to be analysed', invocation.span)
    return UNKNOWN_OUTPUT
  }
  scope.wrappers = [...wrappers, by]
  scope.depth++
  const frame = { pointer: invocation.span.pointer, fixed: invocation.span }
  const output = site.walker.text(text, { ...site, input: call.streams.input, frame })
  scope.depth--
  scope.wrappers = wrappers
  return output
}

const evaluate: Builtin = (call) => {
  const { invocation, site } = call
  const args = invocation.args[0]?.text === '--' ? invocation.args.slice(1) : invocation.args
  if (args.length === 0) return NO_OUTPUT
  const provenance = wordProvenance(args)
  const running = { language: 'shell', span: invocation.span, by: 'eval' } as const
  if (args.some((arg) => arg.text === null || arg.glob)) {
    runUnknown(site, provenance, running)
    return UNKNOWN_OUTPUT
  }
  const text = args.map((arg) => arg.text ?? '').join(' ')
  if (provenance.decoded) runDecoded(site, text, running)
  const separators = invocation.env.get('IFS')
  const before = site.scope.variables.get('IFS')
  // It holds inside, as everything set before `eval` does.
  if (separators !== undefined) setVariable(site.scope, 'IFS', { word: separators, elements: null })
  const output = runHere(text, call, 'eval')
  if (separators !== undefined)
    setVariable(site.scope, 'IFS', before ?? { word: knownWord('', invocation.span), elements: null, unset: true })
  return output
}

const source: Builtin = (call) => {
  const [path, ...args] = call.invocation.args[0]?.text === '--' ? call.invocation.args.slice(1) : call.invocation.args
  if (path === undefined) return NO_OUTPUT
  const context = new InvocationContext(call.site, call.invocation)
  const { input } = call.streams
  if (path.text !== null && path.text !== '-' && STDIN.has(path.text)) {
    if (input.kind === 'text' && input.text !== null) sourceInput(input, { context, path, args })
    else context.stdin('shell')
  } else {
    const before = isPerhapsWritten(path, call.site) ? call.site.scope.clone() : null
    runScript(context, { language: 'shell', path, args, sourced: true })
    if (before !== null) joinLeft(call.site, [before])
  }
  return UNKNOWN_OUTPUT
}

/** A file that was not there before the call, and that it perhaps did not write: there may be nothing to read. */
function isPerhapsWritten(path: Word, site: ExecutionContext): boolean {
  const { analysis, scope } = site
  const { real } = pathOf(path, site)
  if (real === null || !analysis.files.written.has(real) || analysis.view.realpath(real).type === 'file') return false
  if (!analysis.spend(analysis.effects.length, path.span)) return false
  const made = analysis.effects.filter(({ verb, target }) => verb === 'write' && target.real === real)
  return made.every((item) => analysis.doubted.has(item) || (item.certainty === 'possible' && scope.certainty !== 'possible'))
}

/** `. /dev/stdin <<< code`: what it sets and where it goes stays, as with any other file. */
function sourceInput(
  { text, decoded }: Extract<Input, { kind: 'text' }>,
  { context, path, args }: { readonly context: InvocationContext; readonly path: Word; readonly args: readonly Word[] },
): void {
  if (text === null) return
  const { site, invocation } = context
  if (decoded === true) runDecoded(site, text, { language: 'shell', span: path.span, by: invocation.name })
  runText(context, { language: 'shell', path, args, sourced: true }, text)
}

/** The words after the options; null for `command -v`, which only looks. */
function passedOn({ name, args }: Invocation): readonly Word[] | null {
  let at = 0
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? ''
    if (text === '--') return args.slice(at + 1)
    if (!text.startsWith('-') || text === '-') break
    if (name === 'command' && /[vV]/.test(text)) return null
    // `-als` is `-a ls`.
    if (name === 'exec' && text.endsWith('a') && !text.slice(1, -1).includes('a')) at++
  }
  return args.slice(at)
}

/** `command`, `builtin`, `exec`, `noglob` …: the rest is the command, in this shell. */
const passOn: Builtin = (call) => {
  const { invocation, site } = call
  // `jobs -x` puts numbers of processes in the place of `%1`, and runs the rest.
  if (invocation.name === 'jobs' && invocation.args[0]?.text !== '-x') return UNKNOWN_OUTPUT
  const words = passedOn(invocation)
  if (words === null) return UNKNOWN_OUTPUT
  if (words.length === 0) return NO_OUTPUT
  const { scope } = site
  const { wrappers } = scope
  if (wrappers.length >= LIMITS.wrappers) {
    opaqueAt(site, 'the chain of wrappers is too deep to be analysed', invocation.span)
    return UNKNOWN_OUTPUT
  }
  scope.wrappers = [...wrappers, invocation.name]
  const output = site.walker.program(words, { ...site, input: call.streams.input }, invocation.span)
  scope.wrappers = wrappers
  return output
}

const trap: Builtin = (call) => {
  const { args } = call.invocation
  const listing = args[0]?.text !== undefined && args[0].text !== null && /^-[lp]+$/.test(args[0].text)
  const [action, ...signals] = args[0]?.text === '--' ? args.slice(1) : args
  // Until now it may have run.
  if (action?.text === '-') runSignalled(call.site)
  if (action === undefined || signals.length === 0 || listing || action.text === '-' || action.text === '') return NO_OUTPUT
  if (action.text === null) {
    runUnknown(call.site, wordProvenance([action]), { language: 'shell', span: action.span, by: 'trap' })
    return NO_OUTPUT
  }
  const { site } = call
  const again = signals.some(({ text }) => text === 'DEBUG')
  if (again) reportHook(call, 'trap DEBUG')
  const { text } = action
  watch(site.scope)
  site.analysis.traps.push({
    scope: site.scope,
    start: site.scope.clone(),
    ran: false,
    anywhere: signals.every(({ text }) => text === 'EXIT' || text === '0') ? null : action.span,
    run: (scope) => {
      if (again) scope.certainty = 'possible'
      runHere(text, { ...call, site: { ...site, scope } }, again ? 'trap DEBUG' : 'trap')
    },
  })
  return NO_OUTPUT
}

function reportHook({ site, invocation }: BuiltinCall, by: string): void {
  const reason = `\`${by}\` runs it again and again`
  emitAt(site, target('code', by), { verb: 'persist', action: 'shell:hook', span: invocation.span, reason })
}

/** Code that the shell runs by itself from now on: at every command, at a key, to complete a word. */
function hook(call: BuiltinCall, action: Word, by: string): void {
  const { site } = call
  reportHook(call, by)
  const scope = site.scope.clone()
  scope.certainty = 'possible'
  if (action.text === null) runUnknown(site, wordProvenance([action]), { language: 'shell', span: action.span, by })
  else runHere(action.text, { ...call, site: { ...site, scope } }, by)
}

/** `bind -x '"\C-j": command'`. */
const bind: Builtin = (call) => {
  const binding = optionValue(call.invocation, '-x')
  if (binding === undefined) return NO_OUTPUT
  const text = binding.text?.slice(binding.text.indexOf(':') + 1).trim() ?? null
  const bare = text !== null && /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
  hook(call, { ...binding, text: bare }, 'bind -x')
  return NO_OUTPUT
}

/** What completes a word is given the command, the word and the one before; it runs in a shell of its own. */
function completeNow(call: BuiltinCall, code: Word): void {
  const { site, invocation } = call
  const last = invocation.args.at(-1)
  const scope = site.scope.clone()
  const word = last === undefined || last === code ? knownWord('', code.span) : last
  scope.positional = [knownWord('bash', code.span), word]
  if (code.text === null) runUnknown(site, wordProvenance([code]), { language: 'shell', span: code.span, by: 'compgen' })
  else runHere(`${code.text} compgen "$1" ''`, { ...call, site: { ...site, scope } }, 'compgen')
}

/** `complete` and `compgen`: programs, functions and word lists, which are expanded once more. */
const complete: Builtin = (call) => {
  const { invocation, site } = call
  const now = invocation.name === 'compgen'
  const program = optionValue(invocation, '-C')
  const called = optionValue(invocation, '-F')
  const words = optionValue(invocation, '-W')
  if (program !== undefined && !now) hook(call, program, 'complete -C')
  if (now) for (const code of [program, called]) if (code !== undefined) completeNow(call, code)
  if (words?.text !== undefined && words.text !== null) runTemplate(words.text, site, words.span)
  return NO_OUTPUT
}

/** `hash -p path name`: the name stands for another program from now on. */
const hash: Builtin = (call) => {
  const { invocation, site } = call
  const path = optionValue(invocation, '-p')
  const name = invocation.args.at(-1)
  if (path === undefined || name === undefined || name === path) return NO_OUTPUT
  const on = path.text === null ? target('program', '') : new InvocationContext(site, invocation).path(path)
  const reason = `\`${name.text ?? name.raw ?? ''}\` stands for that program from now on`
  emitAt(site, on, { verb: 'execute', action: 'code:load', span: path.span, reversible: false, reason })
  if (path.text === null || name.text === null || !/^[\w.+-]+$/.test(name.text)) return NO_OUTPUT
  const output = runHere(`${name.text}() { '${path.text.replaceAll("'", "'\\''")}' "$@"; }`, call, 'hash')
  const made = site.scope.functions.get(name.text)
  if (made !== undefined) site.scope.define(name.text, { ...made, hashed: true })
  return output
}

/** `enable -f library name` loads machine code into the shell. */
const enable: Builtin = ({ invocation, site }) => {
  const library = optionValue(invocation, '-f')
  // `enable -n exit` takes the builtin away.
  if (invocation.args.length > 0) site.analysis.renamed = true
  if (library === undefined) return NO_OUTPUT
  const on = new InvocationContext(site, invocation).path(library)
  emitAt(site, on, { verb: 'execute', action: 'code:load', span: library.span, reversible: false })
  return NO_OUTPUT
}

const alias: Builtin = ({ invocation, declared, site }) => {
  const aliases = new Map(site.scope.aliases)
  site.scope.aliases = aliases
  for (const { name, word } of [...declared, ...declaring(invocation.args)]) {
    site.analysis.takesOver(name)
    if (word.text !== null) {
      aliases.set(name, word.text)
      runLater(name, word.text, { site, span: word.span })
      reportAlias(name, word.text, { site, span: word.span })
    } else opaqueAt(site, `the alias \`${name}\` is not known before it runs`, word.span)
  }
  return NO_OUTPUT
}

const unalias: Builtin = ({ invocation, site }) => {
  for (const arg of invocation.args) {
    if (arg.text === '-a') site.scope.aliases = new Map()
    else if (arg.text !== null) site.scope.aliases = changed(site.scope.aliases, arg.text, null)
  }
  return NO_OUTPUT
}

/** Shell history is a record of what was done: to clear it is to hide it. */
const history: Builtin = ({ invocation, site }) => {
  const [flag, file] = invocation.args
  if (invocation.name === 'fc' && !invocation.args.some(({ text }) => text !== null && /^-[a-z]*l/.test(text)))
    runUnknown(site, wordProvenance([]), { language: 'shell', span: invocation.span, by: 'fc' })
  const way = /^-\w*([arnw])$/.exec(flag?.text ?? '')?.[1]
  if (way !== undefined && file !== undefined && invocation.name === 'history')
    emitAt(site, pathOf(file, site), { verb: way === 'r' || way === 'n' ? 'read' : 'write', span: file.span })
  if (flag?.text !== undefined && flag.text !== null && /^-\w*[cdw]/.test(flag.text)) {
    emitAt(site, target('resource', 'shell history'), { verb: 'delete', action: 'history:clear', span: invocation.span, reversible: false })
  } else {
    // A list in memory: what this very shell was told, in a script nothing at all. Only files hold what others typed.
    const fromFile = invocation.name === 'history' && invocation.args.some((word) => word.text === null || /^-\w*[rn]/.test(word.text))
    const resource = target('resource', 'shell history')
    emitAt(site, fromFile ? { ...resource, classes: ['history'] } : resource, { verb: 'read', span: invocation.span })
  }
  return UNKNOWN_OUTPUT
}

/** `break`, `continue`: what follows in the loop may not run, so its state then counts as well; with a number, for each loop around. */
const leaveLoop: Builtin = ({ invocation, site }) => {
  const { loops } = site.scope
  for (const left of invocation.args.length > 0 ? loops : loops.slice(0, 1)) left.push(site.scope.clone())
  return NO_OUTPUT
}

const leaveFunction: Builtin = ({ site }) => {
  site.scope.returns?.push(site.scope.clone())
  return NO_OUTPUT
}

const shopt: Builtin = ({ invocation, site }) => {
  const words = invocation.args.map(({ text }) => text)
  if (!words.some((text) => text !== null && /^-\w*s/.test(text))) return NO_OUTPUT
  if (words.includes('lastpipe')) site.scope.lastpipe = true
  if (words.includes('nocaseglob')) site.scope.nocaseglob = true
  if (words.includes('cdable_vars')) opaqueAt(site, '`cd` goes where variables of that name lead', invocation.span)
  if (words.includes('nullglob')) site.scope.nullglob = true
  return NO_OUTPUT
}

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...QUIET.map((name): [string, Builtin] => [name, () => NO_OUTPUT]),
  ...['cd', 'chdir'].map((name): [string, Builtin] => [name, cd]),
  ['pushd', pushd],
  ['popd', popd],
  ['eval', evaluate],
  ...['source', '.'].map((name): [string, Builtin] => [name, source]),
  ...['command', 'builtin', 'exec', 'jobs', 'noglob', 'nocorrect', '-'].map((name): [string, Builtin] => [name, passOn]),
  ...['break', 'continue'].map((name): [string, Builtin] => [name, leaveLoop]),
  ['return', leaveFunction],
  ['shopt', shopt],
  ['trap', trap],
  ['bind', bind],
  ['complete', complete],
  ['compgen', complete],
  ['hash', hash],
  ['enable', enable],
  ['alias', alias],
  ['unalias', unalias],
  ['unset', unset],
  ...['export', 'declare', 'typeset', 'local', 'readonly', 'integer', 'float'].map((name): [string, Builtin] => [name, declare]),
  ['set', set],
  ['shift', shift],
  ...['read', 'mapfile', 'readarray', 'getopts', 'vared'].map((name): [string, Builtin] => [name, read]),
  ['printf', printf],
  ['echo', () => UNKNOWN_OUTPUT],
  ['pwd', () => UNKNOWN_OUTPUT],
  ['let', letBuiltin],
  ...['test', '[', 'wait'].map((name): [string, Builtin] => [name, naming]),
  ...['history', 'fc'].map((name): [string, Builtin] => [name, history]),
])

/** The builtin of that name, or null for a program. */
export function builtin(name: string): Builtin | null {
  return BUILTINS.get(name) ?? null
}

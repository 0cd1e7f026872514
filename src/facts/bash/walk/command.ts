import type { Assignment, Command, Redirection, Word as SyntaxWord } from 'unbash'
import { type Effect, target } from '../../effect.ts'
import type { Input, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { disguise, separatedBy } from '../detect/disguise.ts'
import { reportEndlessOutput } from '../detect/endless.ts'
import { expandWords } from '../expand/expand.ts'
import { inputProvenance, passedFile } from '../flow/flow.ts'
import { joinLeft } from '../state/join.ts'
import {
  changed,
  type ExecutionContext,
  emitAt,
  type Locals,
  NO_OUTPUT,
  type Output,
  opaqueAt,
  type PendingSubstitution,
  type Scope,
  type ShellFunction,
  setVariable,
  spanOf,
  UNKNOWN_OUTPUT,
} from '../state/state.ts'
import { aliasOf, runAliased } from './alias.ts'
import type { Declared, Streams } from './builtin.ts'
import { walkBranches } from './compound.ts'
import { assignWord, expandAssignment } from './declare.ts'
import { unlessClosed } from './directories.ts'
import { setEnvironment } from './environment.ts'
import { outputOf } from './output.ts'
import { runProgram } from './program.ts'
import { applyRedirects, recordOutputs, reportEmptied } from './redirect.ts'
import { perhapsMade } from './which.ts'

/** Simple commands: assignments, expansion, redirections, then an alias, a function, a builtin or a program. */

/** The most calls of one function inside itself that are followed. */
const RECURSION = 2
/** Between two calls: the second runs in a copy of the shell. No function can be called that. */
const FORK = '&'

/** Walks one simple command. */
export function walkCommand(node: Command, outer: ExecutionContext): Output {
  const span = spanOf(node, outer.frame)
  if (!outer.analysis.step(span)) return UNKNOWN_OUTPUT
  const expanding = ownSite(outer)
  const start = expanding.analysis.effects.length
  const prefixes: Declared[] = []
  const redirects: Redirection[] = []
  for (const item of node.prefix) {
    if (item.type === 'Assignment') prefixes.push(expandAssignment(item, expanding))
    else redirects.push(item)
  }
  const { words, declared } = expandArguments(node, redirects, expanding)
  reportDisguise(node, words, expanding)
  const opening = expanding.analysis.effects.length
  const streams = applyRedirects(redirects, expanding)
  const opened = expanding.analysis.effects.length
  if (words.length === 1 && words[0]?.text === 'exec' && streams.input !== expanding.input)
    outer.scope.opened = { over: outer.input, input: streams.input }
  // What is printed goes to them.
  const site = expanding.pending.length > 0 && !expanding.captured ? { ...expanding, captured: true } : expanding
  const aliased = aliasOf(node, words, site)
  const plain = (at: ExecutionContext): Output =>
    runSet(prefixes, { words, env: environmentOf(prefixes, words, at), declared, streams, site: at, span })
  const output =
    words.length === 0
      ? assignOnly(prefixes, { site, node, input: streams.input, redirects })
      : aliased !== null
        ? runAliased({ text: aliased, node, words, site: { ...site, input: streams.input } }, plain)
        : plain(site)
  finish({ output, streams, site, start, words })
  unlessClosed(outer, opening, opened)
  if (streams.away) return NO_OUTPUT
  const fed = streams.input === outer.input || streams.input.kind !== 'pipe' ? [] : streams.input.from
  return fed.length === 0 ? output : { ...output, from: fed }
}

/** The site with substitutions of its own. Written out: spreading is slow, and this is done for each command. */
function ownSite(outer: ExecutionContext): ExecutionContext {
  return {
    analysis: outer.analysis,
    scope: outer.scope,
    frame: outer.frame,
    input: outer.scope.opened?.over === outer.input ? outer.scope.opened.input : outer.input,
    piped: outer.piped,
    captured: outer.captured,
    forked: outer.forked,
    sockets: outer.sockets,
    walker: outer.walker,
    pending: [],
  }
}

/** The elements of a map come in an order of its own: which one is the program is not known. */
function isShuffled({ raw }: Word, { scope }: ExecutionContext): boolean {
  const name = raw?.includes('[') === true ? /^"?\$\{(\w+)\[[@*]\]/.exec(raw)?.[1] : undefined
  return name !== undefined && scope.variables.get(name)?.keyed === true
}

function reportDisguise(node: Command, words: Word[], site: ExecutionContext): void {
  const ifs = site.scope.variables.get('IFS')
  const cut = ifs === undefined || ifs.unset === true ? null : separatedBy(node, words, ifs.word.text)
  const [name] = words
  // Wherever a separator that nobody knows cuts the text, another program may stand at its start.
  if (name !== undefined && (cut === 'unknown' || isShuffled(name, site))) words[0] = { ...name, text: null, prefix: '', dynamic: true }
  const reason = cut === 'own' ? 'a separator of its own cuts the command out of a text' : disguise(node, words)
  if (reason === null) return
  emitAt(site, target('program', words[0]?.text ?? ''), {
    verb: 'execute',
    action: 'code:disguised',
    span: spanOf(node, site.frame),
    reason,
  })
}

function expandArguments(node: Command, redirects: Redirection[], site: ExecutionContext): { words: Word[]; declared: Declared[] } {
  const plain: SyntaxWord[] = node.name === undefined ? [] : [node.name]
  const assignments: Assignment[] = []
  for (const item of node.suffix) {
    if (item.type === 'Word') plain.push(item)
    else if (item.type === 'Assignment') assignments.push(item)
    else redirects.push(item)
  }
  return { words: expandWords(joined(plain), site), declared: assignments.map((item) => expandAssignment(item, site)) }
}

/** The parser ends a word where `<(…)` begins: `--file=<(…)` is one word all the same. */
function joined(words: readonly SyntaxWord[]): readonly SyntaxWord[] {
  if (!words.some(isSubstituted)) return words
  const groups: SyntaxWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (before?.end === word.pos && (isSubstituted(before) || isSubstituted(word))) group?.push(word)
    else groups.push([word])
  }
  return groups.flatMap((group) => {
    const [first, ...more] = group
    if (first === undefined || more.length === 0) return group
    const all = (of: 'text' | 'value'): string => group.map((word) => word[of]).join('')
    return { ...first, text: all('text'), value: all('value'), end: more.at(-1)?.end ?? first.end, parts: group.flatMap(partsOf) }
  })
}

function isSubstituted(word: SyntaxWord): boolean {
  // The parts are worked out when they are asked for.
  return word.text.includes('(') && word.parts?.some(({ type }) => type === 'ProcessSubstitution') === true
}

function partsOf({ parts, pos, end, value, text }: SyntaxWord): NonNullable<SyntaxWord['parts']> {
  return parts ?? [{ type: 'Literal', pos, end, value, text }]
}

/** Runs `>(…)` on what the command printed, and remembers what went into files. */
function finish(at: { output: Output; streams: Streams; site: ExecutionContext; start: number; words: readonly Word[] }): void {
  const { streams, site, start } = at
  reportEmptied(streams, at.words, at)
  if (streams.outputs.length === 0 && site.pending.length === 0) return
  const name = at.words[0]?.text ?? ''
  // `exec > file` alone: whatever is printed from now on goes there.
  const output = name === 'exec' && at.words.length === 1 ? UNKNOWN_OUTPUT : at.output
  const from = [...inputProvenance(streams.input).from, ...site.analysis.effects.slice(start)].filter(
    (item) => !streams.effects.includes(item),
  )
  const whole = name === 'cat' && !at.words.some(({ prefix }) => prefix.startsWith('-') && prefix !== '-')
  if (streams.effects.length > 0) reportEndlessOutput(site, { words: at.words, written: streams.effects })
  recordOutputs(streams, output, { site, from, same: whole ? passedFile({ from, producers: [], decoded: false }) : null })
  for (const item of site.pending.splice(0)) runPending(item, { site, output, from, name })
}

function runPending(
  item: PendingSubstitution,
  at: { site: ExecutionContext; output: Output; from: readonly Effect[]; name: string },
): void {
  const { output } = at
  const input =
    output.text !== null
      ? ({ kind: 'text', text: output.text, span: item.span, decoded: output.decoded } as const)
      : ({ kind: 'pipe', from: at.from, producers: [at.name], decoded: output.decoded } as const)
  at.site.walker.substitute(item.script, { ...at.site, input, frame: item.frame, pending: [] }, item.span)
}

interface Wordless {
  readonly site: ExecutionContext
  readonly node: Command
  readonly input: Input
  readonly redirects: readonly Redirection[]
}

/** `x=1` alone sets a variable; `> file` alone only redirects; `< file` alone is what a substitution takes the text of. */
function assignOnly(prefixes: readonly Declared[], { site, node, input, redirects }: Wordless): Output {
  for (const item of prefixes) assignWord(item, { site, exported: true })
  if (node.name !== undefined) return UNKNOWN_OUTPUT
  const reads = site.captured && prefixes.length === 0 && redirects.length === 1 && redirects[0]?.operator.startsWith('<') === true
  return reads ? outputOf('cat', [], { ...site, input }) : NO_OUTPUT
}

/** Runs words with the variables before them set as long as they run: what is walked for them sees these. */
function runSet(prefixes: readonly Declared[], program: Parameters<typeof runProgram>[0]): Output {
  if (prefixes.length === 0) return runWords(program)
  const { scope } = program.site
  const before = prefixes.map(({ name }) => scope.variables.get(name))
  for (const { name, word, elements } of prefixes) setVariable(scope, name, { word, elements, exported: true })
  const output = runWords(program)
  if (!keeps(program)) for (const [at, { name }] of prefixes.entries()) scope.restore(name, before[at])
  return output
}

/** Builtins that keep what is set for them, in every shell but bash. */
const KEEPING: ReadonlySet<string> = new Set(['eval', '.', ':', 'export', 'readonly', 'set', 'shift', 'trap', 'unset', 'exec', 'times'])

function keeps({ words, site }: Parameters<typeof runProgram>[0]): boolean {
  const shell = site.scope.wrappers.findLast((name) => /(?:^|\/)(?:ba|da|k)?sh$/.test(name))
  return shell !== undefined && !shell.endsWith('bash') && KEEPING.has(words[0]?.text ?? '')
}

/** `x=1 command`: the variables hold for that command only. */
function environmentOf(prefixes: readonly Declared[], words: readonly Word[], site: ExecutionContext): ReadonlyMap<string, Word> {
  if (prefixes.length === 0) return NO_ENV
  // The table of git reads its own variables.
  const git = words[0]?.text === 'git'
  for (const { name, word } of prefixes) if (!git || !name.startsWith('GIT_')) setEnvironment(name, word, { site, span: word.span })
  return new Map(prefixes.map(({ name, word }) => [name, word]))
}

const NO_ENV: ReadonlyMap<string, Word> = new Map()

/** Runs expanded words: a function of the script, or a program. */
export function runWords(program: Parameters<typeof runProgram>[0]): Output {
  const { words, site } = program
  const name = words[0]?.text
  const found = name === undefined || name === null ? undefined : site.scope.functions.get(name)
  const called = program.past === true && found?.hashed !== true ? undefined : found
  if (called === undefined || typeof name !== 'string') {
    const other = typeof name === 'string' ? perhapsMade(name, program) : null
    if (other === null) return runProgram(program)
    const words = [knownWord(other, program.span), ...program.words.slice(1)]
    const ways = [program, { ...program, words }].map((way) => (inner: ExecutionContext) => runProgram({ ...way, site: inner }))
    walkBranches(ways, site, { optional: false })
    return UNKNOWN_OUTPUT
  }
  if (called.or === undefined) return callFunction(called, name, program)
  const { or, more, ...one } = called
  if (more === true) opaqueAt(site, `the function \`${name}\` is defined in more ways than can be analysed`, program.span)
  const ways = [one, ...or].map((way) => (inner: ExecutionContext) => {
    inner.scope.functions = changed(inner.scope.functions, name, way)
    const output = runWords({ ...program, site: { ...inner, captured: site.captured } })
    // Unless it made another one of itself.
    if ((inner.scope.functions.get(name) ?? null) === way) inner.scope.functions = changed(inner.scope.functions, name, called)
    return output
  })
  walkBranches(ways, site, { optional: false })
  return UNKNOWN_OUTPUT
}

function callFunction(called: ShellFunction, name: string, program: Parameters<typeof runProgram>[0]): Output {
  const { site, words, span, streams } = program
  const { scope } = site
  const active = scope.calls.filter((call) => call === name).length
  if (active > 0 && (site.forked || scope.calls.indexOf(FORK, scope.calls.indexOf(name)) >= 0)) {
    if (site.analysis.bombs.has(name)) return UNKNOWN_OUTPUT
    site.analysis.bombs.add(name)
    emitAt(site, target('code', name), {
      verb: 'execute',
      action: 'proc:fork-bomb',
      span,
      reversible: false,
      reason: 'a function that starts copies of itself exhausts the machine',
    })
    return UNKNOWN_OUTPUT
  }
  if (active >= RECURSION) {
    opaqueAt(site, `the function \`${name}\` calls itself`, span)
    return UNKNOWN_OUTPUT
  }
  const { positional, calls, returns, locals, project } = scope
  const left: Scope[] = []
  const outside: Locals = { own: new Map(), outer: locals }
  site.analysis.called.add(called.node)
  scope.positional = [knownWord(name, span), ...words.slice(1)]
  scope.calls = site.forked && calls.length > 0 ? [...calls, FORK, name] : [...calls, name]
  scope.returns = left
  scope.locals = outside
  scope.project = called.project ?? null
  scope.depth++
  // A copy of the shell that was started before the call is none of the function's.
  const output = site.walker.node(called.node.body, { ...site, input: streams.input, frame: called.frame, forked: false })
  joinLeft(site, left)
  for (const [local, value] of outside.own) scope.restore(local, value)
  scope.depth--
  scope.project = project
  scope.calls = calls
  scope.positional = positional
  scope.returns = returns
  scope.locals = locals
  return output
}

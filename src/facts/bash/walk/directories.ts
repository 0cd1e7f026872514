import type { Invocation, Word } from '../../host.ts'
import { lexical, toPath } from '../../resources/path/index.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { goBack, placeOf } from '../state/join.ts'
import { isThere } from '../state/presence.ts'
import { type Arrival, type ExecutionContext, NO_OUTPUT, type Scope, setVariable } from '../state/state.ts'
import type { Builtin } from './builtin.ts'
import { pathOf } from './target.ts'

/** `cd`, `pushd`, `popd`: which directory the shell is in, and which ones lie on its stack. */

const OPTIONS = /^-[LPe@n]+$|^--$/

interface Given {
  readonly word: Word | undefined
  readonly options: readonly string[]
  /** It is a way in of bash: another shell, or too many words, may be an error. */
  readonly sure: boolean
}

function given({ args, name }: Invocation): Given {
  const end = args.findIndex(({ text }) => text === null || !OPTIONS.test(text))
  const options = args.slice(0, end < 0 ? undefined : end).map(({ text }) => text ?? '')
  return { word: end < 0 ? undefined : args[end], options, sure: name !== 'chdir' && (end < 0 || end === args.length - 1) }
}

/** `cd`: the directory is unknown after a word that is. */
export const cd: Builtin = ({ invocation, site }) => {
  const { word, options, sure } = given(invocation)
  const { scope } = site
  if (word?.text === '') return NO_OUTPUT
  const named = word === undefined ? scope.variables.get('HOME') : word.text === '-' ? scope.variables.get('OLDPWD') : undefined
  // `HOME not set`: an error that changes nothing.
  if (named?.unset === true) {
    scope.turn = { otherwise: placeOf(scope), wentWell: () => 'no' }
    return NO_OUTPUT
  }
  const to = word === undefined ? [home(site)] : word.text === '-' ? previous(scope) : places(word, options, { site, invocation })
  enter(site, to, { sure, through: throughLinks(word, options, scope) })
  return NO_OUTPUT
}

interface Entering {
  /** Nothing but the directory decides whether the command goes well; default true. */
  readonly sure?: boolean
  /** What has to be there, too. */
  readonly through?: readonly string[]
}

/** Goes into the first of the directories that is there; where that fails, the shell stays. */
function enter(site: ExecutionContext, to: readonly (string | null)[], { sure = true, through = [] }: Entering = {}): void {
  const { scope, frame, analysis } = site
  const [directory = null, ...others] = to
  const before = placeOf(scope)
  const { certainty } = scope
  const earlier = analysis.effects.length
  const span = { pointer: frame.pointer, start: 0, end: 0 }
  const word = scope.variables.get('PWD')?.word ?? (scope.cwd === null ? unknownWord(span) : knownWord(scope.cwd, span))
  setVariable(scope, 'OLDPWD', { word, elements: null })
  const old = scope.variables.get('OLDPWD')
  goBack(scope, { cwd: directory, also: others.length === 0 ? null : others.filter((other) => other !== null), stack: scope.stack, old })
  let well: Arrival | null = directory !== null && directory === before.cwd && sure && through.length === 0 ? 'yes' : null
  const look = (): Arrival => {
    if (directory === null) return 'presumed'
    if (!analysis.spend((earlier + directory.length) * (1 + through.length), null)) return 'maybe'
    const there = [...through, directory].map((each) => isThere(each, { analysis, earlier, certainty }))
    if (there.includes('no') && others.length === 0) return 'no'
    if (!sure || others.length > 0 || there.includes('maybe')) return 'maybe'
    return there.includes('presumed') ? 'presumed' : 'yes'
  }
  const wentWell = (): Arrival => (well ??= look())
  // What the call put there itself stays there where the directory is not entered.
  if (scope.variables.has('PWD') && (directory === null || wentWell() !== 'presumed')) {
    if (wentWell() === 'yes') scope.restore('PWD', undefined)
    else if (wentWell() !== 'no') setVariable(scope, 'PWD', { word: { ...unknownWord(span), whole: true }, elements: null })
  }
  scope.turn = { otherwise: before, wentWell }
}

/** What it goes through beside the place that it leads to: `name` of `name/..`, and of `cd -P name` the links. */
function throughLinks(word: Word | undefined, options: readonly string[], scope: Scope): readonly string[] {
  if (word === undefined || word.text === null || word.glob) return []
  const physical = isPhysical(options, scope)
  if (!physical && !word.text.includes('..')) return []
  const names = word.text.split('/')
  const ways = names.flatMap((name, at) => (name === '..' && at > 0 && names[at - 1] !== '..' ? [names.slice(0, at).join('/')] : []))
  if (physical && !names.includes('..')) ways.push(word.text)
  return ways.map((way) => directoryOf(way === '' ? '/' : way, scope.cwd)).filter((way) => way !== null)
}

/** `cd -P`, or `set -P` before. */
function isPhysical(options: readonly string[], { physical }: Scope): boolean {
  const last = options.findLast((option) => /[LP]/.test(option))
  return last === undefined ? physical : last.lastIndexOf('P') > last.lastIndexOf('L')
}

function home({ scope, analysis }: ExecutionContext): string | null {
  const own = scope.variables.get('HOME')
  return own === undefined || own.unset === true ? analysis.view.home : own.word.text
}

/** Where it was before; of a shell that was in one of several places, those that are known, and any other. */
function previous({ variables }: Scope): readonly (string | null)[] {
  const { text = null, candidates = [] } = variables.get('OLDPWD')?.word ?? {}
  return text === null ? [null, ...candidates] : [text]
}

/** Where the word may lead, what comes first before the others. */
function places(
  word: Word,
  options: readonly string[],
  { site, invocation }: { readonly site: ExecutionContext; readonly invocation: Invocation },
): readonly (string | null)[] {
  const { scope, analysis } = site
  if (word.text === null || word.glob || scope.remote) return [null]
  // The physical place of `link/..` is not where the words lead.
  if (isPhysical(options, scope)) return [word.text.split('/').includes('..') ? null : physical(word, site)]
  const here = directoryOf(word.text, scope.cwd)
  if (/^(?:\/|\.\.?(?:\/|$))/.test(word.text)) return [here]
  const listed = invocation.env.get('CDPATH') ?? scope.variables.get('CDPATH')?.word
  const path = listed === undefined ? analysis.view.env('CDPATH') : listed.text
  if (path === null) return [listed === undefined ? here : null]
  return path === '' ? [here] : searched(word.text, path, site)
}

function physical(word: Word, site: ExecutionContext): string | null {
  const { real } = pathOf(word, site)
  const made = real === null ? undefined : site.analysis.files.links.get(real)
  return made === undefined ? real : made.real
}

/** The first directory of `CDPATH` that has one of that name, then the current one; those before it that perhaps have one, too. */
function searched(name: string, path: string, { scope, analysis }: ExecutionContext): readonly (string | null)[] {
  const found: string[] = []
  for (const entry of [...path.split(':', MAX_ENTRIES), '']) {
    const start = entry === '' ? scope.cwd : directoryOf(entry, scope.cwd)
    const directory = start === null ? null : directoryOf(name, start)
    if (directory === null || !analysis.spend(analysis.effects.length, null)) return [null]
    const there = isThere(directory, { analysis, earlier: analysis.effects.length, certainty: scope.certainty })
    if (there !== 'no') found.push(directory)
    if (there === 'yes' || there === 'presumed') return found
  }
  return found.length === 0 ? [directoryOf(name, scope.cwd)] : found
}

const MAX_ENTRIES = 8

/** Lexical as in bash: `cd link/..` comes back; the kernel's name is asked for when a path is used. */
function directoryOf(text: string, cwd: string | null): string | null {
  if (text.startsWith('/')) return normal(text)
  return cwd === null ? null : normal(`${cwd}/${text}`)
}

function normal(path: string): string {
  return toPath(lexical(path).names)
}

/** The whole stack, the current directory first; null where it is not known. */
export function directories(scope: Scope): readonly (string | null)[] | null {
  return scope.stack === null ? null : [scope.cwd, ...scope.stack]
}

/** `+2` and `-0`: an entry of the stack from its top or its bottom; null for every other word, and where there is none. */
export function entryOf(text: string, count: number): number | null {
  const match = /^([+-]?)(\d{1,4})$/.exec(text)
  if (match === null) return null
  const at = match[1] === '-' ? count - 1 - Number(match[2]) : Number(match[2])
  return at >= 0 && at < count ? at : null
}

function lost(site: ExecutionContext): void {
  enter(site, [null])
  site.scope.stack = null
}

export const pushd: Builtin = ({ invocation, site }) => {
  const { word, options, sure } = given(invocation)
  const { scope } = site
  const all = directories(scope)
  const stays = options.some((option) => option.includes('n'))
  if (word === undefined || /^[+-]\d+$/.test(word.text ?? '')) turnStack(word, { all, stays, site })
  else {
    const to = word.text === '-' ? previous(scope) : places(word, options, { site, invocation })
    const [directory = null] = to
    if (!stays) enter(site, to, { sure })
    scope.stack = all === null ? null : stays ? [to.length > 1 ? null : directory, ...all.slice(1)] : all
  }
  return NO_OUTPUT
}

interface Turning {
  /** The stack with the working directory in front; null where it is not known. */
  readonly all: ReturnType<typeof directories>
  /** `-n`: only the stack changes. */
  readonly stays: boolean
  readonly site: ExecutionContext
}

/** `pushd` alone changes the first two entries, `pushd +2` turns the stack. */
function turnStack(word: Word | undefined, { all, stays, site }: Turning): void {
  if (word === undefined && all?.length === 1) return
  const at = word === undefined ? 1 : all === null || word.text === null ? null : entryOf(word.text, all.length)
  if (all === null || at === null || stays || at >= all.length) {
    lost(site)
    return
  }
  const turned = word === undefined ? [all[1] ?? null, all[0] ?? null, ...all.slice(2)] : [...all.slice(at), ...all.slice(0, at)]
  enter(site, [turned[0] ?? null])
  site.scope.stack = turned.slice(1)
}

export const popd: Builtin = ({ invocation, site }) => {
  const { word, options } = given(invocation)
  const { scope } = site
  const all = directories(scope)
  const stays = options.some((option) => option.includes('n'))
  const at = word === undefined ? (stays ? 1 : 0) : all === null || word.text === null ? null : entryOf(word.text, all.length)
  if (all === null || at === null) {
    lost(site)
    return NO_OUTPUT
  }
  // Nothing to go back to: an error that changes nothing.
  if (all.length === 1) return NO_OUTPUT
  const left = all.filter((_, index) => index !== at)
  if (at === 0 && !stays) enter(site, [left[0] ?? null])
  scope.stack = left.slice(1)
  return NO_OUTPUT
}

/** A command is not run where a file of its redirections cannot be opened; `from` is where the effects of these begin. */
export function unlessClosed({ scope, analysis }: ExecutionContext, from: number, to: number): void {
  const { turn } = scope
  if (turn === null || from === to) return
  const files = analysis.effects
    .slice(from, to)
    .filter(({ target: { kind, real } }) => kind === 'path' && real?.startsWith('/dev/') !== true)
  const { certainty } = scope
  const opens = files.map(({ verb, target: { real } }) => (): boolean => {
    if (real === null || !analysis.spend(from, null)) return false
    if (verb === 'read') return analysis.view.realpath(real).type !== 'missing'
    const there = isThere(real.slice(0, real.lastIndexOf('/')) || '/', { analysis, earlier: from, certainty })
    return there === 'yes' || there === 'presumed'
  })
  const wentWell = (): Arrival => {
    const well = turn.wentWell()
    return well === 'no' || opens.every((check) => check()) ? well : 'maybe'
  }
  scope.turn = { otherwise: turn.otherwise, wentWell }
}

/** `!`: where it did not go in is where the shell is if all went well. */
export function negated(scope: Scope): void {
  const { turn } = scope
  if (turn === null) return
  const well = turn.wentWell()
  const otherwise = placeOf(scope)
  goBack(scope, turn.otherwise)
  scope.turn = { otherwise, wentWell: () => (well === 'yes' ? 'no' : well === 'no' ? 'yes' : 'maybe'), negated: true }
}

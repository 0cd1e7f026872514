import type { Statement, SyntaxNode } from 'unbash'
import { lexical, toPath } from '../path/index.ts'
import type { Invocation, Word } from './spec.ts'
import type { Builtin } from './walk-builtins.ts'
import { joinPlaces } from './walk-join.ts'
import { isThere, type Presence } from './walk-presence.ts'
import { type Analysis, knownWord, NO_OUTPUT, type Scope, type Site, setVariable, unknownWord } from './walk-state.ts'
import { pathOf } from './walk-target.ts'

/** `cd`, `pushd`, `popd`: which directory the shell is in, and which ones lie on its stack. */

const OPTIONS = /^-[LPe@n]+$|^--$/

interface Given {
  readonly word: Word | undefined
  readonly options: readonly string[]
}

function given({ args }: Invocation): Given {
  const end = args.findIndex(({ text }) => text === null || !OPTIONS.test(text))
  const options = args.slice(0, end < 0 ? undefined : end).map(({ text }) => text ?? '')
  return { word: end < 0 ? undefined : args[end], options }
}

/** `cd`: the directory is unknown after a word that is. */
export const cd: Builtin = ({ invocation, site }) => {
  const { word, options } = given(invocation)
  const { scope } = site
  if (word?.text === '') return NO_OUTPUT
  enter(site, word === undefined ? home(site) : word.text === '-' ? previous(scope) : place(word, options, { site, invocation }))
  return NO_OUTPUT
}

function enter({ scope, frame }: Site, directory: string | null): void {
  const span = { pointer: frame.pointer, start: 0, end: 0 }
  const word = scope.cwd === null ? unknownWord(span) : knownWord(scope.cwd, span)
  setVariable(scope, 'OLDPWD', { word, elements: null })
  scope.cwd = directory
  scope.also = null
}

function home({ scope, analysis }: Site): string | null {
  const own = scope.variables.get('HOME')
  return own === undefined || own.unset === true ? analysis.view.home : own.word.text
}

function previous(scope: Scope): string | null {
  return scope.variables.get('OLDPWD')?.word.text ?? null
}

function place(word: Word, options: readonly string[], at: { readonly site: Site; readonly invocation: Invocation }): string | null {
  const { scope, analysis } = at.site
  if (word.text === null || word.glob || scope.remote) return null
  // The physical place of `link/..` is not where the words lead.
  if (options.some((option) => option.includes('P'))) return word.text.split('/').includes('..') ? null : physical(word, at.site)
  const listed = at.invocation.env.get('CDPATH') ?? scope.variables.get('CDPATH')?.word
  const path = listed === undefined ? analysis.view.env('CDPATH') : listed.text
  if (path === null && listed !== undefined) return /^(?:\/|\.\.?(?:\/|$))/.test(word.text) ? directoryOf(word.text, scope.cwd) : null
  if (path === null || path === '' || /^(?:\/|\.\.?(?:\/|$))/.test(word.text)) return directoryOf(word.text, scope.cwd)
  return searched(word.text, path, at.site)
}

function physical(word: Word, site: Site): string | null {
  const { real } = pathOf(word, site)
  const made = real === null ? undefined : site.analysis.links.get(real)
  return made === undefined ? real : made.real
}

/** The first directory of `CDPATH` that has one of that name, then the current one. */
function searched(name: string, path: string, { scope, analysis }: Site): string | null {
  for (const entry of path.split(':')) {
    const start = entry === '' ? scope.cwd : directoryOf(entry, scope.cwd)
    if (start === null) return null
    const found = directoryOf(name, start)
    if (found !== null && analysis.view.realpath(found).type === 'directory') return found
  }
  return directoryOf(name, scope.cwd)
}

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

function lost(site: Site): void {
  enter(site, null)
  site.scope.stack = null
}

export const pushd: Builtin = ({ invocation, site }) => {
  const { word, options } = given(invocation)
  const { scope } = site
  const all = directories(scope)
  const stays = options.some((option) => option.includes('n'))
  if (word !== undefined && !/^[+-]\d+$/.test(word.text ?? '')) {
    const directory = word.text === '-' ? previous(scope) : place(word, options, { site, invocation })
    scope.stack = all === null ? null : stays ? [directory, ...all.slice(1)] : all
    if (!stays) enter(site, directory)
    return NO_OUTPUT
  }
  const at = word === undefined ? 1 : all === null || word.text === null ? null : entryOf(word.text, all.length)
  if (all === null || at === null || stays || at >= all.length) {
    if (word === undefined && all?.length === 1) return NO_OUTPUT
    lost(site)
    return NO_OUTPUT
  }
  const turned = word === undefined ? [all[1] ?? null, all[0] ?? null, ...all.slice(2)] : [...all.slice(at), ...all.slice(0, at)]
  enter(site, turned[0] ?? null)
  scope.stack = turned.slice(1)
  return NO_OUTPUT
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
  if (at === 0 && !stays) enter(site, left[0] ?? null)
  scope.stack = left.slice(1)
  return NO_OUTPUT
}

/** Where a shell is before a command, and how much was told by then. */
export interface Place {
  readonly cwd: string | null
  readonly also: readonly string[] | null
  readonly stack: Scope['stack']
  readonly effects: number
}

export function placeOf({ scope, analysis }: Site): Place {
  return { cwd: scope.cwd, also: scope.also, stack: scope.stack, effects: analysis.effects.length }
}

/** The shell is where it was. */
export function goBack(scope: Scope, { cwd, also, stack }: Place): void {
  scope.cwd = cwd
  scope.also = also
  scope.stack = stack
}

/**
 * After a command that more follow: a shell that could not enter a directory goes on where it was. Only where the View is
 * sure of it, and nothing in this call can have made the directory. Where it is not sure that what would have made it ran, or what
 * took it away, the shell may be in either.
 */
export function leftWhere({ command }: Statement, before: Place, site: Site): void {
  if (command.type === 'AndOr') return
  const entered = enteredFrom(command, before, site)
  if (entered === null || entered === 'yes' || stopsAtErrors(site.analysis)) return
  const { scope } = site
  if (entered === 'no') goBack(scope, before)
  else {
    joinPlaces(scope, [{ cwd: scope.cwd, also: scope.also }, before])
    if (scope.stack !== before.stack) scope.stack = null
  }
}

/** Whether a command got into the directory that it goes into; null for one that goes into none. */
export function enteredFrom(node: SyntaxNode, before: Place, { scope, analysis }: Site): Presence | null {
  if (!enters(node)) return null
  if (before.cwd === null || scope.cwd === null || scope.cwd === before.cwd) return 'yes'
  if (!analysis.spend(before.effects + scope.cwd.length, null)) return 'yes'
  const asked = { analysis, earlier: before.effects, certainty: scope.certainty }
  const there = isThere(throughLinks(node, before.cwd) ?? scope.cwd, asked)
  return scope.also?.some((place) => isThere(place, asked) !== there) === true ? 'maybe' : there
}

/** What `cd -P name` goes through: afterwards the shell only knows where the links on the way led. */
function throughLinks(node: SyntaxNode, cwd: string): string | null {
  if (node.type !== 'Command') return null
  const words = node.suffix.flatMap((item) => (item.type === 'Word' ? [item.value] : []))
  const name = words.at(-1) ?? ''
  if (!words.includes('-P') || name.startsWith('-') || /[.$*~`]/.test(name)) return null
  return name.startsWith('/') ? name : `${cwd}/${name}`
}

/** `cd`, `pushd`, `builtin cd` and `command cd`. */
function enters(node: SyntaxNode): boolean {
  if (node.type !== 'Command') return false
  const name = node.name?.value
  const [first] = node.suffix
  const inner = (name === 'builtin' || name === 'command') && first?.type === 'Word' ? first.value : name
  return inner === 'cd' || inner === 'pushd'
}

/** `set -e` anywhere: the script may end where the directory is missing. */
export function stopsAtErrors({ commands }: Analysis): boolean {
  return commands.some(({ program, argv }) => program === 'set' && argv.some((word) => /^-\w*e|^errexit$/.test(word ?? '')))
}

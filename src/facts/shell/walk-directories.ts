import type { Statement, SyntaxNode } from 'unbash'
import type { Effect } from '../effect.ts'
import type { View } from '../view.ts'
import type { Invocation, Word } from './spec.ts'
import type { Builtin } from './walk-builtins.ts'
import { joinPlaces } from './walk-join.ts'
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
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
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
  const there = isThere(scope.cwd, analysis, before.effects)
  return scope.also?.some((place) => isThere(place, analysis, before.effects) !== there) === true ? 'maybe' : there
}

type Presence = 'yes' | 'no' | 'maybe'

/** `cd`, `pushd`, `builtin cd` and `command cd`. */
function enters(node: SyntaxNode): boolean {
  if (node.type !== 'Command') return false
  const name = node.name?.value
  const [first] = node.suffix
  const inner = (name === 'builtin' || name === 'command') && first?.type === 'Word' ? first.value : name
  return inner === 'cd' || inner === 'pushd'
}

/** Whether the directory is there when the shell goes into it. */
function isThere(directory: string, analysis: Analysis, earlier: number, depth = 0): Presence {
  const { view, links } = analysis
  const effects = analysis.effects.slice(0, earlier)
  const link = links.get(directory)
  if (link !== undefined && depth < DEEPEST_LINK) {
    const made = effects.findLast(({ action, target: { real } }) => action === 'fs:link' && real === directory)
    return link.real === null || made?.certainty === 'possible' ? 'maybe' : isThere(link.real, analysis, earlier, depth + 1)
  }
  const { type } = view.realpath(directory)
  if (type === 'file') return 'no'
  if (type === 'directory') return remains(directory, effects, analysis.doubted)
  if (type !== 'missing' || !isListed(directory.slice(0, directory.lastIndexOf('/')), view)) return 'yes'
  const makers = effects.filter((item) => mayMake(item, directory))
  if (makers.length === 0) return 'no'
  // `[ -d x ] || mkdir x` makes it where it is missing.
  const doubtful = makers.every(
    (item) => isPlain(item) && (analysis.doubted.has(item) || (item.certainty === 'possible' && item.action !== 'fs:mkdir')),
  )
  return doubtful ? 'maybe' : 'yes'
}

/** Links to links that are followed. */
const DEEPEST_LINK = 8

/** Whether the View was told what is in a directory: one that says what a row of text says has only the places that it must have. */
function isListed(directory: string, view: View): boolean {
  if (directory === '') return (view.list('/', 64) ?? []).includes('usr')
  return !view.home.startsWith(directory) && (view.list(directory, 1) ?? []).length > 0
}

/** Whether a directory is left by everything that the call did to it: the last that took it away, or made it again, counts. */
function remains(directory: string, effects: readonly Effect[], doubted: ReadonlySet<Effect>): Presence {
  let doubtful = false
  for (let at = effects.length - 1; at >= 0; at--) {
    const item = effects[at]
    if (item === undefined) continue
    const taken = takes(item, directory)
    if (taken === 'yes' && !doubted.has(item)) return 'no'
    if (taken !== 'no') doubtful = true
    else if (mayMake(item, directory)) {
      // Nobody knows whether it made that one.
      if (!isPlain(item) || item.certainty !== 'certain' || doubted.has(item))
        doubtful ||= effects.slice(0, at).some((one) => takes(one, directory) !== 'no')
      return doubtful ? 'maybe' : 'yes'
    }
  }
  return doubtful ? 'maybe' : 'yes'
}

/** Whether a delete takes the directory away: as a whole, or one that is meant by what nobody knows. */
function takes({ verb, action, certainty, target: { kind, real }, attributes }: Effect, directory: string): Presence {
  const whole = attributes.recursive === true || action === 'fs:move'
  if (verb !== 'delete' || kind !== 'path' || !(whole || action === 'fs:rmdir')) return 'no'
  if (real === null) return attributes.recursive === true ? 'maybe' : 'no'
  const start = real.split(/[*?[]/, 1)[0] ?? ''
  if (start !== real) return directory.startsWith(start) ? 'maybe' : 'no'
  if (real !== directory && !directory.startsWith(real === '/' ? real : `${real}/`)) return 'no'
  return whole && certainty === 'certain' && attributes.filtered !== true && action !== 'git:discard' ? 'yes' : 'maybe'
}

/** Whether the directory may be there after this effect. */
function mayMake(item: Effect, directory: string): boolean {
  const { verb, action } = item
  const { real } = item.target
  // What code does that was read is told by effects of its own.
  if (action === 'dev:make' && item.certainty === 'certain') return false
  if (
    verb === 'read' ||
    verb === 'delete' ||
    action === 'script:run' ||
    action === 'script:project' ||
    /^(?:code|proc|env|shell):/.test(action ?? '')
  )
    return false
  if (!isPlain(item) || real === null) return true
  return real === directory || real.startsWith(`${directory}/`) || directory.startsWith(`${real}/`)
}

/** A write that makes what it names, and nothing else. */
function isPlain({ verb, action }: Effect): boolean {
  return verb === 'write' && /^(?:fs:(?:touch|copy|move|link|mkdir|truncate)|archive:(?:create|compress))$/.test(action ?? 'fs:touch')
}

/** `set -e` anywhere: the script may end where the directory is missing. */
export function stopsAtErrors({ commands }: Analysis): boolean {
  return commands.some(({ program, argv }) => program === 'set' && argv.some((word) => /^-\w*e|^errexit$/.test(word ?? '')))
}

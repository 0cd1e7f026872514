import type { Certainty, Effect } from '../../effect.ts'
import { matchGlob } from '../../resources/path/index.ts'
import type { View } from '../../view.ts'
import { unmade } from './links.ts'
import type { Analysis, Arrival, ExecutionContext, Presence } from './state.ts'

/** Whether a directory is there, after what the call did to it until then. */

interface Asked {
  readonly analysis: Analysis
  /** How many effects were told by then. */
  readonly earlier: number
  /** How sure it is that the shell comes there: what is no less sure was done before. */
  readonly certainty: Certainty
  readonly depth?: number
}

/** Whether the directory is there when the shell goes into it. */
export function isThere(directory: string, { analysis, earlier, certainty, depth = 0 }: Asked): Arrival {
  const { view } = analysis
  const { links } = analysis.files
  const effects = analysis.effects.slice(0, earlier)
  const link = links.get(directory)
  if (link !== undefined && depth < DEEPEST_LINK) {
    if (link.real === null || unmade(directory, analysis).length > 0) return 'maybe'
    return isThere(link.real, { analysis, earlier, certainty, depth: depth + 1 })
  }
  const { type } = view.realpath(directory)
  if (type === 'file') return 'no'
  // Each place above it may be asked for, too.
  if (type === 'missing' && !analysis.spend((directory.length * directory.split('/').length) >> 2, null)) return 'maybe'
  if (type !== 'directory' && !(type === 'missing' && isListed(directory.slice(0, directory.lastIndexOf('/')), view))) return 'presumed'
  return isLeft(directory, type === 'directory', { effects, doubted: analysis.doubted })
}

/** Links to links that are followed. */
const DEEPEST_LINK = 8

/** Whether a path is a directory by now; where nothing is known of it, it is none. */
export function isDirectoryNow(named: string, analysis: Analysis): Presence {
  const { effects, view, doubted } = analysis
  const { links } = analysis.files
  let real = named
  for (let depth = 0, to = links.get(real)?.real; depth < DEEPEST_LINK && typeof to === 'string'; depth++, to = links.get(real)?.real)
    real = to
  if (view.realpath(real).type === 'directory') return isLeft(real, true, { effects, doubted })
  const made = effects.findLast(
    (item) => item.action === 'fs:mkdir' && (item.target.real === real || item.target.real?.startsWith(`${real}/`)),
  )
  if (made === undefined) return 'no'
  return made.certainty === 'certain' && !doubted.has(made) ? isLeft(real, false, { effects, doubted }) : 'maybe'
}

/** What was perhaps written over is one of two things: who runs the file runs nobody knows which. */
export function unsettle(start: number, { analysis }: ExecutionContext): void {
  const { effects, view } = analysis
  const { written: files } = analysis.files
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    const real = item?.verb === 'write' ? item.target.real : null
    const written = real === null ? undefined : files.get(real)
    if (real === null || written === undefined || (written.text === null && written.same === undefined) || !analysis.spend(start, null))
      continue
    const older =
      view.realpath(real).type === 'file' || effects.slice(0, start).some(({ verb, target }) => verb === 'write' && target.real === real)
    if (older) files.set(real, { text: null, decoded: written.decoded, from: written.from })
  }
}

/** Whether the View was told what is in a directory: one that says what a row of text says has only the places that it must have. */
function isListed(directory: string, view: View): boolean {
  if (directory === '') return (view.list('/', 64) ?? []).includes('usr')
  if (view.realpath(directory).type === 'missing') return isListed(directory.slice(0, directory.lastIndexOf('/')), view)
  return (view.list(directory, 3) ?? []).length > (view.home.startsWith(directory) ? 2 : 0)
}

interface Done {
  readonly effects: readonly Effect[]
  readonly doubted: ReadonlySet<Effect>
}

/** Whether a directory is there after what was done to it: the last that surely made it or took it away, and all since that may have. */
function isLeft(directory: string, before: boolean, { effects, doubted }: Done): Presence {
  let there = false
  let gone = false
  for (const item of effects.toReversed()) {
    const doubtful = doubted.has(item)
    const taken = takes(item, directory)
    const made = taken === 'no' ? makes(item, directory) : 'no'
    if (taken !== 'no') gone = true
    if (made !== 'no') there = true
    if ((taken === 'yes' || made === 'yes') && !doubtful) return there && gone ? 'maybe' : there ? 'yes' : 'no'
  }
  if (before) return gone ? 'maybe' : 'yes'
  return there ? 'maybe' : 'no'
}

/** Whether a delete takes the directory away: as a whole, or one that is meant by what nobody knows. */
function takes(item: Effect, directory: string): Presence {
  const { verb, action, target, attributes } = item
  const { kind, real } = target
  if (action === 'fs:chmod' && real !== null && isClosed(item)) return maybe(directory.startsWith(real))
  const whole = attributes.recursive === true || action === 'fs:move'
  if (verb !== 'delete' || kind !== 'path' || !(whole || action === 'fs:rmdir')) return 'no'
  return real === null ? maybe(whole && mayMean(target.value, directory)) : takesPath(item, real, directory)
}

/** Whether the delete of a known path, or of all that a pattern matches, takes the directory away. */
function takesPath({ action, certainty, target, attributes }: Effect, real: string, directory: string): Presence {
  if (/[*?[]/.test(real)) return maybe(above(directory).some((path) => matchGlob(real, path)))
  if (!holds(real, directory)) return 'no'
  const whole = attributes.recursive === true || action === 'fs:move'
  const sure = certainty === 'certain' && attributes.filtered !== true && !FAILING.has(action)
  return whole && sure && !isThroughLink(target.value, real) ? 'yes' : 'maybe'
}

/** Whether a directory lies in the path, or is it. */
function holds(path: string, directory: string): boolean {
  return path === directory || directory.startsWith(path === '/' ? path : `${path}/`)
}

function maybe(it: boolean): Presence {
  return it ? 'maybe' : 'no'
}

/** Of `link/` what is in it goes. */
function isThroughLink(value: string, real: string): boolean {
  return value.endsWith('/') && !`${real}/`.endsWith(`/${value.slice(0, -1).split('/').at(-1)}/`)
}

/** A move fails where there is no place to go to. */
const FAILING: ReadonlySet<string | null> = new Set(['git:discard', 'fs:move'])

/** The directory and those that it lies in. */
function above(directory: string): readonly string[] {
  const names = directory.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 2).join('/'))
}

/** Whether a name from a place that is not known may be that of the directory, or of one above it. */
function mayMean(value: string, directory: string): boolean {
  if (!/^[\w./-]+$/.test(value)) return true
  const name = value.split('/').findLast((part) => part !== '' && part !== '.') ?? ''
  return name === '' || name === '..' || directory.split('/').includes(name)
}

/** Whether the directory is there after this effect, whatever was before. */
function makes(item: Effect, directory: string): Presence {
  const { verb, certainty } = item
  const { real, value } = item.target
  const action = item.action ?? ''
  // What code does that was read is told by effects of its own.
  if (action === 'dev:make' && certainty === 'certain') return 'no'
  if (MAKES_NOTHING.has(verb) || NO_MAKER.test(action)) return 'no'
  const plain = isPlain(item)
  if (real === null) return maybe(!plain || mayMean(value, directory))
  return real === directory || real.startsWith(`${directory}/`)
    ? makesInside(item, plain)
    : maybe(!plain || brings(action, real, directory))
}

const brings = (action: string, real: string, directory: string): boolean => BRINGS.test(action) && directory.startsWith(`${real}/`)

/** Of a write of the directory, or into it. */
function makesInside({ action, certainty }: Effect, plain: boolean): Presence {
  // `[ -d x ] || mkdir x` makes it where it is missing. A file can only be written where its directory is already: that it
  // is named there only says that somebody believes so.
  return (certainty === 'possible' && action !== 'fs:mkdir') || (plain && !DIRECTORIES.test(action ?? '')) ? 'maybe' : 'yes'
}

const MAKES_NOTHING: ReadonlySet<Effect['verb']> = new Set(['read', 'delete', 'fetch', 'send'])

/** A mode with which its owner cannot go in, unless it is the machine's. */
function isClosed({ attributes: { mode } }: Effect): boolean {
  return typeof mode === 'string' && !/^[0-7]*[1357][0-7]{2}$|[xX]/.test(mode)
}

const NO_MAKER = /^(?:script:(?:run|project)$|fs:ch|(?:code|proc|env|shell):)/

/** Plain writes that may make a directory. */
const DIRECTORIES = /^fs:(?:mkdir|copy|move|link)$/

/** Writes that bring directories along. */
const BRINGS = /^fs:(?:copy|move)$/

/** A write that makes what it names, and nothing else. */
function isPlain({ verb, action }: Effect): boolean {
  return (
    verb === 'write' &&
    /^(?:fs:(?:touch|copy|move|link|mkdir|truncate)|text:edit|disk:copy|archive:(?:create|compress))$/.test(action ?? 'fs:touch')
  )
}

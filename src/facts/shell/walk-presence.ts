import type { Certainty, Effect } from '../effect.ts'
import type { View } from '../view.ts'
import type { Analysis, Site } from './walk-state.ts'

/** Whether a directory is there, after what the call did to it until then. */

export type Presence = 'yes' | 'no' | 'maybe'

interface Asked {
  readonly analysis: Analysis
  /** How many effects were told by then. */
  readonly earlier: number
  /** How sure it is that the shell comes there: what is no less sure was done before. */
  readonly certainty: Certainty
  readonly depth?: number
}

/** Whether the directory is there when the shell goes into it. */
export function isThere(directory: string, { analysis, earlier, certainty, depth = 0 }: Asked): Presence {
  const { view, links } = analysis
  const effects = analysis.effects.slice(0, earlier)
  const link = links.get(directory)
  if (link !== undefined && depth < DEEPEST_LINK) {
    const made = effects.findLast(({ verb, action, target: { real } }) => verb === 'write' && action === 'fs:link' && real === directory)
    const perhaps = certainty !== 'possible' && (made?.certainty === 'possible' || isPerhapsLinked(link.real, effects, links))
    const unsure = perhaps || (made !== undefined && analysis.doubted.has(made))
    return link.real === null || unsure ? 'maybe' : isThere(link.real, { analysis, earlier, certainty, depth: depth + 1 })
  }
  const { type } = view.realpath(directory)
  if (type === 'file') return 'no'
  if (type === 'directory') return remains(directory, effects, analysis.doubted)
  if (type !== 'missing' || !isListed(directory.slice(0, directory.lastIndexOf('/')), view)) return 'yes'
  const makers = effects.filter((item) => mayMake(item, directory))
  if (makers.length === 0) return 'no'
  // `[ -d x ] || mkdir x` makes it where it is missing.
  const doubtful = makers.every(
    (item) => (isPlain(item) && analysis.doubted.has(item)) || (item.certainty === 'possible' && item.action !== 'fs:mkdir'),
  )
  return doubtful ? 'maybe' : 'yes'
}

/** Whether a link that was perhaps not made leads to the same place: another one may lead through it. */
function isPerhapsLinked(real: string | null, effects: readonly Effect[], links: Analysis['links']): boolean {
  return effects.some(
    ({ verb, action, certainty, target }) =>
      verb === 'write' && action === 'fs:link' && certainty === 'possible' && links.get(target.real ?? '')?.real === real,
  )
}

/** Links to links that are followed. */
const DEEPEST_LINK = 8

/** Whether a path is a directory by now; where nothing is known of it, it is none. */
export function isDirectoryNow(named: string, analysis: Analysis): Presence {
  const { effects, links, view, doubted } = analysis
  let real = named
  for (let depth = 0, to = links.get(real)?.real; depth < DEEPEST_LINK && typeof to === 'string'; depth++, to = links.get(real)?.real)
    real = to
  if (view.realpath(real).type === 'directory') return remains(real, effects, doubted)
  const made = effects.findLast(
    (item) => item.action === 'fs:mkdir' && (item.target.real === real || item.target.real?.startsWith(`${real}/`)),
  )
  if (made === undefined) return 'no'
  return made.certainty === 'certain' && !doubted.has(made) ? remains(real, effects, doubted) : 'maybe'
}

/** What was perhaps written over is one of two things: who runs the file runs nobody knows which. */
export function unsettle(start: number, { analysis }: Site): void {
  const { effects, files, view } = analysis
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    const real = item?.verb === 'write' ? item.target.real : null
    const written = real === null ? undefined : files.get(real)
    if (real === null || written === undefined || written.text === null || !analysis.spend(start, null)) continue
    const older =
      view.realpath(real).type === 'file' || effects.slice(0, start).some(({ verb, target }) => verb === 'write' && target.real === real)
    if (older) files.set(real, { ...written, text: null })
  }
}

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
function takes({ verb, action, certainty, target, attributes }: Effect, directory: string): Presence {
  const { kind, real } = target
  const whole = attributes.recursive === true || action === 'fs:move'
  if (verb !== 'delete' || kind !== 'path' || !(whole || action === 'fs:rmdir')) return 'no'
  if (real === null) return attributes.recursive === true ? 'maybe' : 'no'
  const start = real.split(/[*?[]/, 1)[0] ?? ''
  if (start !== real) return directory.startsWith(start) ? 'maybe' : 'no'
  // Of `link/` what is in it goes.
  const through = target.value.endsWith('/') && !`${real}/`.endsWith(`/${target.value.slice(0, -1).split('/').at(-1)}/`)
  if (real !== directory && !directory.startsWith(real === '/' ? real : `${real}/`)) return 'no'
  return whole && !through && certainty === 'certain' && attributes.filtered !== true && action !== 'git:discard' ? 'yes' : 'maybe'
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
  return (
    verb === 'write' &&
    /^(?:fs:(?:touch|copy|move|link|mkdir|truncate)|text:edit|disk:copy|archive:(?:create|compress))$/.test(action ?? 'fs:touch')
  )
}

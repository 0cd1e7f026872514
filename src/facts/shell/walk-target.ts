import { type Target, target } from '../effect.ts'
import { pathTarget } from '../path/index.ts'
import { urlTarget } from '../url/index.ts'
import { globbed } from './expand-glob.ts'
import type { Word } from './spec.ts'
import type { Site } from './walk-state.ts'

/** Words as targets: what is known of a path or an address, and no more. */

/** Classes that hold for a place itself but not for something unknown below it. */
const ROOTS: ReadonlySet<string> = new Set(['filesystem-root', 'home-root', 'workspace-root'])

/** A path word as a target. An unknown rest is classified by the directory before it. */
export function pathOf(word: Word, site: Site): Target {
  const resolved = resolve(word, site)
  return site.scope.remote ? { ...resolved, real: null, scope: 'elsewhere' } : resolved
}

function resolve(word: Word, site: Site): Target {
  const { view } = site.analysis
  const { cwd } = site.scope
  if (word.text === null) return partial(word, site)
  if (word.text.startsWith('/dev/fd/')) return target('path', word.text, 'temporary')
  if (!word.glob) return pathTarget(word.text, cwd, view)
  const whole = /^(.*\/)?(?:\*|\.\*|\*\*|\{\*,\.\*\})$/s.exec(word.text)
  if (whole !== null) return { ...pathTarget(whole[1] ?? '.', cwd, view), value: word.text }
  const lexical = pathTarget(word.text, cwd, view)
  if (site.scope.remote) return lexical
  const classes = globbed(word.text, cwd, view).flatMap((path) => pathTarget(path, cwd, view).classes)
  const added = classes.filter((item) => !ROOTS.has(item) && !lexical.classes.includes(item))
  return added.length === 0 ? lexical : { ...lexical, classes: [...lexical.classes, ...new Set(added)] }
}

function partial(word: Word, site: Site): Target {
  const value = word.raw ?? `${word.prefix}*`
  const slash = word.prefix.lastIndexOf('/')
  if (slash <= 0) return target('path', value)
  const parent = pathTarget(word.prefix.slice(0, slash), site.scope.cwd, site.analysis.view)
  return { ...parent, value, real: null, classes: parent.classes.filter((item) => !ROOTS.has(item)) }
}

/** A URL or host word as a target. Of an unknown rest the host may still be known. */
export function urlOf(word: Word): Target {
  if (word.text !== null) return urlTarget(word.text)
  const value = word.raw ?? word.prefix
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.exec(word.prefix)?.[0]
  return host === undefined ? target('url', value) : { ...urlTarget(host), value }
}

/** The key of a path in `Analysis.files`; null where the path is not known. */
export function fileKey(word: Word, site: Site): string | null {
  if (word.text === null || word.glob) return null
  if (word.text.startsWith('/dev/fd/')) return word.text
  const resolved = pathTarget(word.text, site.scope.cwd, site.analysis.view)
  return keyOf(resolved)
}

export function keyOf(path: Target): string {
  return path.real ?? (path.value.startsWith('./') ? path.value.slice(2) : path.value)
}

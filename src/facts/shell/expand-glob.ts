import type { View } from '../view.ts'

/** File names that a glob stands for, read through the View: bounded, so that `cat ~/.ss?/id_*` is seen for what it opens. */

const MOST_ENTRIES = 512
const MOST_PATHS = 32
const MOST_GLOBS = 3

/** Paths that match, at most `MOST_PATHS`; none where a directory cannot be listed. */
export function globbed(pattern: string, cwd: string | null, view: View): readonly string[] {
  const segments = pattern.split('/')
  const absolute = pattern.startsWith('/')
  if (segments.filter(isPattern).length > MOST_GLOBS || segments.includes('**') || (!absolute && cwd === null)) return []
  let paths: readonly string[] = [absolute ? '' : (cwd ?? '')]
  for (const segment of absolute ? segments.slice(1) : segments) {
    paths = isPattern(segment) ? paths.flatMap((path) => matching(path, segment, view)) : paths.map((path) => `${path}/${segment}`)
    paths = paths.slice(0, MOST_PATHS)
    if (paths.length === 0) return []
  }
  return paths
}

function isPattern(segment: string): boolean {
  return /[*?[]/.test(segment)
}

function matching(directory: string, pattern: string, view: View): readonly string[] {
  const entries = view.list(directory === '' ? '/' : directory, MOST_ENTRIES) ?? []
  const hidden = pattern.startsWith('.')
  return entries.filter((name) => (hidden || !name.startsWith('.')) && matches(pattern, name)).map((name) => `${directory}/${name}`)
}

/** Wildcard match by backtracking to the last star only: linear in the pattern times the name. */
export function matches(pattern: string, name: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0]
  while (from < name.length) {
    const step = at < pattern.length ? accept(pattern, at, name.charAt(from)) : 0
    if (pattern[at] === '*') {
      star = at++
      mark = from
    } else if (step > 0) {
      at += step
      from++
    } else if (star >= 0) {
      at = star + 1
      from = ++mark
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** Length of the pattern token at `at` where it accepts the character, else 0. */
function accept(pattern: string, at: number, character: string): number {
  const token = pattern.charAt(at)
  if (token === '?') return 1
  if (token === '[') {
    const end = pattern.indexOf(']', at + 2)
    if (end > 0) return inBracket(pattern.slice(at + 1, end), character) ? end - at + 1 : 0
  }
  return token === character ? 1 : 0
}

function inBracket(body: string, character: string): boolean {
  const negated = body.startsWith('!') || body.startsWith('^')
  const set = negated ? body.slice(1) : body
  for (let at = 0; at < set.length; at++) {
    const ranged = set[at + 1] === '-' && at + 2 < set.length
    const from = set.charAt(at)
    const to = ranged ? set.charAt(at + 2) : from
    if (character >= from && character <= to) return !negated
    if (ranged) at += 2
  }
  return negated
}

import type { Word } from '../../host.ts'
import { matchGlob } from '../../resources/path/index.ts'
import type { View } from '../../view.ts'

/** File names that a glob stands for, read through the View: bounded, so that `cat ~/.ss?/id_*` is seen for what it opens. */

const MAX_ENTRIES = 512
const MAX_PATHS = 32
const MAX_GLOBS = 3

/** Paths that match, at most `MAX_PATHS`; none where a directory cannot be listed. */
export function globbed(pattern: string, cwd: string | null, view: View): readonly string[] {
  const segments = pattern.split('/')
  const absolute = pattern.startsWith('/')
  if (segments.filter(isPattern).length > MAX_GLOBS || segments.includes('**') || (!absolute && cwd === null)) return []
  let paths: readonly string[] = [absolute ? '' : (cwd ?? '')]
  for (const segment of absolute ? segments.slice(1) : segments) {
    paths = isPattern(segment) ? paths.flatMap((path) => matching(path, segment, view)) : paths.map((path) => `${path}/${segment}`)
    paths = paths.slice(0, MAX_PATHS)
    if (paths.length === 0) return []
  }
  return paths
}

/** `nocaseglob`: a pattern that matches names in either case. What is no pattern stands for itself. */
export function eitherCase(word: Word): Word {
  const { text, glob } = word
  if (!glob || text === null) return word
  const segments = text.split('/').map((segment) => (/[*?[(]/.test(segment) ? segment.replace(/\[[^\][]+\]|[a-z]/gi, bothCases) : segment))
  return { ...word, text: segments.join('/') }
}

function bothCases(part: string): string {
  if (part.length === 1) return `[${part.toLowerCase()}${part.toUpperCase()}]`
  // `[:alpha:]` is the name of a class.
  if (part.startsWith('[:')) return part
  const inner = part.slice(1, -1)
  const not = /^[!^]/.test(inner) ? 1 : 0
  const letters = inner.slice(not)
  // A variable of a loop holds the pattern: once is enough.
  const half = letters.slice(0, letters.length / 2)
  if (letters === half.toLowerCase() + half.toUpperCase()) return part
  return `[${inner.slice(0, not)}${letters.toLowerCase()}${letters.toUpperCase()}]`
}

function isPattern(segment: string): boolean {
  return /[*?[]/.test(segment)
}

function matching(directory: string, pattern: string, view: View): readonly string[] {
  const entries = view.list(directory === '' ? '/' : directory, MAX_ENTRIES) ?? []
  const hidden = pattern.startsWith('.')
  return entries.filter((name) => (hidden || !name.startsWith('.')) && matchGlob(pattern, name)).map((name) => `${directory}/${name}`)
}

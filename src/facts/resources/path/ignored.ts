import type { View } from '../../view.ts'
import { matchGlob } from './glob.ts'

/** What a repository leaves out of its history by its `.gitignore` files: what tools made, and what they make anew. */

/** Bytes and patterns of one file, and directories between the path and the top, that are looked at. */
const LONGEST = 16_384
const MAX_PATTERNS = 400
const MAX_DEPTH = 12

/** True where a `.gitignore` of the work tree matches the path or a directory above it; the last pattern that matches decides. */
export function isIgnored(path: string, view: View): boolean {
  const top = view.git(path)?.top
  if (top === undefined || !path.startsWith(`${top}/`)) return false
  const names = path.slice(top.length + 1).split('/')
  if (names.length > MAX_DEPTH) return false
  // What a directory that is ignored holds is ignored with it.
  return names.some((_, at) => decides(names.slice(0, at + 1), top, view))
}

function decides(names: readonly string[], top: string, view: View): boolean {
  let ignored = false
  for (let depth = 0; depth < names.length; depth++) {
    const answer = view.read([top, ...names.slice(0, depth), '.gitignore'].join('/'), LONGEST)
    for (const line of answer?.text.split('\n', MAX_PATTERNS) ?? []) {
      const kept = line.startsWith('!')
      const pattern = (kept ? line.slice(1) : line).trimEnd()
      if (pattern !== '' && !pattern.startsWith('#') && matches(pattern, names.slice(depth))) ignored = !kept
    }
  }
  return ignored
}

/** A pattern with a slash inside is held against the whole path, any other against the last name of it. */
function matches(pattern: string, names: readonly string[]): boolean {
  const parts = pattern
    .replace(/\/$/, '')
    .replace(/^\//, '')
    .replace(/(?:\*\*\/)+/g, '**/')
    .split('/')
  const anchored = pattern.startsWith('/') || parts.length > 1
  return anchored ? matchesParts(parts, names) : matchGlob(parts[0] ?? '', names.at(-1) ?? '')
}

function matchesParts([first, ...rest]: readonly string[], [name, ...names]: readonly string[]): boolean {
  if (first === undefined) return name === undefined
  if (first === '**')
    return matchesParts(rest, name === undefined ? [] : [name, ...names]) || (name !== undefined && matchesParts([first, ...rest], names))
  return name !== undefined && matchGlob(first, name) && matchesParts(rest, names)
}

import type { Effect } from '../../effect.ts'
import type { Analysis } from './state.ts'

/** Directories that one command filled with what somebody else made: a clone, an unpacked archive, a tree copied from another machine. */

/** How many directories above a file are looked at. */
const MAX_PARENTS = 12

/**
 * The download that a file came with that nothing wrote by its name: of the nearest directory above it that was filled as a whole.
 * Null where there is none, or where the file stood there before the call.
 */
export function fetchedAbove(key: string, analysis: Analysis): Effect | null {
  const { view } = analysis
  const { trees } = analysis.files
  if (trees.size === 0 || !analysis.spend(key.length >> 3, null)) return null
  let at = key.lastIndexOf('/')
  for (let count = 0; at > 0 && count < MAX_PARENTS; at = key.lastIndexOf('/', at - 1), count++) {
    const source = trees.get(key.slice(0, at))
    if (source === undefined) continue
    return source === null || view.realpath(key).type === 'file' ? null : source
  }
  // Where nobody knows which directory that is, both are taken for the same one.
  return key.startsWith('/') ? null : (trees.get('.') ?? null)
}

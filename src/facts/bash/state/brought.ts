/**
 * Trees of files that a call brings without naming what is in them: pulled, checked out, patched, unpacked, copied. Settings of an
 * agent may be among them, and nobody can look before it runs (T40).
 */
import { type Effect, hasClass } from '../../effect.ts'
import { OF_GIT_ALONE } from '../../resources/gate-own.ts'
import { pathTarget } from '../../resources/path/index.ts'
import type { View } from '../../view.ts'
import type { Earlier } from './earlier.ts'

/** Where the settings of a project lie. As a path that a call wrote it stands for whatever may have come below its directory. */
export const SETTINGS_PLACE = '.claude'

/** How many directories above a project are looked at. */
const MAX_PARENTS = 12

interface Place {
  /** Null where it is not known. */
  readonly cwd: string | null
  readonly view: View
}

/** More acts of git that leave the files of the work tree as they are. */
const OF_INDEX = /^git:(?:index|gc|maintenance|init)$/

/** Directories that the effect fills with files that it does not name. */
export function broughtInto(found: Effect, place: Place): readonly string[] {
  const { kind, real } = found.target
  if (kind === 'path') return real !== null && fills(found) ? [real] : []
  return kind === 'repository' && changesTree(found) ? treeOf(found, place) : []
}

function fills({ verb, action, target, attributes }: Effect): boolean {
  if (verb !== 'write' || hasClass(target, 'device')) return false
  return attributes.recursive === true || action === 'git:clone' || action === 'archive:extract'
}

function changesTree({ verb, action, attributes }: Effect): boolean {
  if (verb !== 'change' || action?.startsWith('git:') !== true) return false
  return attributes.mailed === true || !(OF_GIT_ALONE.test(action) || OF_INDEX.test(action))
}

function treeOf({ target }: Effect, { cwd, view }: Place): readonly string[] {
  const named = /^[/~.]/.test(target.value) ? pathTarget(target.value, cwd, view).real : cwd
  return named === null ? view.roots : [view.git(named)?.top ?? named]
}

interface Before {
  /** By this very call, until now. */
  readonly brought: ReadonlySet<string>
  readonly earlier: Earlier
}

/** Whether settings of the project in the directory may have come so, now or by an earlier call of the session. */
export function mayBeBrought(directory: string, { brought, earlier }: Before): boolean {
  let at = `${directory}/${SETTINGS_PLACE}`
  for (let count = 0; at.length > 0 && count < MAX_PARENTS; at = at.slice(0, at.lastIndexOf('/')), count++) {
    if (brought.has(at) || earlier.file(`${at}/${SETTINGS_PLACE}`)?.digest === null) return true
  }
  return false
}

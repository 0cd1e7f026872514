import { type EffectOptions, hasClass, type Target, type Verb } from '../../effect.ts'
import { OF_GIT_ALONE } from '../../resources/gate-own.ts'
import { pathTarget } from '../../resources/path/index.ts'
import type { View } from '../../view.ts'

/** What is done where the program of the gate lies: builds, installs and changes of its repository name no file, and change it. */

const CHANGING: ReadonlySet<Verb> = new Set<Verb>(['write', 'delete', 'change', 'persist'])
const KINDS: ReadonlySet<Target['kind']> = new Set<Target['kind']>(['package', 'script', 'program', 'repository', 'code', 'unknown'])

/** The target, of class `gate-program` where the act is done to the directory `cwd` and the program of the gate lies there. */
export function atProgram(on: Target, { verb, action }: EffectOptions & { readonly verb: Verb }, place: Place): Target {
  if (!KINDS.has(on.kind) || place.cwd === null || on.classes.includes('gate-program')) return on
  const builds = verb === 'execute' && typeof action === 'string' && /^(?:pkg|dev|task):/.test(action)
  if (!builds && (!CHANGING.has(verb) || OF_GIT_ALONE.test(action ?? ''))) return on
  const local = on.kind === 'package' && isAbout(on.value) && liesThere(`${place.cwd}/node_modules/countersign`, place.view)
  return local || liesThere(place.cwd, place.view) ? { ...on, classes: [...on.classes, 'gate-program'] } : on
}

/** The package by its name, or whatever the manifest names. */
function isAbout(name: string): boolean {
  return name === 'countersign' || name === 'all' || name === 'package.json'
}

interface Place {
  readonly cwd: string | null
  readonly view: View
}

function liesThere(cwd: string, view: View): boolean {
  if (view.programs === undefined || view.programs.length === 0) return false
  return hasClass(pathTarget(cwd, null, view), 'gate-program')
}

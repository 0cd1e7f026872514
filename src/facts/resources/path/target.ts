/** A path word as a target: where it lies and what it is, by its words and by the kernel's name of it. */
import type { PathClass, Scope, Target } from '../../effect.ts'
import type { View } from '../../view.ts'
import { classify, classifyPattern, classifyRelative, placedAt } from './classify.ts'
import { hasDrive, isShare, toAbsolute, windowsReading, withoutDevicePrefix, withoutVariable } from './expand.ts'
import { matchGlob } from './glob.ts'
import { lexical, namesOf, toPath } from './segments.ts'
import { suspects } from './suspects.ts'

/**
 * The target a path names, resolved against `cwd` (null: unknown). The classes are those of the lexical reading, of the
 * kernel's reading and, where there are backslashes, of the Windows reading; the scope is that of the kernel's.
 */
export function pathTarget(given: string, cwd: string | null, view: View): Target {
  const path = withoutVariable(withoutDevicePrefix(given))
  const found = targetOf(path, cwd, view)
  return path === given ? found : { ...found, value: given }
}

function targetOf(path: string, cwd: string | null, view: View): Target {
  if (path === '') return { kind: 'unknown', value: '', real: null, scope: 'unknown', classes: [] }
  // A list and no set: most paths are of no class, and none is of many.
  const classes: PathClass[] = []
  const add = (c: PathClass): void => {
    if (!classes.includes(c)) classes.push(c)
  }
  const windows = windowsReading(path)
  if (windows !== null) addWindows(windows, { cwd, view }, add)
  if (hasDrive(path) || isShare(path)) return windowsTarget(path, classes)
  const absolute = toAbsolute(path, cwd, view)
  if (absolute.path === null) return relativeTarget(path, classes, add)
  const plain = absolute.ordered ? absolute.path : toPath(lexical(absolute.path).names)
  if (absolute.handle) return handleTarget(path, plain, { words: namesOf(plain), view, classes })
  const { real } = view.realpath(absolute.path)
  const { names, scope, classes: own } = placedAt(real, view)
  own.forEach(add)
  if (plain !== real) placedAt(plain, view).classes.forEach(add)
  if (isPattern(path)) {
    classifyPattern(namesOf(plain), view, add)
    if (mayHoldSecret(plain, view)) add('credential')
  }
  const host = OWN.has(scope) ? null : behindMount(names)
  if (host !== null) classify(host, view, add)
  return { kind: 'path', value: path, real, ...linkAt(plain, real, view), scope, classes }
}

/** What is moved, deleted or replaced is the link, not what it leads to. */
function linkAt(path: string, real: string, view: View): Pick<Target, 'link'> {
  const cut = path.lastIndexOf('/')
  const last = path.slice(cut + 1)
  if (path === real || last === '' || last === '.' || last === '..') return {}
  const directory = view.realpath(cut === 0 ? '/' : path.slice(0, cut)).real
  const link = directory === '/' ? `/${last}` : `${directory}/${last}`
  return link === real ? {} : { link }
}

const PATTERN = /[*?]|\[[^\]]/

/** True of names that stand for several: patterns, and alternatives in braces. */
function isPattern(path: string): boolean {
  const brace = path.indexOf('{')
  return PATTERN.test(path) || (brace >= 0 && path.includes(',', brace))
}

/** Nobody writes more alternatives by hand. */
const MAX_ALTERNATIVES = 32

/** A pattern that matches a store of secrets opens it: `~/.aws/cred*`, `~/.{ssh,aws}/*`. */
function mayHoldSecret(pattern: string, view: View): boolean {
  return alternatives(pattern).some((one) =>
    suspects(one, { home: view.home, cwd: view.cwd, match: matchGlob }).some((path) => isSecret(path, view)),
  )
}

/** The path without its first braces, once for each of their parts; nested ones stay. */
function alternatives(pattern: string): readonly string[] {
  const open = pattern.indexOf('{')
  const close = pattern.indexOf('}', open)
  if (open < 0 || close < 0) return [pattern]
  const parts = pattern
    .slice(open + 1, close)
    .split(',')
    .slice(0, MAX_ALTERNATIVES)
  return parts.map((part) => pattern.slice(0, open) + part + pattern.slice(close + 1))
}

function isSecret(path: string, view: View): boolean {
  return placedAt(path, view).classes.includes('credential')
}

/** Whatever lies there is the user's own ground, wherever it was mounted. */
const OWN: ReadonlySet<Scope> = new Set<Scope>(['workspace', 'temporary', 'home'])

/** Where containers commonly see the machine's own root: what lies below is what it is there. */
const HOST_ROOTS = ['host_mnt', 'hostfs', 'rootfs', 'host', 'mnt/host', 'mnt/hostfs', 'run/desktop/mnt/host'].map((place) =>
  place.split('/'),
)

const HOST_TOPS: ReadonlySet<string> = new Set(['mnt', ...HOST_ROOTS.map(([top]) => top ?? '')])

/** The names below the machine's root as a container, or Linux on Windows, sees it; null outside of it. */
function behindMount(names: readonly string[]): readonly string[] | null {
  const top = names[0]
  if (top === undefined || !HOST_TOPS.has(top)) return null
  if (top === 'mnt' && names.length > 2 && /^[a-z]$/.test(names[1] ?? '')) return names.slice(2)
  const root = HOST_ROOTS.find((place) => place.every((name, at) => names[at] === name))
  return root === undefined ? null : names.slice(root.length)
}

interface Reading {
  readonly words: readonly string[]
  readonly view: View
  readonly classes: readonly PathClass[]
}

/** Streams and sinks are harmless; what a process shows of itself (`environ`, `mem`) is not. */
function handleTarget(path: string, real: string, { words, view, classes }: Reading): Target {
  const found = new Set<PathClass>(classes)
  if (words[0] === 'proc') classify(words, view, (c) => void found.add(c))
  return { kind: 'path', value: path, real, scope: words[0] === 'dev' ? 'device' : 'system', classes: [...found] }
}

function relativeTarget(path: string, classes: readonly PathClass[], add: (c: PathClass) => void): Target {
  classifyRelative(lexical(path).names, add)
  return { kind: 'path', value: path, real: null, scope: 'unknown', classes }
}

function addWindows(
  windows: string,
  { cwd, view }: { readonly cwd: string | null; readonly view: View },
  add: (c: PathClass) => void,
): void {
  const absolute = toAbsolute(windows, cwd, view).path
  if (absolute === null) classifyRelative(lexical(windows).names, add)
  else classify(lexical(absolute).names, view, add)
}

/** Drives and shares are not on this machine's tree, so no kernel is asked. */
function windowsTarget(path: string, classes: readonly PathClass[]): Target {
  const scope = classes.includes('system') || classes.includes('filesystem-root') ? 'system' : 'elsewhere'
  return { kind: 'path', value: path, real: null, scope: isShare(path) ? 'unknown' : scope, classes }
}

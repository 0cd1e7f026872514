/** Arguments that carry more than they should: a second command, an option, a way out of the directory. */
import type { Target } from '../../effect.ts'
import { hasClass } from '../../effect.ts'
import type { View } from '../../view.ts'
import { lexical, namesOf, pathTarget, workspaceRoots } from './index.ts'
import { pathViews } from './views.ts'

/** What an argument smuggles. Rules read it as the attribute `injection` of the effect. */
export type Injection = 'shell' | 'traversal' | 'option' | 'control' | 'share' | 'malformed'

const HOST = /^[\p{L}\p{N}._:-]+$/u
const HOST_AND_PATH = /^\[?[\p{L}\p{N}._:%-]+\]?(?::\d{1,5})?(?:\/[^\s;|&`$<>(){}'"\\]*)?$/u
const CONTROL = /[\0\r\n]|%0[0ad]|\\[nr]/i
const META = /[;|&`$<>(){}'"\\\s]/

/** What a host or address argument carries besides a host; null where it is one (with a port, a path or a zone at most). */
export function inspectHost(text: string): Injection | null {
  const host = text.trim()
  if (host === '') return null
  if (host.startsWith('-')) return 'option'
  if (HOST.test(host)) return null
  if (CONTROL.test(host) || META.test(host)) return 'shell'
  return HOST_AND_PATH.test(host) || host.startsWith('[') ? null : 'malformed'
}

const SHELL_IN_PATH = /[`\r\n]|\$\(|\|\||&&|; ?\/|;\s+[a-z]|;[a-z]{2,12}(?:\s|$|[;|&<>$])|\|\s*[a-z/]|\|$/i

/** A climb written with the other system's separator, beside plain ones, is there to get past a check. */
const MIXED_CLIMB = /\.\.\\|\\\.\./

export interface PathReading {
  readonly injection: Injection | null
  /** What the dangerous reading would reach, where that is another place. */
  readonly reached: Target | null
}

/** What a path argument carries besides a path, by every reading of it. */
export function inspectPath(path: string, cwd: string | null, view: View): PathReading {
  if (path.startsWith('\\\\') && /^\\\\[\p{L}\p{N}._-]+\\/u.test(path)) return { injection: 'share', reached: null }
  if (climbsOut(path, cwd, view) || (path.includes('/') && MIXED_CLIMB.test(path) && !/^[a-z]:/i.test(path)))
    return { injection: 'traversal', reached: null }
  if (isTooLong(path) || isDisguised(path)) return { injection: 'malformed', reached: null }
  for (const { text: reading, encoded } of pathViews(path)) {
    if (encoded && climbsHidden(reading, path)) return { injection: 'traversal', reached: pathTarget(reading, cwd, view) }
    if (!leavesBy(reading, path, { cwd, view })) continue
    return { injection: 'traversal', reached: pathTarget(reading, cwd, view) }
  }
  if (path.includes('\0')) return { injection: 'control', reached: null }
  return { injection: SHELL_IN_PATH.test(path) ? 'shell' : null, reached: null }
}

/** No file system opens such a name; it is there to reach past a limit of the reader. */
function isTooLong(path: string): boolean {
  return path.length > 4096 || (path.length > 255 && path.split('/').some((name) => name.length > 255))
}

/** Escapes of letters, digits or dots need not be; neither need names that are made of backslashes alone. */
const NEEDLESS_ESCAPE = /%(?:25)*(?:2e|3[0-9]|[46][1-9a-f]|[57][0-9a])/gi
const ENCODED_SEPARATOR = /%(?:25)*(?:2f|5c)/i
const BACKSLASH_NAME = /(?:^|\/)\\+(?:\/|$)/

function isDisguised(path: string): boolean {
  if (BACKSLASH_NAME.test(path)) return true
  if (!path.includes('%')) return false
  if (/%(?:25)*00/.test(path)) return true // ends the name for programs in C
  return (path.match(NEEDLESS_ESCAPE)?.length ?? 0) > 1 || (ENCODED_SEPARATOR.test(path) && path.includes('..'))
}

/** A `..` that only decoding brings to light was hidden on purpose, wherever it leads. */
function climbsHidden(reading: string, path: string): boolean {
  return reading.replaceAll('\\', '/').split('/').includes('..') && !path.replaceAll('\\', '/').split('/').includes('..')
}

/** Climbing this far and leaving the home and the workspace is no slip. */
const FAR = 3

/**
 * Climbs as honest paths do not: down and then out above the start, above `/`, far away, or out of the workspace to
 * secrets and system files. `../sibling` is plain work.
 */
function climbsOut(path: string, cwd: string | null, view: View): boolean {
  const climbs = path.split('/').filter((name) => name === '..').length
  if (climbs === 0) return false
  const { up, names, absolute } = lexical(path)
  if (absolute) return climbsFromRoot(path, names, { cwd, view })
  if (namesSystemFile(path)) return true
  if (up === 0) return false
  if (cwd === null) return up > 1 || climbs > up || names.some((name) => GUARDED_TOPS.has(name))
  if (up > namesOf(cwd).length) return true
  const target = pathTarget(path, cwd, view)
  if (target.scope === 'workspace' || target.scope === 'temporary') return false
  return climbs > up || isGuarded(target) || (up >= FAR && target.scope !== 'home')
}

/** An absolute path that climbs above `/`, to a system directory, or out of the workspace to what is guarded. */
function climbsFromRoot(path: string, names: readonly string[], { cwd, view }: Place): boolean {
  if (leavesRoot(path) || leavesTop(path, names)) return true
  return isBelowRoots(beforeClimb(path), view) && isGuarded(pathTarget(path, cwd, view))
}

/** What a relative path starts from. */
interface Place {
  readonly cwd: string | null
  readonly view: View
}

const GUARDED_TOPS: ReadonlySet<string> = new Set(['etc', 'proc', 'root', 'boot', 'windows', 'winnt'])

/** More `..` than there are names before them: nobody climbs above `/` on purpose. */
function leavesRoot(path: string): boolean {
  let level = 0
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    level += name === '..' ? -1 : 1
    if (level < 0) return true
  }
  return false
}

/** An absolute path that climbs out of the top it starts in, to a system one: it could have named that one at once. */
function leavesTop(path: string, names: readonly string[]): boolean {
  const first = path.split('/').find((name) => name !== '' && name !== '.')
  const top = names[0]
  return first !== undefined && top !== undefined && first !== top && GUARDED_TOPS.has(top.toLowerCase())
}

/** Read from `/`, what follows the last climb is a file of the system that everybody knows: it was meant, however far the climb went. */
function namesSystemFile(path: string): boolean {
  const tail = path.slice(path.lastIndexOf('../') + 3).toLowerCase()
  return KNOWN_TAILS.test(tail)
}

const KNOWN_TAILS =
  /^(?:etc\/(?:passwd|shadow|group|hosts|sudoers|crontab|ssh\/.*)|proc\/(?:self|[0-9]+)\/.*|root\/\..*|windows\/(?:win\.ini|system32\/.*)|boot\.ini)$/

function beforeClimb(path: string): string {
  return path.slice(0, path.indexOf('..'))
}

function isBelowRoots(path: string, view: View): boolean {
  return workspaceRoots(view).some((root) => path.startsWith(`${root}/`))
}

function isGuarded(target: Target): boolean {
  return hasClass(target, 'credential', 'system', 'device', 'boot', 'gate', 'filesystem-root')
}

/** True where the reading leaves the place that the plain path stays in, or reaches what the plain path does not. */
function leavesBy(reading: string, path: string, { cwd, view }: Place): boolean {
  if (reading.split('/').includes('..')) {
    const { up, absolute } = lexical(reading)
    if (up > 0 || (absolute && climbsOut(reading, cwd, view))) return true
  }
  const plain = pathTarget(path, cwd, view)
  return !isGuarded(plain) && isGuarded(pathTarget(reading, cwd, view))
}

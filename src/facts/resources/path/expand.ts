/** From the words of a call to an absolute path that the kernel could be asked about; nothing is collapsed here. */
import type { View } from '../../view.ts'
import { isInOrder, lexical } from './segments.ts'

/** `path` starts with `/` and still holds `.`, `..` and links; null where it cannot be told where it starts. */
export interface Absolute {
  readonly path: string | null
  /** No reading changes the path: it has no `.`, `..` or empty names. */
  readonly ordered: boolean
  /** Handles of the running process (`/proc/self/fd/3`, `/dev/stdin`): they differ per process, so no View is asked. */
  readonly handle: boolean
}

const UNKNOWN: Absolute = { path: null, ordered: false, handle: false }
/** How shells write the home; many tools expand it too. */
const HOME_WORDS = ['$HOME', '$\u007bHOME}']
const DRIVE = /^[A-Za-z]:[\\/]/

/** Expands `~`, `~user`, `~+`, `~-` and `$HOME`, puts relative paths below `cwd`, and sees through `/proc/self/root`. */
export function toAbsolute(path: string, cwd: string | null, view: View): Absolute {
  const expanded = expandHome(path, cwd, view)
  if (expanded === null) return UNKNOWN
  if (expanded.startsWith('/')) return throughProc(expanded, cwd)
  return cwd === null ? UNKNOWN : throughProc(`${cwd}/${expanded}`, cwd)
}

function expandHome(path: string, cwd: string | null, view: View): string | null {
  if (path.startsWith('$')) {
    const name = HOME_WORDS.find((word) => path === word || path.startsWith(`${word}/`))
    return name === undefined ? path : `${view.home}${path.slice(name.length)}`
  }
  if (!path.startsWith('~')) return path
  const slash = path.indexOf('/')
  const who = path.slice(1, slash < 0 ? path.length : slash)
  const rest = slash < 0 ? '' : path.slice(slash)
  if (who === '' || who === view.user) return `${view.home}${rest}`
  if (who === '+') return cwd === null ? null : `${cwd}${rest}`
  if (who === '-') return null
  if (who === 'root') return `/root${rest}`
  // A file of that name in the directory is the less dangerous reading; the shell's reading is the other user's home.
  return /^[a-z_][a-z0-9_.-]*$/i.test(who) ? `${view.home.startsWith('/Users/') ? '/Users' : '/home'}/${who}${rest}` : path
}

/** `/proc/<process>/root` is `/` and `…/cwd` the directory of the process; a View would answer for the gate instead. */
function throughProc(path: string, cwd: string | null): Absolute {
  if (isInOrder(path) && !path.startsWith('/proc') && !path.startsWith('/dev')) return { path, ordered: true, handle: false }
  const ordered = lexical(path).names
  const names = climbedFromHandles(path, ordered)
  // A path may lead through thousands of them: none is cut off by itself.
  let start = 0
  while (names[start] === 'proc' && names.length >= start + 2) {
    const own = names[start + 1] === 'self' || names[start + 1] === 'thread-self'
    const at = start + (names[start + 2] === 'task' ? 4 : 2)
    if (!own && !isNumber(names[start + 1] ?? '')) break
    if (names[at] === 'root') start = at + 1
    else if (names[at] === 'cwd') {
      if (cwd === null || !own) return UNKNOWN
      return { path: [cwd, ...names.slice(at + 1)].join('/'), ordered: false, handle: false }
    } else return { path: `/${names.slice(start).join('/')}`, ordered: false, handle: true }
  }
  return { path: `/${names.slice(start).join('/')}`, ordered: false, handle: isHandle(ordered) }
}

/** The names of a path, as they stand but for climbs out of a directory of handles. `ordered` are those of the words alone. */
function climbedFromHandles(path: string, ordered: readonly string[]): readonly string[] {
  let names: readonly string[] = path.split('/').filter((name) => name !== '' && name !== '.')
  // `/dev/fd` is a link to `/proc/self/fd` on Linux, where the kernel climbs from there, and a directory elsewhere.
  if (names[0] === 'dev' && names[1] === 'fd' && names.includes('..')) {
    const linked = lexical(`/proc/self/${names.slice(1).join('/')}`).names
    names = linked[1] === 'self' ? linked : ordered
  }
  if (names[0] === 'proc' && names[2] === 'fd' && names.includes('..')) names = lexical(`/${names.join('/')}`).names
  return ordered[0] === 'proc' && names[0] !== 'proc' ? ordered : names
}

function isNumber(text: string): boolean {
  return text !== '' && [...text].every((char) => char >= '0' && char <= '9')
}

const STREAMS: ReadonlySet<string> = new Set(['null', 'zero', 'full', 'random', 'urandom', 'stdin', 'stdout', 'stderr', 'tty', 'ptmx'])

function isHandle(names: readonly string[]): boolean {
  if (names[0] !== 'dev') return false
  return (names.length === 2 && STREAMS.has(names[1] ?? '')) || names[1] === 'fd' || names[1] === 'pts'
}

/** Without `\\\\?\\` and `\\\\.\\`, with which Windows is told to take what follows as it stands; `\\\\?\\UNC\\host\\x` is a share. */
export function withoutDevicePrefix(path: string): string {
  if (path.charAt(0) !== '\\' && path.charAt(0) !== '/') return path
  const named = /^[\\/]{2}[?.][\\/](?:(unc)[\\/]|[a-z]:)/i.exec(path)
  if (named === null) return path
  return named[1] === undefined ? path.slice(4) : `\\\\${path.slice(8)}`
}

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['userprofile', '~'],
  ['homepath', '~'],
  ['appdata', '~/AppData/Roaming'],
  ['localappdata', '~/AppData/Local'],
  ['onedrive', '~/OneDrive'],
  ['programdata', '/ProgramData'],
  ['allusersprofile', '/ProgramData'],
  ['systemroot', '/Windows'],
  ['windir', '/Windows'],
  ['systemdrive', '/'],
])

/** The path with a variable of Windows at its start in full: `%APPDATA%\\x`, `$env:APPDATA\\x`; unchanged where none of these stands there. */
export function withoutVariable(path: string): string {
  if (path.charAt(0) !== '%' && path.charAt(0) !== '$') return path
  const found = /^(?:%([a-z]{4,20})%|\$(?:env:([a-z]{4,20})|\{env:([a-z]{4,20})\}))(?=[\\/]|$)/i.exec(path)
  const place = found === null ? undefined : VARIABLES.get((found[1] ?? found[2] ?? found[3] ?? '').toLowerCase())
  return found === null || place === undefined ? path : place + path.slice(found[0].length).replaceAll('\\', '/')
}

/** The path as Windows would read it, with `/` for `\` and without its drive; null where it has nothing of Windows. */
export function windowsReading(path: string): string | null {
  if (!path.includes('\\') && !hasDrive(path)) return null
  const slashed = path.replaceAll('\\', '/')
  if (slashed.startsWith('//?/') || slashed.startsWith('//./')) return windowsReading(path.slice(4)) ?? slashed.slice(3)
  return DRIVE.test(path) ? slashed.slice(2) : slashed
}

/** True for `C:\…` and `C:/…`. */
export function hasDrive(path: string): boolean {
  return path.charCodeAt(1) === COLON && DRIVE.test(path)
}

const COLON = 0x3a

/** True for `\\server\share`, which any program of Windows opens over the network. */
export function isShare(path: string): boolean {
  return path.startsWith('\\\\') && !path.startsWith('\\\\?\\') && !path.startsWith('\\\\.\\')
}

/** Paths as lists of names. Places are compared name by name, never as text: `ws-evil` does not lie in `ws` (T09). */

/** Names of an absolute or relative path with `.` gone and `..` taken back as far as it can be; `up` counts the rest. */
export interface Lexical {
  readonly names: readonly string[]
  /** How many `..` lead out above the start; always 0 for absolute paths. */
  readonly up: number
  readonly absolute: boolean
}

/** Lexical reading of a path: what it says, not what the kernel makes of it. */
export function lexical(path: string): Lexical {
  const absolute = path.startsWith('/')
  const names: string[] = []
  let up = 0
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.length > 0) names.pop()
    else if (!absolute) up += 1
  }
  return { names, up, absolute }
}

/** Names of an absolute path that is already in order. */
export function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '')
}

export function toPath(names: readonly string[]): string {
  return `/${names.join('/')}`
}

/** True where `inner` is `outer` or lies below it. */
export function within(inner: readonly string[], outer: readonly string[]): boolean {
  if (inner.length < outer.length) return false
  for (let i = 0; i < outer.length; i += 1) if (inner[i] !== outer[i]) return false
  return true
}

// Characters that file systems drop or that no reader sees: HFS+ ignores them, so `.g<ZWNJ>it` opens `.git`.
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/**
 * The name as the most forgiving file system would take it: case and Unicode form folded, invisible characters and
 * trailing dots or spaces dropped. Only ever used to raise.
 */
export function fold(name: string): string {
  const shape = shapeOf(name)
  if (shape === 'plain') return name
  const lower = shape === 'any' ? name.normalize('NFKC').replace(INVISIBLE, '').toLowerCase() : name.toLowerCase()
  const plain = lower.includes('~') || lower.includes(':$') ? asNtfs(lower) : lower
  let end = plain.length
  while (end > 1 && (plain[end - 1] === '.' || plain[end - 1] === ' ')) end -= 1
  return end === plain.length ? plain : plain.slice(0, end)
}

/** `.env::$data` opens `.env`, and `git~1` is the short name of `.git`. */
function asNtfs(name: string): string {
  const stream = name.indexOf(':$')
  const file = stream < 0 ? name : name.slice(0, name.indexOf(':'))
  return /^[a-z]{2,6}~\d$/.test(file) ? `.${file.slice(0, -2)}` : file
}

/** Small printable ASCII without a sign that a file system reads otherwise (`plain`) is the common case: it stays as it is. */
function shapeOf(name: string): 'plain' | 'ascii' | 'any' {
  let plain = true
  let code = 0
  for (let i = 0; i < name.length; i += 1) {
    code = name.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return 'any'
    if ((code >= 0x41 && code <= 0x5a) || code === TILDE || code === COLON) plain = false
  }
  return plain && code !== DOT && code !== SPACE ? 'plain' : 'ascii'
}

/** Without empty names, `.` and `..`, and absolute: text that no reading changes. */
export function isInOrder(path: string): boolean {
  if (path.charCodeAt(0) !== SLASH) return false
  let start = 1
  for (let i = 1; i <= path.length; i += 1) {
    if (i < path.length && path.charCodeAt(i) !== SLASH) continue
    const length = i - start
    const dots = length > 0 && length < 3 && path.charCodeAt(start) === DOT && path.charCodeAt(i - 1) === DOT
    if (length === 0 || dots) return path === '/'
    start = i + 1
  }
  return true
}

const SLASH = 0x2f
const DOT = 0x2e
const SPACE = 0x20
const COLON = 0x3a
const TILDE = 0x7e

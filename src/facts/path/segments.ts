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
  return inner.length >= outer.length && outer.every((name, i) => inner[i] === name)
}

// Characters that file systems drop or that no reader sees: HFS+ ignores them, so `.g<ZWNJ>it` opens `.git`.
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/**
 * The name as the most forgiving file system would take it: case and Unicode form folded, invisible characters and
 * trailing dots or spaces dropped. Only ever used to raise.
 */
export function fold(name: string): string {
  const lower = isPlain(name) ? name : name.normalize('NFKC').replace(INVISIBLE, '').toLowerCase()
  const plain = lower.includes('~') || lower.includes(':$') ? asNtfs(lower) : lower
  let end = plain.length
  while (end > 1 && (plain[end - 1] === '.' || plain[end - 1] === ' ')) end -= 1
  return plain.slice(0, end)
}

/** `.env::$data` opens `.env`, and `git~1` is the short name of `.git`. */
function asNtfs(name: string): string {
  const stream = name.indexOf(':$')
  const file = stream < 0 ? name : name.slice(0, name.indexOf(':'))
  return /^[a-z]{2,6}~\d$/.test(file) ? `.${file.slice(0, -2)}` : file
}

/** Printable ASCII without capitals: the common case, for which folding changes nothing but the end. */
function isPlain(name: string): boolean {
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i)
    if (code < 0x21 || code > 0x7e || (code >= 0x41 && code <= 0x5a)) return false
  }
  return true
}

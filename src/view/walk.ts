/**
 * The kernel's way through a path, component by component: `link/..` is the parent of what the link points to, never the
 * directory that holds the link (T09). Pure over a probe, so that the real and the described world share one walk.
 */

/** What one name is, without following it. */
export type Entry = { readonly kind: 'link'; readonly to: string } | { readonly kind: 'file' | 'directory' | 'other' | 'missing' }

export interface Walked {
  /** Without `.`, `..` and links; what does not exist is appended as it is written, as `readlink -m` does. */
  readonly real: string
  /** The deepest directory or file on the way that exists, already resolved. */
  readonly existing: string
  readonly kind: 'file' | 'directory' | 'other' | 'missing'
}

/** Of what is not there. */
export const MISSING: Entry = { kind: 'missing' }

/** As Linux: more links than this on one walk is a loop, and nothing can be opened through it. */
const MAX_LINKS = 40

/** Walks an absolute path. A loop of links ends as `missing` at the name that loops. */
export function walkPath(path: string, probe: (absolute: string) => Entry): Walked {
  let pending = parts(path)
  let next = 0
  /** The absolute path of every name on the way. */
  const trail: string[] = []
  let missing = Number.POSITIVE_INFINITY
  let links = 0
  let kind: Walked['kind'] = 'directory'
  for (let part = pending[next++]; part !== undefined; part = pending[next++]) {
    if (part === '..') {
      trail.pop()
      if (trail.length < missing) missing = Number.POSITIVE_INFINITY
      kind = missing === Number.POSITIVE_INFINITY ? 'directory' : 'missing'
      continue
    }
    const here = `${lastOf(trail, '')}/${part}`
    // Below what is missing nothing is asked: a name of thousands of parts stays linear.
    const entry: Entry = trail.length < missing ? probe(here) : MISSING
    if (entry.kind === 'link' && links < MAX_LINKS) {
      links += 1
      if (entry.to.startsWith('/')) trail.length = 0
      pending = [...parts(entry.to), ...pending.slice(next)]
      next = 0
      kind = 'directory'
      continue
    }
    trail.push(here)
    kind = entry.kind === 'link' ? 'missing' : entry.kind
    if (kind === 'missing' && missing > trail.length) missing = trail.length
  }
  const existing = trail[Math.min(missing - 1, trail.length) - 1] ?? '/'
  return { real: lastOf(trail, '/'), existing, kind }
}

function lastOf(trail: readonly string[], otherwise: string): string {
  return trail[trail.length - 1] ?? otherwise
}

/** The names of a path but for empty ones and `.`. Cut by hand: every path of a call comes through here. */
function parts(path: string): readonly string[] {
  const found: string[] = []
  for (let start = 0; start < path.length; ) {
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    if (end - start > 1 || (end > start && path[start] !== '.')) found.push(path.slice(start, end))
    start = end + 1
  }
  return found
}

/** Kernel-true paths of this machine for one decision: what a name is, is asked once, however many paths lead through it. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import type { PathAnswer } from '../facts/view.ts'
import { type Entry, MISSING, walkPath } from './walk.ts'

/**
 * On Linux a name is what the walk found, for `realpath` follows links there and nothing else. Elsewhere a file system may fold
 * case, and the directory has a spelling of its own.
 */
const RESPELLS = process.platform !== 'linux'

interface Probed {
  readonly entry: Entry
  /** Hard links. */
  readonly links: number
}

const NOTHING: Probed = { entry: MISSING, links: 1 }

/** Resolves absolute paths. It remembers, so it must not outlive the decision. Never throws. */
export function createResolver(): (path: string) => PathAnswer {
  const known = new Map<string, Probed>()
  const probe = (path: string): Probed => {
    const before = known.get(path)
    if (before !== undefined) return before
    const found = look(path)
    known.set(path, found)
    return found
  }
  return (path) => {
    const absolute = path.startsWith('/') ? path : `/${path}`
    if (absolute.includes('\0')) return { real: absolute, type: 'missing', links: 1 }
    const walked = walkPath(absolute, (name) => probe(name).entry)
    const real = RESPELLS ? nativeCase(walked.existing, walked.real) : walked.real
    return { real, type: walked.kind, links: walked.kind === 'file' ? probe(walked.real).links : 1 }
  }
}

function look(path: string): Probed {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return NOTHING
    if (stat.isSymbolicLink()) return { entry: { kind: 'link', to: linkTarget(path) }, links: 1 }
    if (stat.isFile()) return { entry: { kind: 'file' }, links: stat.nlink }
    return { entry: { kind: stat.isDirectory() ? 'directory' : 'other' }, links: 1 }
  } catch {
    return NOTHING // no permission, name too long: nothing that could be opened either
  }
}

/** The magic links of /proc point at open files, not at names; only the kernel can follow them. */
function linkTarget(path: string): string {
  const to = readlinkSync(path)
  return path.startsWith('/proc/') && !to.startsWith('/') ? path : to
}

/** On a file system that folds case, the directory's own spelling; elsewhere the same path again. */
function nativeCase(existing: string, real: string): string {
  try {
    const native = realpathSync.native(existing)
    const rest = real.slice(existing === '/' ? 0 : existing.length)
    return native === '/' ? rest || '/' : `${native}${rest === '/' ? '' : rest}`
  } catch {
    return real
  }
}

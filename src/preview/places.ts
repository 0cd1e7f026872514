/** Which directories a command that is tried out works on as copies, which it may read, and which it does not see. Reads the file system. */
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Effect } from '../core/effect.ts'
import type { Facts } from '../facts/facts.ts'
import type { View } from '../facts/view.ts'
import { isInside } from '../sandbox/private.ts'

export interface Places {
  /** The first holds the call's own directory. */
  readonly copies: readonly string[]
  readonly reads: readonly string[]
  /** Paths that it would change and does not see. */
  readonly unseen: readonly string[]
}

/** Too wide to be worked on as one place. */
const TOO_WIDE: ReadonlySet<string> = new Set(['/', '/home', '/Users', '/root', '/var', '/tmp', '/usr', '/opt', '/mnt', '/srv', '/nix'])
/** The sandbox has its own of these, or they are the system. */
const NEVER = ['/etc', '/proc', '/sys', '/dev', '/run', '/boot', '/usr', '/bin', '/sbin', '/lib', '/lib64'] as const
/** What is written there ends with the command, on a copy as anywhere. */
const OWN = ['/proc', '/sys', '/dev', '/run'] as const
const MOST = 16

/** A reason in words where the call's own directory cannot be worked on. */
export function placesOf(facts: Facts, view: View): Places | string {
  const { cwd } = view
  if (cwd === null) return 'the call does not say where it runs'
  const own = workspaceOf(cwd, view)
  if (own === null) return `\`${cwd}\` is no directory`
  const refused = refusal(own, view)
  if (refused !== null) return refused
  const found: Found = { copies: [own], reads: [], unseen: [] }
  for (const effect of facts.effects) addTarget(effect, found, view)
  const copies = outermost(found.copies).toSorted((a, b) => Number(isInside(own, b)) - Number(isInside(own, a)))
  return { copies, reads: outermost(found.reads).filter((path) => !copies.some((place) => isInside(path, place))), unseen: found.unseen }
}

interface Found {
  readonly copies: string[]
  readonly reads: string[]
  readonly unseen: string[]
}

function workspaceOf(cwd: string, view: View): string | null {
  const real = directoryAt(cwd)
  if (real === null) return null
  const top = view.git(real)?.top ?? null
  return top !== null && isInside(real, top) && directoryAt(top) !== null && !TOO_WIDE.has(top) ? top : real
}

function addTarget({ verb, target }: Effect, found: Found, view: View): void {
  const path = pathOf(target)
  if (path === null || found.copies.some((place) => isInside(path, place))) return
  const uses = verb === 'read' || verb === 'execute'
  const place = (uses ? directoryAt(path) : null) ?? nearest(dirname(path))
  const seen = place !== null && refusal(place, view) === null && found.copies.length + found.reads.length < MOST
  if (seen && CHANGES.has(verb)) found.copies.push(place)
  else if (seen) found.reads.push(place)
  else if (CHANGES.has(verb) && !OWN.some((system) => isInside(path, system))) found.unseen.push(path)
}

const CHANGES: ReadonlySet<string> = new Set(['write', 'delete', 'change', 'persist'])

function pathOf({ kind, real }: Effect['target']): string | null {
  return (kind === 'path' || kind === 'script') && real?.startsWith('/') === true ? real : null
}

/** The deepest directory on the way to it that is there. */
function nearest(path: string): string | null {
  for (let at = path; at !== '/'; at = dirname(at)) {
    const real = directoryAt(at)
    if (real !== null) return real
  }
  return null
}

function refusal(path: string, { gate, home }: View): string | null {
  if (TOO_WIDE.has(path) || path === home || isInside(home, path)) return `\`${path}\` is too wide to be worked on as a copy`
  if (NEVER.some((system) => isInside(path, system))) return `\`${path}\` belongs to the system`
  return gate.some((place) => isInside(path, place)) ? `\`${path}\` belongs to the gate` : null
}

function directoryAt(path: string): string | null {
  try {
    const real = realpathSync(path)
    return statSync(real).isDirectory() ? real : null
  } catch {
    return null
  }
}

function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)]
  return all.filter((path) => !all.some((other) => other !== path && isInside(path, other)))
}

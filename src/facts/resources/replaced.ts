import type { Effect } from '../effect.ts'

/** Directories of clients that the same call puts something else in place of: what is there beforehand is not where the client will work. */

/** Acts that leave a tree where none was, or another one. */
const BRINGS = /^(?:fs:(?:move|link|copy)|archive:extract|git:(?:clone|worktree)|net:download)$/

/** Names that the call takes away or puts other trees at; null: a name that nobody knows. */
function replacedBy({ verb, action, target }: Effect): string | null | undefined {
  const puts = verb === 'write' && action !== null && BRINGS.test(action)
  const takes = verb === 'delete' && action?.startsWith('git:') !== true
  if (target.kind !== 'path' || !(puts || takes)) return undefined
  if (target.real === null) return puts ? null : undefined
  return target.link ?? target.real
}

/** Makes the directory unknown of each effect where the call itself may have put another one there. */
export function doubtDirectories(effects: Effect[]): void {
  if (!effects.some(({ directory }) => typeof directory === 'string')) return
  const names = effects.map(replacedBy).filter((name) => name !== undefined)
  if (names.length === 0) return
  const isUnknown = names.includes(null)
  const known = names.filter((name) => name !== null)
  const exact = new Set(known)
  const patterns = known.flatMap((name) => (/[*?[{]/.test(name) ? [name.slice(0, name.search(/[*?[{]/))] : []))
  for (const [at, effect] of effects.entries()) {
    const { directory } = effect
    if (typeof directory !== 'string') continue
    const doubtful = isUnknown || above(directory).some((name) => exact.has(name)) || patterns.some((start) => directory.startsWith(start))
    if (doubtful) effects[at] = { ...effect, directory: null }
  }
}

/** The directory and those that it lies in. */
function above(directory: string): readonly string[] {
  const names = directory.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 2).join('/'))
}

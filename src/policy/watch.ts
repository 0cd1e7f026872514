/** Policies of a process that lives on and hears calls from many directories: each directory has the policy that discovery finds for it. */
import { exists, findPolicy, type LoadedPolicy, type PolicyFileOptions, type PolicyWatch, watchPolicy } from './file.ts'

export interface PolicyDirectory {
  /** The policy in force for a call from this directory; null stands for the process's own. Never throws. */
  readonly current: (cwd: string | null) => LoadedPolicy
  /** No more looking; the last policies stay. */
  readonly stop: () => void
}

/** Calls come from few directories; what is over this many is looked up again. */
const MOST_DIRECTORIES = 256

interface Place {
  readonly path: string | null
  readonly looked: number
}

/**
 * Watches one policy per file that discovery finds. A policy that vanishes stays in force, degraded, for the directories it
 * was found for: taking it away must not fall back to a weaker one.
 * @param note is told about every reload in one line.
 */
export function watchPolicies(options: PolicyFileOptions, note: (line: string) => void = () => {}): PolicyDirectory {
  const { interval = 1_000, now = () => performance.now() } = options
  const own = options.places.cwd
  const places = new Map<string | null, Place>()
  const watches = new Map<string | null, PolicyWatch>()
  let stopped = false
  const pathFor = (cwd: string | null): string | null => {
    const at = now()
    const known = places.get(cwd)
    if (known !== undefined && (stopped || (at - known.looked < interval && at >= known.looked))) return known.path
    const found = findPolicy({ ...options.places, cwd })
    const path = known !== undefined && known.path !== null && !exists(known.path) && wasInForce(known.path) ? known.path : found
    places.delete(cwd)
    places.set(cwd, { path, looked: at })
    for (const oldest of places.keys()) {
      if (places.size <= MOST_DIRECTORIES) break
      places.delete(oldest)
    }
    return path
  }
  // A name that could not be looked at for a moment was taken for a policy; it never was one, so its absence is not missed.
  const wasInForce = (path: string): boolean => watches.get(path)?.current().policy != null
  const watchOf = (path: string | null): PolicyWatch => {
    const known = watches.get(path)
    if (known !== undefined) return known
    const fresh = watchPolicy({ ...options, places: { ...options.places, cwd: null, explicit: path } }, note)
    watches.set(path, fresh)
    return fresh
  }
  return {
    current: (cwd) => watchOf(pathFor(cwd ?? own)).current(),
    stop: () => {
      stopped = true
      for (const watch of watches.values()) watch.stop()
    },
  }
}

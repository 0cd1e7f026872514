/** Waits for rows to change, in this process and in others: one look for all who wait, and none while nobody does. */

/** How often rows are looked at, in milliseconds: another process may have answered. */
const PAUSE = 150

export interface Watch {
  /** Resolves once the stamp is another one, or the signal ends the waiting. */
  readonly changed: (id: string, from: { readonly stamp: string; readonly signal: AbortSignal | null }) => Promise<void>
  /** Looks at once: something was changed here. */
  readonly look: () => void
}

interface Waiter {
  readonly id: string
  readonly stamp: string
  readonly wake: () => void
}

/** `stamps` tells for each id what changes whenever its row does. Where it throws, everybody is woken to see for themselves. */
export function createWatch(stamps: (ids: readonly string[]) => readonly string[]): Watch {
  const waiters = new Set<Waiter>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const look = (): void => {
    if (waiters.size === 0) return
    const now = stampsOf(stamps, new Set([...waiters].map(({ id }) => id)))
    for (const waiter of waiters) if (now?.get(waiter.id) !== waiter.stamp) waiter.wake()
  }
  const tick = (): void => {
    timer = null
    look()
    schedule()
  }
  const schedule = (): void => {
    if (timer === null && waiters.size > 0) timer = setTimeout(tick, PAUSE)
  }
  return {
    look,
    changed: (id, { stamp, signal }) =>
      new Promise((resolve) => {
        const wake = (): void => {
          waiters.delete(waiter)
          signal?.removeEventListener('abort', wake)
          if (waiters.size === 0 && timer !== null) {
            clearTimeout(timer)
            timer = null
          }
          resolve()
        }
        const waiter: Waiter = { id, stamp, wake }
        if (signal?.aborted === true) return resolve()
        waiters.add(waiter)
        signal?.addEventListener('abort', wake)
        schedule()
      }),
  }
}

function stampsOf(stamps: (ids: readonly string[]) => readonly string[], ids: ReadonlySet<string>): ReadonlyMap<string, string> | null {
  try {
    const list = [...ids]
    const found = stamps(list)
    return new Map(list.map((id, index) => [id, found[index] ?? '']))
  } catch {
    return null
  }
}

/**
 * One event that a host sends through several hooks is answered once: hosts read the settings of other hosts, and one machine may hold
 * our hook in settings of several scopes. Each hook gets an answer at most once, so an answer never serves a second call: that one comes
 * through every hook again. Kept in memory; nothing here can lower what was decided.
 */

/** An event, and the hook that it came through. */
export interface Delivery {
  /** Equal for the same event alone. */
  readonly event: string
  readonly hook: string
}

export interface Deliveries {
  /**
   * What was answered a moment ago to the same event through another hook, or what `answer` gives. An answer that does not `hold`, or
   * that never came, is none.
   */
  readonly once: <T>(delivery: Delivery, answer: () => Promise<T>, holds: (answered: T) => boolean) => Promise<T>
}

interface Given {
  readonly answer: Promise<unknown>
  readonly hooks: Set<string>
  /** When it was there; null: it is still awaited. */
  at: number | null
}

/** How long an answer waits for further hooks, in milliseconds: they start at once, or when the one before them has answered. */
const SHARED_MS = 5_000

/** Events that are remembered at the same time. */
const MAX_EVENTS = 1_000

/** @param clock monotonic, in milliseconds. */
export function createDeliveries(clock: () => number = () => performance.now()): Deliveries {
  const given = new Map<string, Given>()
  const isOver = ({ at }: Given): boolean => at !== null && clock() - at > SHARED_MS
  const forget = (): void => {
    for (const [event, each] of given) if (isOver(each) || given.size >= MAX_EVENTS) given.delete(event)
  }
  const begin = <T>({ event, hook }: Delivery, answer: () => Promise<T>): Promise<T> => {
    forget()
    const mine = answer()
    const each: Given = { answer: mine, hooks: new Set([hook]), at: null }
    given.delete(event)
    given.set(event, each)
    const settled = (): void => {
      each.at = clock()
    }
    void mine.then(settled, settled)
    return mine
  }
  return {
    once: async <T>(delivery: Delivery, answer: () => Promise<T>, holds: (answered: T) => boolean): Promise<T> => {
      const before = given.get(delivery.event)
      if (before === undefined || isOver(before) || before.hooks.has(delivery.hook)) return begin(delivery, answer)
      before.hooks.add(delivery.hook)
      try {
        const answered = (await before.answer) as T
        if (holds(answered)) return answered
      } catch {
        // Whoever asked first is told of it; this one asks for itself.
      }
      return begin(delivery, answer)
    },
  }
}

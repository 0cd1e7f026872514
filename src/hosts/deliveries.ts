/**
 * One event that a host sends through several hooks is answered once: hosts read the settings of other hosts, and one machine may hold
 * our hook in settings of several scopes. Each hook gets an answer at most once, so an answer never serves a second call: that one comes
 * through every hook again. Kept in memory; nothing here can lower what was decided.
 */
import type { JsonObject } from '../core/json.ts'

/** An event, and the hook that it came through. */
export interface Delivery {
  /** Equal for the same event alone. */
  readonly event: string
  readonly hook: string
}

/** An answer in the host's own form, and whether it may stand for a second hook. */
export interface Answered {
  readonly answer: JsonObject
  /** False: another hook is answered anew. */
  readonly holds: boolean
  /** Id of the record of the decision; null where the event has none. */
  readonly record: string | null
}

export interface Deliveries {
  /**
   * What was answered a moment ago to the same event through another hook, or what `act` gives. An answer that does not hold, or that
   * never came, is none.
   */
  readonly once: (delivery: Delivery, act: () => Promise<Answered>) => Promise<JsonObject>
}

/** Answers that other processes gave to the same event through other hooks. */
export interface Elsewhere {
  /** One that holds for this hook; null: there is none, and none is awaited any longer. Each hook gets one at most once. */
  readonly heard: (delivery: Delivery) => Promise<Answered | null>
}

interface Given {
  readonly answered: Promise<Answered>
  readonly hooks: Set<string>
  /** When it was there; null: it is still awaited. */
  at: number | null
}

/** How long an answer waits for further hooks, in milliseconds: they start at once, or when the one before them has answered. */
export const SHARED_MS = 5_000

/** Events that are remembered at the same time. */
const MAX_EVENTS = 1_000

interface MemoryOptions {
  /** Monotonic, in milliseconds. Default: that of the process. */
  readonly clock?: () => number
  /** Default: nobody else answers. */
  readonly elsewhere?: Elsewhere
}

export function createDeliveries({ clock = () => performance.now(), elsewhere }: MemoryOptions = {}): Deliveries {
  const given = new Map<string, Given>()
  const isOver = ({ at }: Given): boolean => at !== null && clock() - at > SHARED_MS
  /** Oldest first, up to the first that still stands: an event costs the same however many are remembered. */
  const forget = (): void => {
    for (const [event, each] of given) {
      if (!isOver(each) && given.size < MAX_EVENTS) {
        if (each.at === null) continue
        return
      }
      given.delete(event)
    }
  }
  const begin = async (delivery: Delivery, act: () => Promise<Answered>): Promise<JsonObject> => {
    forget()
    const answered = (async () => (await elsewhere?.heard(delivery)) ?? act())()
    const each: Given = { answered, hooks: new Set([delivery.hook]), at: null }
    given.delete(delivery.event)
    given.set(delivery.event, each)
    const settled = (): void => {
      each.at = clock()
    }
    void answered.then(settled, settled)
    return (await answered).answer
  }
  return {
    once: async (delivery, act) => {
      const before = given.get(delivery.event)
      if (before === undefined || isOver(before) || before.hooks.has(delivery.hook)) return begin(delivery, act)
      before.hooks.add(delivery.hook)
      try {
        const { answer, holds } = await before.answered
        if (holds) return answer
      } catch {
        // Whoever asked first is told of it; this one asks for itself.
      }
      return begin(delivery, act)
    },
  }
}

/**
 * What happens, as it happens: follows the log, so that it also tells what other processes wrote, and nothing twice. The log is
 * only looked at while somebody listens. Every listener has a bounded queue; one that reads too slowly is let go (T23).
 */
import type { RecordQuery, StoredRecord } from '../store/store.ts'

export interface Listening {
  /** Ends it; safe to call again. */
  readonly stop: () => void
}

export interface Listen {
  /** Told of each record once, in order. */
  readonly heard: (record: StoredRecord) => void
  /** The feed ends: nothing more will come. */
  readonly ended: () => void
  /** Records after this sequence first; absent: only what comes. */
  readonly after?: number
}

export interface Feed {
  readonly listen: (listen: Listen) => Listening
  /** Something was written here; looks at once. */
  readonly poke: () => void
  /** Listeners at the moment. */
  readonly size: () => number
  /** Tells everybody that it is over. Later listeners are told at once. */
  readonly close: () => void
}

export interface FeedOptions {
  readonly read: (query: RecordQuery) => Iterable<StoredRecord>
  /** Sequence of the newest record. */
  readonly head: () => number
  /** Milliseconds between two looks. Default 250. */
  readonly interval?: number
}

const PAGE = 500

export function createFeed({ read, head, interval = 250 }: FeedOptions): Feed {
  const listeners = new Map<symbol, Listen>()
  let cursor = 0
  let timer: NodeJS.Timeout | null = null
  let scheduled = false
  let closed = false
  const look = (): void => {
    scheduled = false
    if (listeners.size === 0) return
    try {
      for (let full = true; full; ) {
        const page = [...read({ after: cursor, limit: PAGE })]
        full = page.length === PAGE
        for (const record of page) {
          cursor = record.sequence
          for (const { heard } of [...listeners.values()]) heard(record)
        }
      }
    } catch {
      // A log that cannot be read now is read at the next look; deciding does not depend on it.
    }
  }
  const join = (listen: Listen): Listening => {
    if (listeners.size === 0) cursor = head()
    tellMissed(listen, { cursor, read })
    const key = Symbol('listener')
    listeners.set(key, listen)
    timer ??= setInterval(look, interval).unref()
    return {
      stop: () => {
        listeners.delete(key)
        if (listeners.size === 0) rest()
      },
    }
  }
  const rest = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }
  return {
    listen: (listen) => {
      if (!closed) return join(listen)
      listen.ended()
      return { stop: () => {} }
    },
    poke: () => {
      if (scheduled || listeners.size === 0) return
      scheduled = true
      setImmediate(look)
    },
    size: () => listeners.size,
    close: () => {
      closed = true
      rest()
      for (const { ended } of [...listeners.values()]) ended()
      listeners.clear()
    },
  }
}

/** What is behind the shared cursor is read for this one alone; the rest comes with everybody's. */
function tellMissed({ after, heard }: Listen, { cursor, read }: Pick<FeedOptions, 'read'> & { readonly cursor: number }): void {
  if (after === undefined || after >= cursor) return
  for (const record of read({ after })) {
    if (record.sequence > cursor) return
    heard(record)
  }
}

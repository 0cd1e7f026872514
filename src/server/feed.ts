/**
 * What happens, as it happens: follows the log, so that it also tells what other processes wrote, and nothing twice. The log is
 * only looked at while somebody listens. Every listener has a bounded queue; one that reads too slowly is let go (T23).
 */
import type { RecordQuery } from '../store/store.ts'
import type { Heard } from './sse-events.ts'

export interface Listening {
  /** Ends it; safe to call again. */
  readonly stop: () => void
}

export interface Listen {
  /** Told of each record once, in order. */
  readonly heard: (record: Heard) => void
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
  /** A page of the log, oldest first; whoever has a thread for it has it read there. */
  readonly read: (query: Pick<RecordQuery, 'after' | 'limit'>) => Promise<readonly Heard[]> | readonly Heard[]
  /** Sequence of the newest record. */
  readonly head: () => number
  /** Milliseconds between two looks. Default 250. */
  readonly interval?: number
}

const PAGE = 500

interface Ear extends Listen {
  /** Sequence of the last record that it was told of. */
  told: number
  /** False while what it missed is read for it alone. */
  ready: boolean
}

export function createFeed(options: FeedOptions): Feed {
  const ears = new Ears(options)
  return { listen: (listen) => ears.listen(listen), poke: () => ears.poke(), size: () => ears.size, close: () => ears.close() }
}

/** Everybody who listens, and how far all of them have been told. */
class Ears {
  readonly #options: FeedOptions
  readonly #ears = new Set<Ear>()
  #cursor = 0
  #timer: NodeJS.Timeout | null = null
  #scheduled = false
  #looking = false
  #closed = false

  constructor(options: FeedOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#ears.size
  }

  listen(listen: Listen): Listening {
    if (this.#closed) {
      listen.ended()
      return { stop: () => {} }
    }
    if (this.#ears.size === 0) this.#cursor = this.#options.head()
    const { after = this.#cursor } = listen
    const ear: Ear = { ...listen, told: Math.min(after, this.#cursor), ready: after >= this.#cursor }
    this.#ears.add(ear)
    if (!ear.ready) void this.#catchUp(ear)
    this.#timer ??= setInterval(() => this.#look(), this.#options.interval ?? 250).unref()
    return { stop: () => this.#leave(ear) }
  }

  poke(): void {
    if (this.#scheduled || this.#ears.size === 0) return
    this.#scheduled = true
    setImmediate(() => this.#look())
  }

  close(): void {
    this.#closed = true
    for (const { ended } of [...this.#ears]) ended()
    this.#ears.clear()
    this.#rest()
  }

  async #look(): Promise<void> {
    this.#scheduled = false
    if (this.#looking) return
    this.#looking = true
    try {
      for (let full = true; full && this.#ears.size > 0; ) {
        const page = await this.#options.read({ after: this.#cursor, limit: PAGE })
        full = page.length === PAGE
        for (const record of page) this.#hear(record)
      }
    } catch {
      // A log that cannot be read now is read at the next look; deciding does not depend on it.
    } finally {
      this.#looking = false
    }
  }

  #hear(record: Heard): void {
    this.#cursor = record.sequence
    for (const ear of [...this.#ears]) if (ear.ready) tell(ear, record)
  }

  /** What is behind the shared cursor is read for this one alone; the rest comes with everybody's. */
  async #catchUp(ear: Ear): Promise<void> {
    try {
      while (this.#ears.has(ear) && ear.told < this.#cursor) {
        const page = await this.#options.read({ after: ear.told, limit: PAGE })
        for (const record of page) if (this.#ears.has(ear)) tell(ear, record)
        if (page.length === 0) break
      }
      ear.ready = true
      this.poke()
    } catch {
      if (this.#ears.has(ear)) ear.ended()
      this.#leave(ear)
    }
  }

  #leave(ear: Ear): void {
    this.#ears.delete(ear)
    if (this.#ears.size === 0) this.#rest()
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}

function tell(ear: Ear, record: Heard): void {
  if (record.sequence <= ear.told) return
  ear.told = record.sequence
  ear.heard(record)
}

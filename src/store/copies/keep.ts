/**
 * Keeps copies of the head up to date, and holds the log against them.
 *
 * INVARIANT: nothing is recorded before every copy was read once or was out of reach for its deadline, and no head is written over
 * one that this log was not held against. So a log that was put back is refused, and does not hide itself by going on.
 */
import { readCounter, signMark } from '../sqlite/counter.ts'
import { asStoreError, storeError } from '../sqlite/faults.ts'
import { type Keys, loadKeys } from '../sqlite/keys.ts'
import { HASH_AT, TIP, tipOf } from '../sqlite/records/rows.ts'
import type { RecordInput, Running, Store, Transaction } from '../store.ts'
import { type CopySpec, type Place, placeOf, type Reaching } from './places.ts'
import { type CopyReading, copyBreak, copyProblem, type LogNow, readCopy } from './read.ts'

type KeptStore = Pick<Store, 'append' | 'run' | 'query' | 'read' | 'now' | 'close'>

export interface KeepOptions extends Partial<Reaching> {
  /** State directory of the log. */
  readonly directory: string
  /** The places as the policy says now. */
  readonly copies: () => readonly CopySpec[]
  /** Milliseconds between two writes, and between two looks at a copy that is required and out of reach. Default 1,000. */
  readonly intervalMs?: number
}

export interface KeptCopies {
  /** The same store; it takes no record of a log that a copy tells is older than it was. */
  readonly store: KeptStore
  /** Waits until every copy was read, or was out of reach for its deadline. Null where that is so already. Never rejects. */
  readonly ready: () => Promise<void> | null
  /** What keeps copies from being read or written, in one line; null where nothing does. */
  readonly problem: () => string | null
}

/** Milliseconds for one look at a copy, or for writing it. */
export const COPY_DEADLINE_MS = 1_000
const INTERVAL_MS = 1_000

export function keepCopies(store: KeptStore, options: KeepOptions): KeptCopies {
  const copies = createCopies(store, options)
  const { intervalMs = INTERVAL_MS } = options
  let timer: NodeJS.Timeout | null = null
  const spreadSoon = (): void => {
    if (timer !== null || copies.none()) return
    timer = setTimeout(() => {
      timer = null
      void copies.spread()
    }, intervalMs).unref()
  }
  const recorded = async <T>(act: () => Promise<T>): Promise<T> => {
    await copies.held()
    const result = await act()
    spreadSoon()
    return result
  }
  return {
    ready: copies.ready,
    problem: copies.problem,
    store: {
      append: (record) => recorded(() => store.append(record)),
      run: <T>(work: (tx: Transaction) => T, record: RecordInput | ((result: T) => RecordInput), how?: Running) =>
        recorded(() => store.run(work, record, how)),
      query: (work) => store.query(work),
      read: (query) => store.read(query),
      now: () => store.now(),
      close: () => {
        const unsaved = timer !== null
        if (timer !== null) clearTimeout(timer)
        timer = null
        if (unsaved) copies.leave()
        store.close()
      },
    },
  }
}

interface Copy {
  readonly spec: CopySpec
  readonly place: Place
  /** Null until it was read for the first time. */
  reading: CopyReading | null
  /** Of the monotonic clock, in milliseconds. */
  readAt: number
  /** Shared by all who wait for the same look. */
  looking: Promise<void> | null
  /** Why the last head could not be written. */
  unwritten: string | null
}

interface Copies extends Pick<KeptCopies, 'ready' | 'problem'> {
  readonly none: () => boolean
  /** Rejects where nothing may be recorded. */
  readonly held: () => Promise<void>
  /** Reads every copy again and writes the head of now where it may. Never rejects. */
  readonly spread: () => Promise<void>
  /** The same for the head that the log has while it is still open. */
  readonly leave: () => void
}

function createCopies(store: KeptStore, options: KeepOptions): Copies {
  const { directory, intervalMs = INTERVAL_MS, deadlineMs = COPY_DEADLINE_MS } = options
  const reaching = { fetch: options.fetch ?? globalThis.fetch, env: options.env ?? ((name: string) => process.env[name]), deadlineMs }
  const known = new Map<string, Copy>()
  let keys: Keys | null = null
  let broken: unknown = null
  const all = (): readonly Copy[] => options.copies().map((spec) => copyOf(known, spec, reaching))
  const now = (): LogNow => logNow(store, directory, ownKeys())
  const ownKeys = (): Keys => {
    keys ??= loadKeys(directory)
    return keys
  }
  const look = (copy: Copy): Promise<void> => {
    copy.looking ??= hold(copy).finally(() => {
      copy.looking = null
    })
    return copy.looking
  }
  // The copy is read before the log: other processes only ever make the log longer than a copy already read.
  const hold = async (copy: Copy): Promise<void> => {
    const reading = await readCopy(copy.place, ownKeys().ring, deadlineMs)
    broken ??= copyBreak(copy.place.name, reading, now())
    copy.reading = reading
    copy.readAt = performance.now()
  }
  const due = (copy: Copy): boolean => copy.reading === null || (isMissed(copy) && performance.now() - copy.readAt >= intervalMs)
  const ready = (): Promise<void> | null => {
    const open = all().filter(due)
    return open.length === 0 ? null : Promise.allSettled(open.map(look)).then(() => {})
  }
  const save = async (copy: Copy, log: LogNow): Promise<void> => {
    if (broken === null) copy.unwritten = await written(copy, signMark('head', { ...log, at: Date.now() }, ownKeys().current))
  }
  return {
    ready,
    none: () => all().length === 0,
    problem: () => problemOf(all()),
    held: async () => {
      await ready()
      if (broken !== null) throw broken
      for (const copy of all()) {
        // What could not be held against the log is looked at once more, for the error that it meets.
        if (copy.reading === null)
          await look(copy).catch((error: unknown) => Promise.reject(asStoreError(error, 'reading copies of its head')))
        if (isMissed(copy)) throw storeError('copy', `${problemOf([copy])}, and it is required`)
      }
    },
    spread: async () => {
      await Promise.allSettled(all().map((copy) => look(copy).then(() => save(copy, now()))))
    },
    leave: () => {
      const last = now()
      for (const copy of all()) void leaveOne(copy, last, { save, read: () => readCopy(copy.place, ownKeys().ring, deadlineMs) })
    },
  }
}

function copyOf(known: Map<string, Copy>, spec: CopySpec, reaching: Reaching): Copy {
  const key = JSON.stringify([spec.to, spec.required, spec.tokenEnv])
  const copy = known.get(key) ?? { spec, place: placeOf(spec, reaching), reading: null, readAt: 0, looking: null, unwritten: null }
  known.set(key, copy)
  return copy
}

function isMissed({ spec, reading }: Copy): boolean {
  return spec.required && reading?.state === 'unreadable'
}

function problemOf(copies: readonly Copy[]): string | null {
  const problems = copies.flatMap(({ place, reading, unwritten }) => {
    const unread = reading === null ? null : copyProblem(place.name, reading)
    return unread ?? (unwritten === null ? [] : `the copy of the log's head at ${place.name} cannot be written: ${unwritten}`)
  })
  return problems.length === 0 ? null : problems.join('; ')
}

/** Writes the head where the copy was read and is not as far. Answers why it could not. */
async function written({ place, reading }: Copy, mark: ReturnType<typeof signMark>): Promise<string | null> {
  if (reading === null || reading.state === 'unreadable' || reading.state === 'foreign') return null
  if (reading.state === 'found' && reading.mark.epoch === mark.epoch && reading.mark.size >= mark.size) return null
  try {
    await place.write(JSON.stringify(mark))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'it failed'
  }
}

interface Leaving {
  readonly save: (copy: Copy, log: LogNow) => Promise<void>
  readonly read: () => Promise<CopyReading>
}

/** The log is closed by then: only a copy that is still as this process held it against the log is written over. */
async function leaveOne(copy: Copy, last: LogNow, { save, read }: Leaving): Promise<void> {
  const before = copy.reading
  const same = before !== null && JSON.stringify(await read()) === JSON.stringify(before)
  if (same) await save(copy, last)
}

function logNow(store: KeptStore, directory: string, { ring }: Keys): LogNow {
  const counter = readCounter(directory, ring)
  const { size, hash } = store.query((tx) => tipOf(tx.get(TIP)))
  return {
    head: { size, hash },
    epoch: counter.state === 'found' ? counter.mark.epoch : 0,
    hashAt: (sequence) => {
      const found = store.query((tx) => tx.get(HASH_AT, sequence))?.hash
      return typeof found === 'string' ? found : undefined
    },
  }
}

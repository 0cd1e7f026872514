/**
 * The queue in front of the transaction. Callers of one turn of the event loop share a commit, and its sync is made beside the event
 * loop, which goes on meanwhile; who comes during a sync shares the next commit.
 *
 * INVARIANT: nobody is told of a commit before it is on the disk and its head is kept outside. And no transaction of this process
 * begins before the commit ahead of it is on the disk.
 */
import type { Head, Receipt, RecordInput } from '../store.ts'
import { BUSY, type Item, type Outcome, type SeenTip, tryCommit } from './commit.ts'
import type { Connection } from './connection.ts'
import { asStoreError, guard, storeError } from './faults.ts'
import type { Keys } from './keys.ts'
import type { Marks } from './marks.ts'
import { draft } from './records/pieces.ts'
import { type Ahead, makeReady, type Tip } from './records/rows.ts'
import { createSyncing, type Syncing } from './sync.ts'

export interface QueueParts {
  readonly connection: Connection
  readonly keys: Keys
  readonly marks: Marks
  readonly anchorEvery: number
  readonly busyMilliseconds: number
  readonly now: () => number
  /** Told from time to time that the journal has grown; null: SQLite copies it into the file by itself, within a commit. */
  readonly grown: (() => void) | null
}

export interface Queueing {
  /** What `record` will mostly answer. */
  readonly likely: RecordInput | null
  /** It starts no commit for `PATIENT_MS`, and takes part in the next one. */
  readonly patient: boolean
}

interface Waiting {
  readonly item: Item
  readonly patient: boolean
  readonly settle: (outcome: Outcome) => void
  /** Of the monotonic clock, in milliseconds. */
  readonly since: number
}

/** What was committed, and who is told once it is on the disk. */
interface Committed {
  readonly batch: readonly Waiting[]
  readonly outcomes: readonly Outcome[]
  /** Null where nothing was appended. */
  readonly tip: Tip | null
}

/** Milliseconds that what nobody waits for waits for the next commit. */
const PATIENT_MS = 5
const LARGEST_BATCH = 256
/** Some thousand pages of journal: a commit of one record has up to ten, and each further record of it some four. */
const COMMITS_TO_TELL = 256
const RECORDS_TO_TELL = 1_024
/** What a journal has at most by then. */
const JOURNAL_BYTES = 16 * 1024 * 1024
/** Milliseconds between two tries for the lock, as SQLite would wait. */
const PAUSES = [1, 1, 2, 2, 3, 3, 5, 5, 10, 15, 20]
const LONGEST_PAUSE = 25

/** One for each open store. */
export class CommitQueue {
  readonly #parts: QueueParts
  readonly #waiting: Waiting[] = []
  readonly #anchored: Anchoring
  readonly #committing: ReturnType<typeof createCommitting>
  readonly #sync: Syncing
  #scheduled = false
  #patience: NodeJS.Timeout | null = null
  #syncing: Committed | null = null
  #closed = false
  #tries = 0
  /** Since it was told last that the journal has grown. */
  #commits = 0
  #records = 0

  constructor(parts: QueueParts, opened: Tip) {
    this.#parts = parts
    this.#anchored = createAnchoring(parts)
    this.#committing = createCommitting(parts, opened)
    this.#sync = createSyncing(parts.connection)
    // Only for who stays: another process makes a commit or two. Without the room everything is as durable, and slower.
    if (parts.grown !== null) failureOf(() => this.#sync.reserve(JOURNAL_BYTES))
  }

  get closed(): boolean {
    return this.#closed
  }

  /** The head as this process knows it. */
  get seen(): SeenTip {
    return this.#committing.seen()
  }

  enqueue(
    work: Item['work'],
    record: Item['record'],
    { likely, patient }: Queueing,
  ): Promise<{ readonly result: unknown; readonly receipt: Receipt }> {
    if (this.#closed) return Promise.reject(storeError('closed', 'the store is closed'))
    const ahead = likely === null ? null : makeReady(likely, this.#parts.keys.current)
    if (ahead === null) return this.#push({ work, record }, patient)
    return this.#draft(ahead).then(() => this.#push({ work, record }, patient))
  }

  #push(item: Item, patient: boolean): Promise<{ readonly result: unknown; readonly receipt: Receipt }> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome))
      if (this.#closed) throw storeError('closed', 'the store is closed')
      this.#waiting.push({ item, patient, settle, since: performance.now() })
      this.#schedule()
    })
  }

  /** Commits and syncs what waits, then lets go of the file. The event loop stands still meanwhile. */
  close(): void {
    if (this.#closed) return
    this.#finish()
    this.#closed = true
    if (this.#patience !== null) clearTimeout(this.#patience)
    guard('closing', () => {
      try {
        this.#anchored.finish()
      } finally {
        this.#sync.close()
        this.#parts.connection.close()
      }
    })
  }

  /** Writes a long record ahead, a piece in a turn. */
  async #draft({ text, written }: Ahead): Promise<void> {
    const { connection, now, busyMilliseconds } = this.#parts
    let since = 0
    const pause = async (tries: number): Promise<void> => {
      if (tries === 0) since = performance.now()
      await new Promise((resolve) => (tries === 0 ? setImmediate(resolve) : setTimeout(resolve, pauseOf(tries - 1))))
      if (this.#closed) throw storeError('closed', 'the store is closed')
      if (tries > 0 && performance.now() - since > busyMilliseconds) throw lockedFor(busyMilliseconds)
    }
    try {
      this.#sync.usable()
      written(await draft(text, { connection, now, pause, sync: () => this.#sync.ahead() }))
    } catch (error) {
      throw asStoreError(error, 'appending')
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#syncing !== null || this.#waiting.length === 0) return
    if (this.#waiting.every(({ patient }) => patient)) this.#scheduleLater()
    else this.#now()
  }

  #now(): void {
    this.#scheduled = true
    setImmediate(() => this.#next())
  }

  #scheduleLater(): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = null
      if (!this.#scheduled && this.#syncing === null && this.#waiting.length > 0) this.#now()
    }, PATIENT_MS)
  }

  #next(): void {
    this.#scheduled = false
    if (this.#closed || this.#syncing !== null) return
    const committed = this.#take(false)
    if (committed === BUSY) {
      this.#wait()
      return
    }
    this.#tries = 0
    if (committed.tip === null) this.#settle(committed, null)
    else {
      this.#syncing = committed
      this.#sync.beside((error) => this.#synced(error))
      this.#anchored.prepare(committed.tip)
    }
    this.#schedule()
  }

  /** Another process has the lock. */
  #wait(): void {
    giveUp(this.#waiting, this.#parts.busyMilliseconds)
    if (this.#waiting.length === 0) return
    this.#scheduled = true
    setTimeout(() => this.#next(), pauseOf(this.#tries))
    this.#tries += 1
  }

  /** The next batch, committed and not yet on the disk. */
  #take(wait: boolean): Committed | typeof BUSY {
    const batch = this.#waiting.slice(0, LARGEST_BATCH)
    const committed = this.#committing.commit(batch, { wait, usable: this.#sync.usable })
    if (committed !== BUSY) this.#waiting.splice(0, batch.length)
    return committed
  }

  #synced(error: unknown): void {
    const done = this.#syncing
    this.#syncing = null
    if (done !== null) this.#settle(done, error)
    this.#schedule()
    this.#commits += 1
    this.#records += done?.batch.length ?? 0
    if (this.#commits < COMMITS_TO_TELL && this.#records < RECORDS_TO_TELL) return
    this.#commits = 0
    this.#records = 0
    this.#parts.grown?.()
  }

  #settle({ batch, outcomes, tip }: Committed, failure: unknown): void {
    const error = failure ?? (tip === null ? null : failureOf(() => this.#anchored.after(tip)))
    for (const [index, { settle }] of batch.entries()) {
      settle(error === null ? (outcomes[index] ?? { error: new Error('the batch lost an item') }) : { error })
    }
  }

  #finish(): void {
    const begun = this.#syncing
    this.#syncing = null
    if (begun !== null) this.#settle(begun, failureOf(this.#sync.now))
    while (this.#waiting.length > 0) {
      const committed = this.#take(true)
      if (committed === BUSY) return
      this.#settle(committed, committed.tip === null ? null : failureOf(this.#sync.now))
    }
  }
}

function failureOf(act: () => void): unknown {
  try {
    act()
    return null
  } catch (error) {
    return asStoreError(error, 'appending')
  }
}

interface Committing {
  readonly wait: boolean
  /** Throws where commits cannot be made durable now. */
  readonly usable: () => void
}

/** Commits a batch; whatever goes wrong is the outcome of each item. */
function createCommitting({ connection, keys, now }: QueueParts, opened: Tip) {
  let tip: SeenTip = { ...opened, others: NEVER }
  const commit = (batch: readonly Waiting[], { wait, usable }: Committing): Committed | typeof BUSY => {
    try {
      usable()
      const items = batch.map(({ item }) => item)
      const committed = tryCommit({ connection, signer: keys.current, now }, items, { seen: tip, wait })
      if (committed === BUSY) return BUSY
      const grown = committed.tip.size > tip.size
      tip = committed.tip
      return { batch, outcomes: committed.outcomes, tip: grown ? tip : null }
    } catch (error) {
      const failure = asStoreError(error, 'appending')
      return { batch, outcomes: batch.map(() => ({ error: failure })), tip: null }
    }
  }
  return { commit, seen: () => tip }
}

const pauseOf = (tries: number): number => PAUSES[tries] ?? LONGEST_PAUSE
const lockedFor = (milliseconds: number) => storeError('locked', `another process has held the lock of the store for ${milliseconds} ms`)

/** No look at the file has this number: the first commit reads the head. */
const NEVER = -1

/** Whoever has waited for the lock for too long is told so; the others go on waiting. */
function giveUp(waiting: Waiting[], busyMilliseconds: number): void {
  const now = performance.now()
  const late = waiting.findIndex(({ since }) => now - since < busyMilliseconds)
  for (const { settle } of waiting.splice(0, late === -1 ? waiting.length : late)) {
    settle({ error: lockedFor(busyMilliseconds) })
  }
}

interface Anchoring {
  /** What can be done for `after` before the commit is on the disk. Never throws. */
  readonly prepare: (tip: Head) => void
  readonly after: (tip: Head) => void
  readonly finish: () => void
}

/** Keeps the head outside the database. Until that is done a commit is not acknowledged, so nothing acknowledged can be cut unseen. */
function createAnchoring({ marks, anchorEvery }: QueueParts): Anchoring {
  let commits = 0
  let pending: Head | null = null
  const write = (head: Head) => {
    marks.write(head)
    pending = null
  }
  return {
    prepare: (tip) => {
      if ((commits + 1) % anchorEvery === 0) failureOf(() => marks.prepare(tip))
    },
    after: (tip) => {
      commits += 1
      pending = tip
      if (commits % anchorEvery === 0) write(tip)
    },
    finish: () => {
      try {
        if (pending !== null) write(pending)
      } finally {
        marks.close()
      }
    },
  }
}

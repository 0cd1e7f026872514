/** Learns from the log of a store, and keeps what it learned. Whoever learns the same log gets the same. */
import type { Signer } from '../store/chain.ts'
import type { Store, StoredRecord } from '../store/store.ts'
import { dayOf, isBaselineRecord, Learner, type States } from './learner.ts'
import type { Learning } from './model.ts'
import { readStates, type StoredStates, writeStates } from './rows.ts'

export interface LearnSource {
  readonly store: Pick<Store, 'query' | 'read' | 'run' | 'now'>
  readonly keys: { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
  readonly by: Learning
  /** Who has it learned, for the log. */
  readonly author: string
  /** Forgets what is known and learns the whole log again. Default false. */
  readonly rebuild?: boolean
}

export interface Learned {
  readonly states: States
  /** Records that were read, and the number of the last one. */
  readonly records: number
  readonly upto: number
  /** False where there was nothing new, and nothing was written. */
  readonly changed: boolean
}

/** Others get their turn after so many records. */
const SLICE = 256

/** Reads the log from the last day that was learned as a whole, in slices. */
export async function learn(source: LearnSource): Promise<Learned> {
  const { store, keys, by, author, rebuild = false } = source
  const { closed, head } = store.query((tx) => ({
    closed: readStates(tx, 'closed', { ring: keys.ring }),
    head: readStates(tx, 'head', { ring: keys.ring }),
  }))
  const from: StoredStates = rebuild || closed.broken ? { states: new Map(), upto: 0, broken: false } : closed
  const now = store.now()
  const folded = await fold(store, from, { by, today: dayOf(now) })
  const { states, upto, records, taken } = folded
  const sound = !closed.broken && !head.broken
  if (!rebuild && sound && (taken === 0 || upto === head.upto)) return { states: head.states, records, upto, changed: false }
  await store.run(
    (tx) => {
      if (folded.closed !== null) writeStates(tx, 'closed', { ...folded.closed, at: now, signer: keys.current })
      writeStates(tx, 'head', { states, upto, at: now, signer: keys.current })
    },
    {
      kind: 'policy',
      session: null,
      tenant: null,
      tool: null,
      decision: null,
      code: null,
      at: now,
      body: { event: 'baseline_learned', author, upto, rebuilt: rebuild, roles: states.size },
    },
  )
  return { states, records, upto, changed: true }
}

interface Folded extends Pick<Learned, 'states' | 'records' | 'upto'> {
  /** Records that are no news of the learning itself. */
  readonly taken: number
  /** The days that are over; null: none ended since. */
  readonly closed: Pick<StoredStates, 'states' | 'upto'> | null
}

async function fold(store: LearnSource['store'], from: StoredStates, { by, today }: { by: Learning; today: number }): Promise<Folded> {
  const learner = new Learner(from.states, by)
  let { upto } = from
  let records = 0
  let taken = 0
  let closed: Folded['closed'] = null
  for await (const record of inSlices(store, from.upto)) {
    if (closed === null && dayOf(record.at) >= today) closed = closedBy(learner, upto)
    records++
    if (!isBaselineRecord(record)) continue
    upto = record.sequence
    taken++
    learner.take(record)
  }
  closed ??= closedBy(learner, upto)
  learner.flush()
  return { states: learner.states, records, taken, upto, closed: closed.upto === from.upto ? null : closed }
}

/** A copy: the days after it are learned on top. */
function closedBy(learner: Learner, upto: number): Pick<StoredStates, 'states' | 'upto'> {
  learner.flush()
  return { states: structuredClone(learner.states), upto }
}

async function* inSlices(store: LearnSource['store'], from: number): AsyncGenerator<StoredRecord> {
  for (let after = from; ; ) {
    const slice: StoredRecord[] = []
    for await (const record of store.read({ after, limit: SLICE })) slice.push(record)
    yield* slice
    const last = slice.at(-1)
    if (last === undefined || slice.length < SLICE) return
    after = last.sequence
    await new Promise((next) => setImmediate(next))
  }
}

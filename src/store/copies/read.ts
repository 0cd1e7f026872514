/** What a copy of the head says, and whether the log still has it. */
import { signedHead } from '../../audit/head.ts'
import { GENESIS, type HeadMark, parseMark, type Signer } from '../chain.ts'
import { storeError, wentBack } from '../sqlite/faults.ts'
import type { Head, StoreError } from '../store.ts'
import { type CopySpec, type Place, placeOf, type Reaching } from './places.ts'

export type CopyReading =
  | { readonly state: 'found'; readonly mark: HeadMark }
  /** Nothing was written there yet. */
  | { readonly state: 'empty' }
  /** A head, but no key at hand signed it. */
  | { readonly state: 'foreign'; readonly detail: string }
  /** Out of reach, or something that is no head: `detail` says which. */
  | { readonly state: 'unreadable'; readonly detail: string }

/** Reads one place within the deadline. Never rejects. */
export async function readCopy(place: Place, ring: ReadonlyMap<string, Signer>, deadlineMs: number): Promise<CopyReading> {
  try {
    const text = await within(place.read(), deadlineMs)
    if (text === null) return { state: 'empty' }
    const mark = signedHead(text, ring)
    if (mark !== null) return { state: 'found', mark }
    const unsigned = parseMark(text)
    if (unsigned === null) return { state: 'unreadable', detail: 'it holds something else than a head; nothing is written over it' }
    const why = ring.has(unsigned.key)
      ? 'its signature does not hold'
      : `it is signed with the unknown key \`${unsigned.key.slice(0, 32)}\``
    return { state: 'foreign', detail: why }
  } catch (error) {
    return { state: 'unreadable', detail: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

export interface ReadCopyOf {
  readonly spec: CopySpec
  readonly place: Place
  readonly reading: CopyReading
}

/** Reads all places at once. */
export function readCopies(
  specs: readonly CopySpec[],
  ring: ReadonlyMap<string, Signer>,
  reaching: Reaching,
): Promise<readonly ReadCopyOf[]> {
  const reads = specs.map(async (spec) => {
    const place = placeOf(spec, reaching)
    return { spec, place, reading: await readCopy(place, ring, reaching.deadlineMs) }
  })
  return Promise.all(reads)
}

/** The log as it is now. */
export interface LogNow {
  readonly head: Head
  /** Of the key's counter: a head of an earlier epoch was superseded when the operator accepted a loss. */
  readonly epoch: number
  /** Hash of the record with this sequence; undefined where there is none. */
  readonly hashAt: (sequence: number) => string | undefined
}

/** Why the log is not the one that this copy speaks of; null where it is. */
export function copyBreak(name: string, reading: CopyReading, log: LogNow): StoreError | null {
  if (reading.state === 'foreign') {
    return storeError('rolled_back', `the copy of the log's head at ${name} is of another log: ${reading.detail}`)
  }
  if (reading.state !== 'found' || reading.mark.epoch < log.epoch) return null
  const { mark } = reading
  if (log.head.size < mark.size) return wentBack(mark, log.head.size, `, as the copy of its head at ${name} tells`)
  if ((mark.size === 0 ? GENESIS : log.hashAt(mark.size)) === mark.hash) return null
  return storeError('rolled_back', `record ${mark.size} is not the one of the copy of the log's head at ${name}: this is another log`)
}

/** What keeps a copy from telling anything; null where nothing does. */
export function copyProblem(name: string, reading: CopyReading): string | null {
  return reading.state === 'unreadable' ? `the copy of the log's head at ${name} tells nothing: ${reading.detail}` : null
}

async function within<T>(value: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it gave no answer in time')), milliseconds)
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}

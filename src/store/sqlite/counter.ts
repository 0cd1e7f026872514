/**
 * The counter of the key: how long the log was, kept beside the key that signs it. Database and anchor lie in one directory and
 * are copied, lost and put back together; a key outlives them. It only rises, by `epoch` first: each loss that the operator
 * accepts begins a new epoch.
 *
 * INVARIANT: a commit is durable before the counter tells of it, and a call is answered after. So an honest crash leaves the
 * counter behind the log, never before it, and whatever was answered is counted. Only a power failure can take back the
 * counter's last `SYNC_MS`.
 */
import { join } from 'node:path'
import { type HeadMark, type MarkPurpose, markText, parseMark, type Signer } from '../chain.ts'
import type { Head } from '../store.ts'
import { keysDirectory } from './keys.ts'
import { createSlots, openSlots, readSlots, replaceSlots, type SlotKind, type SlotReading, type SlotWriter } from './slots.ts'

const COUNTERS: SlotKind<HeadMark> = {
  file: 'audit.counter',
  noun: 'the counter of the key',
  parse: parseMark,
  signedText: (mark) => markText('counter', mark),
  compare: compareMarks,
}

export type CounterReading = SlotReading<HeadMark>

/** What is signed where, beside key and purpose. `at` is in milliseconds since the epoch. */
export interface Marked {
  readonly head: Head
  readonly epoch: number
  readonly at: number
}

export function counterPath(directory: string): string {
  return join(keysDirectory(directory), COUNTERS.file)
}

export function signMark(purpose: MarkPurpose, { head, epoch, at }: Marked, signer: Signer): HeadMark {
  const unsigned = { epoch, size: head.size, hash: head.hash, key: signer.id, at }
  return { ...unsigned, mac: signer.mac(markText(purpose, unsigned)) }
}

/** Positive where `a` is further than `b`. */
export function compareMarks(a: Pick<HeadMark, 'epoch' | 'size'>, b: Pick<HeadMark, 'epoch' | 'size'>): number {
  return a.epoch === b.epoch ? a.size - b.size : a.epoch - b.epoch
}

/** Makes the file with its first mark; where there is one already, that stands. */
export function createCounter(directory: string, mark: HeadMark): void {
  createSlots(keysDirectory(directory), COUNTERS, mark)
}

/** For a key that was never used, and after a loss that the operator accepted. */
export function replaceCounter(directory: string, mark: HeadMark): void {
  replaceSlots(keysDirectory(directory), COUNTERS, mark)
}

export function readCounter(directory: string, ring: ReadonlyMap<string, Signer>): CounterReading {
  return readSlots(keysDirectory(directory), COUNTERS, ring)
}

export function openCounter(directory: string): SlotWriter<HeadMark> {
  return openSlots(keysDirectory(directory), COUNTERS, { synced: true })
}

/**
 * A small file of signed marks that only ever rises. Fixed slots are overwritten in place: a slot fits a disk sector, so a power
 * failure leaves the old or the new mark, and a full disk cannot stop it. The largest mark counts. A process writes only its own
 * slot and never a smaller mark over a larger one, so no lock is needed.
 */
import { closeSync, constants, fdatasync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Signer } from '../chain.ts'
import { asStoreError, storeError } from './faults.ts'
import { createFile, errno, replaceFile } from './files.ts'

const SLOTS = 16
const SLOT_BYTES = 512
const BLANK = ' '.repeat(SLOT_BYTES - 1)

interface Signed {
  readonly key: string
  readonly mac: string
}

/** What a file of slots holds. */
export interface SlotKind<Mark extends Signed> {
  /** Name of the file in its directory. */
  readonly file: string
  /** What an error calls one of its marks, with its article. */
  readonly noun: string
  readonly parse: (text: string) => Mark | null
  /** The text under the signature. */
  readonly signedText: (mark: Mark) => string
  /** Positive where `a` is further than `b`. */
  readonly compare: (a: Mark, b: Mark) => number
}

export type SlotReading<Mark> =
  | { readonly state: 'found'; readonly mark: Mark }
  | { readonly state: 'missing' }
  | { readonly state: 'invalid'; readonly detail: string }

/** Makes the file with its first mark; where there is one already, that stands. */
export function createSlots<Mark extends Signed>(directory: string, kind: SlotKind<Mark>, mark: Mark): void {
  createFile(directory, kind.file, fileBytes(mark))
}

/** Replaces the file: whoever has the old one open finds it removed, and fails. */
export function replaceSlots<Mark extends Signed>(directory: string, kind: SlotKind<Mark>, mark: Mark): void {
  replaceFile(directory, kind.file, fileBytes(mark))
}

/** The largest mark, after every slot was found blank or rightly signed. */
export function readSlots<Mark extends Signed>(
  directory: string,
  kind: SlotKind<Mark>,
  ring: ReadonlyMap<string, Signer>,
): SlotReading<Mark> {
  let text: string
  try {
    text = readFileSync(join(directory, kind.file), 'latin1')
  } catch (error) {
    if (errno(error) === 'ENOENT') return { state: 'missing' }
    throw error
  }
  if (text.length !== SLOTS * SLOT_BYTES) return { state: 'invalid', detail: `\`${kind.file}\` has ${text.length} bytes` }
  let largest: Mark | null = null
  for (let start = 0; start < text.length; start += SLOT_BYTES) {
    const slot = checkSlot(text.slice(start, start + SLOT_BYTES), kind, ring)
    if (typeof slot === 'string') return { state: 'invalid', detail: slot }
    if (slot !== null && (largest === null || kind.compare(slot, largest) > 0)) largest = slot
  }
  return largest === null ? { state: 'missing' } : { state: 'found', mark: largest }
}

export interface SlotWriter<Mark> {
  readonly write: (mark: Mark) => void
  readonly close: () => void
}

/** Milliseconds after which a mark of a synced file is on the disk: what a power failure can take back. */
export const SYNC_MS = 100

/**
 * Opens the file for this process. Concurrent commits of two processes in one slot may leave the smaller mark until the next
 * commit. `synced`: what was written is also forced to the disk, beside the event loop.
 */
export function openSlots<Mark extends Signed>(
  directory: string,
  kind: SlotKind<Mark>,
  { synced = false }: { readonly synced?: boolean } = {},
): SlotWriter<Mark> {
  const file = openSync(join(directory, kind.file), constants.O_RDWR)
  const sync = synced ? syncingOf(file) : null
  const position = (process.pid % SLOTS) * SLOT_BYTES
  const current = Buffer.alloc(SLOT_BYTES)
  // What this process wrote there last: where that still stands, it need not be read again.
  let own: { readonly bytes: Uint8Array; readonly mark: Mark } | null = null
  return {
    write: (mark) => {
      if (fstatSync(file).nlink === 0) throw storeError('rolled_back', `\`${kind.file}\` was removed or replaced while the store was open`)
      readSync(file, current, 0, SLOT_BYTES, position)
      const before = own !== null && current.equals(own.bytes) ? own.mark : kind.parse(current.toString('latin1'))
      if (before !== null && kind.compare(before, mark) >= 0) return
      const bytes = Buffer.from(slotText(mark))
      if (writeSync(file, bytes, 0, SLOT_BYTES, position) !== SLOT_BYTES) throw new Error(`${kind.noun} was written only in part`)
      own = { bytes, mark }
      sync?.soon()
    },
    close: () => (sync === null ? closeSync(file) : sync.close()),
  }
}

interface Syncing {
  /** Throws where the last sync failed. */
  readonly soon: () => void
  readonly close: () => void
}

/** At once, beside the event loop, and then at most once every `SYNC_MS`: any number of commits share a sync. */
function syncingOf(file: number): Syncing {
  let timer: NodeJS.Timeout | null = null
  let running = false
  let dirty = false
  let closed = false
  let failure: Error | null = null
  const sync = (): void => {
    running = true
    dirty = false
    fdatasync(file, (error) => {
      running = false
      failure ??= error
      // Closed only once nothing uses it: the system may hand its number to another file.
      if (!closed) timer = setTimeout(rested, SYNC_MS).unref()
      else if (dirty) sync()
      else closeSync(file)
    })
  }
  const rested = (): void => {
    timer = null
    if (dirty) sync()
  }
  return {
    soon: () => {
      dirty = true
      if (!running && timer === null) sync()
      const error = failure
      failure = null
      if (error !== null) throw asStoreError(error, 'syncing')
    },
    close: () => {
      closed = true
      if (timer !== null) clearTimeout(timer)
      if (running) return
      if (dirty) sync()
      else closeSync(file)
    },
  }
}

/** The slot's mark, null where it is blank, or what is wrong with it. */
function checkSlot<Mark extends Signed>(slot: string, kind: SlotKind<Mark>, ring: ReadonlyMap<string, Signer>): Mark | null | string {
  if (slot === `${BLANK}\n`) return null
  const mark = kind.parse(slot)
  if (mark === null || slotText(mark) !== slot) return `${kind.noun} is malformed`
  const signer = ring.get(mark.key)
  if (signer === undefined) return `${kind.noun} is signed with the unknown key \`${mark.key}\``
  return signer.mac(kind.signedText(mark)) === mark.mac ? mark : `the signature of ${kind.noun} does not hold`
}

function fileBytes(mark: Signed): Uint8Array {
  const slots = [slotText(mark), ...Array.from({ length: SLOTS - 1 }, () => `${BLANK}\n`)]
  return new TextEncoder().encode(slots.join(''))
}

function slotText(mark: Signed): string {
  return `${JSON.stringify(mark).padEnd(SLOT_BYTES - 1)}\n`
}

/**
 * Anchors: how long the log was, kept outside the database, so that a cut tail, an emptied log or an old copy put in its
 * place is seen (SIG-49, PIT-13). One file of fixed slots, overwritten in place: a slot fits a disk sector, so a power
 * failure leaves the old or the new anchor, and a full disk cannot stop it. The largest size counts. A process writes only
 * its slot and never a smaller size over a larger one, so no lock is needed.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Anchor, anchorText, parseAnchor, type Signer } from '../chain.ts'
import type { Head } from '../store.ts'
import { storeError } from './faults.ts'
import { createFile, errno } from './files.ts'

const FILE = 'countersign.anchor'
const SLOTS = 16
const SLOT_BYTES = 512
const BLANK = ' '.repeat(SLOT_BYTES - 1)

export type AnchorReading =
  | { readonly state: 'found'; readonly anchor: Anchor }
  | { readonly state: 'missing' }
  | { readonly state: 'invalid'; readonly detail: string }

export function anchorPath(directory: string): string {
  return join(directory, FILE)
}

/** Signs a head. `at` is in milliseconds since the epoch. */
export function signAnchor(head: Head, signer: Signer, at: number): Anchor {
  const unsigned = { size: head.size, hash: head.hash, key: signer.id, at }
  return { ...unsigned, mac: signer.mac(anchorText(unsigned)) }
}

/** Makes the file with its first anchor; where there is one already, that stands. */
export function createAnchorFile(directory: string, anchor: Anchor): void {
  const slots = [slotText(anchor), ...Array.from({ length: SLOTS - 1 }, () => `${BLANK}\n`)]
  createFile(directory, FILE, new TextEncoder().encode(slots.join('')))
}

/** The largest anchor, after every slot was found blank or rightly signed. */
export function readAnchor(directory: string, ring: ReadonlyMap<string, Signer>): AnchorReading {
  let text: string
  try {
    text = readFileSync(anchorPath(directory), 'latin1')
  } catch (error) {
    if (errno(error) === 'ENOENT') return { state: 'missing' }
    throw error
  }
  if (text.length !== SLOTS * SLOT_BYTES) return { state: 'invalid', detail: `the anchor file has ${text.length} bytes` }
  let largest: Anchor | null = null
  for (let start = 0; start < text.length; start += SLOT_BYTES) {
    const slot = checkSlot(text.slice(start, start + SLOT_BYTES), ring)
    if (typeof slot === 'string') return { state: 'invalid', detail: slot }
    if (slot !== null && (largest === null || slot.size > largest.size)) largest = slot
  }
  return largest === null ? { state: 'missing' } : { state: 'found', anchor: largest }
}

export interface AnchorWriter {
  readonly write: (anchor: Anchor) => void
  readonly close: () => void
}

/** Opens the file for this process. Concurrent commits of two processes in one slot may leave the smaller size until the next commit. */
export function openAnchorWriter(directory: string): AnchorWriter {
  const file = openSync(anchorPath(directory), constants.O_RDWR)
  const position = (process.pid % SLOTS) * SLOT_BYTES
  const current = new Uint8Array(SLOT_BYTES)
  return {
    write: (anchor) => {
      if (fstatSync(file).nlink === 0) throw storeError('rolled_back', 'the anchor file was removed or replaced while the store was open')
      readSync(file, current, 0, SLOT_BYTES, position)
      const before = parseAnchor(new TextDecoder('latin1').decode(current))
      if (before !== null && before.size >= anchor.size) return
      const bytes = new TextEncoder().encode(slotText(anchor))
      if (writeSync(file, bytes, 0, SLOT_BYTES, position) !== SLOT_BYTES) throw new Error('the anchor was written only in part')
    },
    close: () => closeSync(file),
  }
}

/** The slot's anchor, null where it is blank, or what is wrong with it. */
function checkSlot(slot: string, ring: ReadonlyMap<string, Signer>): Anchor | null | string {
  if (slot === `${BLANK}\n`) return null
  const anchor = parseAnchor(slot)
  if (anchor === null || slotText(anchor) !== slot) return 'an anchor is malformed'
  const signer = ring.get(anchor.key)
  if (signer === undefined) return `an anchor is signed with the unknown key \`${anchor.key}\``
  return signer.mac(anchorText(anchor)) === anchor.mac ? anchor : 'the signature of an anchor does not hold'
}

function slotText(anchor: Anchor): string {
  return `${JSON.stringify(anchor).padEnd(SLOT_BYTES - 1)}\n`
}

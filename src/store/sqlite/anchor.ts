/**
 * Anchors: how long the log was, kept outside the database, so that a cut tail, an emptied log or an old copy put in its
 * place is seen (SIG-49, PIT-13). The counter beside the key does the same for whoever puts back database and anchor together.
 */
import { join } from 'node:path'
import { type Anchor, anchorText, parseAnchor, type Signer } from '../chain.ts'
import type { Head } from '../store.ts'
import { createSlots, openSlots, readSlots, replaceSlots, type SlotKind, type SlotReading, type SlotWriter } from './slots.ts'

const ANCHORS: SlotKind<Anchor> = {
  file: 'countersign.anchor',
  noun: 'an anchor',
  parse: parseAnchor,
  signedText: anchorText,
  compare: (a, b) => a.size - b.size,
}

export type AnchorReading = SlotReading<Anchor>

export function anchorPath(directory: string): string {
  return join(directory, ANCHORS.file)
}

/** Signs a head. `at` is in milliseconds since the epoch. */
export function signAnchor(head: Head, signer: Signer, at: number): Anchor {
  const unsigned = { size: head.size, hash: head.hash, key: signer.id, at }
  return { ...unsigned, mac: signer.mac(anchorText(unsigned)) }
}

/** Makes the file with its first anchor; where there is one already, that stands. */
export function createAnchorFile(directory: string, anchor: Anchor): void {
  createSlots(directory, ANCHORS, anchor)
}

/** Starts the anchors anew, after a loss that the operator accepted. */
export function replaceAnchorFile(directory: string, anchor: Anchor): void {
  replaceSlots(directory, ANCHORS, anchor)
}

export function readAnchor(directory: string, ring: ReadonlyMap<string, Signer>): AnchorReading {
  return readSlots(directory, ANCHORS, ring)
}

export function openAnchorWriter(directory: string): SlotWriter<Anchor> {
  return openSlots(directory, ANCHORS)
}

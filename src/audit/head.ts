/** Heads as people keep them: `SIZE:HASH`, or the signed copy that a gate writes. Pure. */
import { HASH, type HeadMark, isCount, markText, parseMark, type Signer } from '../store/chain.ts'
import type { Head } from '../store/store.ts'

export function headText({ size, hash }: Head): string {
  return `${size}:${hash}`
}

/** A head from its text; null where it is none, or a copy that no key at hand signed. */
export function readHead(text: string, ring: ReadonlyMap<string, Signer>): Head | null {
  const [, digits = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  const size = Number(digits)
  if (HASH.test(hash) && isCount(size)) return { size, hash }
  return signedHead(text, ring)
}

/** A signed copy of a head; null where it is none, or its signature does not hold. */
export function signedHead(text: string, ring: ReadonlyMap<string, Signer>): HeadMark | null {
  const mark = parseMark(text)
  return mark !== null && ring.get(mark.key)?.mac(markText('head', mark)) === mark.mac ? mark : null
}

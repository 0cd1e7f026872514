/** Where the head is kept outside the database after each commit: the anchor beside it and the counter beside the key. */
import type { Signer } from '../chain.ts'
import type { Head } from '../store.ts'
import { openAnchorWriter, signAnchor } from './anchor.ts'
import { openCounter, signMark } from './counter.ts'

export interface Marks {
  /** Signs the marks of a head that is not on the disk yet, so that only writing them is left for then. */
  readonly prepare: (head: Head) => void
  readonly write: (head: Head) => void
  readonly close: () => void
}

export interface MarksOptions {
  readonly directory: string
  readonly signer: Signer
  readonly epoch: number
  readonly now: () => number
}

export function openMarks({ directory, signer, epoch, now }: MarksOptions): Marks {
  const anchors = openAnchorWriter(directory)
  const counter = openCounter(directory)
  const signed = (head: Head) => {
    const at = now()
    return { head, anchor: signAnchor(head, signer, at), counted: signMark('counter', { head, epoch, at }, signer) }
  }
  let prepared: ReturnType<typeof signed> | null = null
  return {
    prepare: (head) => {
      prepared = signed(head)
    },
    write: (head) => {
      const { anchor, counted } = prepared?.head === head ? prepared : signed(head)
      prepared = null
      anchors.write(anchor)
      counter.write(counted)
    },
    close: () => {
      anchors.close()
      counter.close()
    },
  }
}

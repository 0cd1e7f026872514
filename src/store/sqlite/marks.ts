/** Where the head is kept outside the database after each commit: the anchor beside it and the counter beside the key. */
import type { Signer } from '../chain.ts'
import type { Head } from '../store.ts'
import { openAnchorWriter, signAnchor } from './anchor.ts'
import { openCounter, signMark } from './counter.ts'

export interface Marks {
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
  return {
    write: (head) => {
      const at = now()
      anchors.write(signAnchor(head, signer, at))
      counter.write(signMark('counter', { head, epoch, at }, signer))
    },
    close: () => {
      anchors.close()
      counter.close()
    },
  }
}

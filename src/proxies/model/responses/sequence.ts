/** Numbers of events: they rise, also where events were put in the place of others. */
import { edited, type Located, partAt, reach, replacing } from '../json.ts'
import { type Frame, withData } from '../sse.ts'

export class Sequence {
  private last = -1

  /** The bytes of the event, under its own number where that still rises. */
  place({ frame, event }: { readonly frame: Frame; readonly event: Located }): Buffer {
    const number = reach(event.value, 'sequence_number')
    const part = partAt(event.root, 'sequence_number')
    if (typeof number !== 'number' || part === undefined) return frame.bytes
    if (number > this.last) {
      this.last = number
      return frame.bytes
    }
    return withData(frame, edited(event, [replacing(part, String(this.next()))]))
  }

  next(): number {
    this.last += 1
    return this.last
  }
}

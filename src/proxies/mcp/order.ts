/**
 * Messages go on in the order in which they came, as far as nothing waits: what stands behind a call that takes longer to judge
 * overtakes it, so that nothing that controls it is held up.
 */
import type { Onward } from './shared.ts'

/** Milliseconds that a message stands behind a call that is being judged. */
const ORDER_MS = 2

interface Slot {
  onward: Onward | null
  late: boolean
}

/** Takes what becomes of each message, in the order of their arrival, and hands it on. */
export function inOrder(send: (onward: Onward) => void): (onward: Onward | Promise<Onward>) => void {
  const slots: Slot[] = []
  const flush = (): void => {
    for (let [head] = slots; head !== undefined && (head.late || head.onward !== null); [head] = slots) {
      slots.shift()
      if (head.onward !== null) send(head.onward)
    }
  }
  return (onward) => {
    if (!(onward instanceof Promise)) {
      if (slots.length === 0) return send(onward)
      slots.push({ onward, late: false })
      return
    }
    const slot: Slot = { onward: null, late: false }
    slots.push(slot)
    const timer = setTimeout(() => {
      slot.late = true
      flush()
    }, ORDER_MS)
    void onward.then((decided) => {
      if (slot.late) return send(decided)
      clearTimeout(timer)
      slot.onward = decided
      flush()
    })
  }
}

/** Long looks at the log in short slices, so that calls are decided between them. */

/** Sequences between both, exclusive. */
export interface Part {
  readonly after: number
  readonly before: number
}

/** Milliseconds that one slice may take; the next one is made smaller or larger for it. */
const SLICE_MS = 8
const FIRST = 128
const WIDEST = 1 << 15

/** The parts of a range of sequences, newest first, each after its turn and as wide as the one before it was fast. */
export async function* partsOf({ after, before }: Part): AsyncIterable<Part> {
  let width = FIRST
  for (let end = before; end > after + 1; ) {
    await turn()
    const start = Math.max(after, end - width - 1)
    const started = performance.now()
    yield { after: start, before: end }
    const took = performance.now() - started
    if (took > SLICE_MS) width = Math.max(1, width >> 1)
    else if (took < SLICE_MS / 3) width = Math.min(WIDEST, width * 2)
    end = start + 1
  }
}

let last: Promise<void> = Promise.resolve()

/** One slice of all who look for each turn of the event loop, in the order they came. */
function turn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}

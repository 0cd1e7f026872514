/** One event stream: a bounded queue in front of a reader. Who reads too slowly is let go and comes back with `Last-Event-ID`. */

export interface EventStream {
  readonly send: (text: string) => void
  readonly end: () => void
  readonly response: Response
}

export interface StreamOptions {
  /** Milliseconds between two comments that keep the connection open. */
  readonly heartbeat: number
  readonly closed: () => void
  /** Asked before each text and at each heartbeat; false ends the stream. Default: true. */
  readonly stands?: () => boolean
  /** UTF-16 units that may wait. Default 1 Mi. */
  readonly most?: number
}

const MAX_WAITING = 1_048_576

export function createStream({ heartbeat, closed, stands = () => true, most = MAX_WAITING }: StreamOptions): EventStream {
  const encoder = new TextEncoder()
  const waiting: string[] = []
  let size = 0
  let over = false
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  let wake: (() => void) | null = null
  const end = (): void => {
    if (over) return
    over = true
    clearInterval(timer)
    wake?.()
    // Closed a turn later: whoever ends a stream may be about to be told of it.
    setImmediate(closed)
  }
  const send = (text: string): void => {
    if (over) return
    const heard = stands()
    if (heard) {
      waiting.push(text)
      size += text.length
    }
    if (!heard || size > most) end()
    else wake?.()
  }
  const timer = setInterval(() => send(': \n\n'), heartbeat)
  timer.unref()
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given
      },
      pull: async () => {
        if (waiting.length === 0 && !over)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        wake = null
        const text = waiting.splice(0).join('')
        size = 0
        if (text !== '') controller?.enqueue(encoder.encode(text))
        if (over) controller?.close()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  return { send, end, response: new Response(body, { status: 200, headers }) }
}

/** Server-sent events as frames of bytes: what is passed on is what came, and what was looked at is exactly that. */

/** One event with the blank line that ends it. */
export interface Frame {
  readonly bytes: Buffer
  /** The field `event`; null where there is none. */
  readonly event: string | null
  /** The lines of the field `data`, joined; null where there is none, as in a comment. */
  readonly data: string | null
  /** False where the bytes are no UTF-8: readers differ on what they say. */
  readonly legible: boolean
}

const LF = 0x0a
const CR = 0x0d

/** Bytes of one event; a longer one is not held in memory. */
export const MAX_FRAME = 32 * 1024 * 1024

export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong'
}

/** Cuts a stream into frames, the same ones however its bytes arrive. */
export class FrameReader {
  private chunks: Buffer[] = []
  private size = 0
  /** Of the line that is being read, so far. */
  private lineEmpty = true
  private afterReturn = false
  private first = true

  /** The frames that these bytes complete. @throws {FrameTooLong} */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk[at]
      // A return is a line's end by itself, unless a feed follows it: only the next byte tells.
      if (this.afterReturn && code !== LF && this.endLine()) {
        frames.push(this.take(chunk.subarray(from, at)))
        from = at
      }
      if (code === LF) {
        if (this.endLine()) {
          frames.push(this.take(chunk.subarray(from, at + 1)))
          from = at + 1
        }
      } else if (code === CR) this.afterReturn = true
      else this.lineEmpty = false
    }
    this.keep(chunk.subarray(from))
    return frames
  }

  /** What came after the last blank line; null where nothing did. Some readers take it for an event. */
  rest(): Frame | null {
    return this.size === 0 ? null : this.take(Buffer.alloc(0))
  }

  /** True where the line that ends here is blank. */
  private endLine(): boolean {
    this.afterReturn = false
    const blank = this.lineEmpty
    this.lineEmpty = true
    return blank
  }

  private keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.size += bytes.length
    if (this.size > MAX_FRAME) throw new FrameTooLong(`an event is longer than ${MAX_FRAME} bytes`)
    this.chunks.push(Buffer.from(bytes))
  }

  private take(last: Buffer): Frame {
    const bytes = this.chunks.length === 0 ? Buffer.from(last) : Buffer.concat([...this.chunks, last])
    this.chunks = []
    this.size = 0
    const begins = this.first
    this.first = false
    return frameOf(bytes, begins)
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LOSSY = new TextDecoder('utf-8', { ignoreBOM: true })

function frameOf(bytes: Buffer, begins: boolean): Frame {
  let text: string
  let legible = true
  try {
    text = STRICT.decode(bytes)
  } catch {
    text = LOSSY.decode(bytes)
    legible = false
  }
  if (begins && text.startsWith('\ufeff')) text = text.slice(1)
  let event: string | null = null
  const data: string[] = []
  for (const line of linesOf(text)) {
    const [name, value] = fieldOf(line)
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
  }
  return { bytes, event, data: data.length === 0 ? null : data.join('\n'), legible }
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/)
}

function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  const value = line.slice(colon + 1)
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value]
}

/** The frame with other data; its name, id and comments stay. */
export function withData(frame: Frame, data: string): Buffer {
  const lines = linesOf(frame.bytes.toString('utf8')).filter((line) => line !== '' && fieldOf(line.replace(/^\ufeff/, ''))[0] !== 'data')
  return Buffer.from(`${[...lines, `data: ${data}`].join('\n')}\n\n`)
}

/** A frame of our own. @param data one line. */
export function frameText(data: string | Uint8Array, event: string | null = null): Buffer {
  const head = `${event === null ? '' : `event: ${event}\n`}data: `
  return typeof data === 'string' ? Buffer.from(`${head}${data}\n\n`) : Buffer.concat([Buffer.from(head), data, FRAME_END])
}

const FRAME_END = Buffer.from('\n\n')

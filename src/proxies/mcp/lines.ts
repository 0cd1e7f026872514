/** Messages on a stream: one line each, as the stdio transport of MCP has it. */

const NEWLINE = 0x0a
const RETURN = 0x0d

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

export interface LineReader {
  /** @throws {LineTooLong} where a line has more bytes than are allowed. */
  readonly push: (chunk: Uint8Array) => void
}

/**
 * Hands out each line without its end, whatever pieces it arrives in. Lines that are empty stand for nothing and are left out. The
 * bytes of a line may lie in memory that the stream reuses: whoever keeps them takes a copy.
 */
export function createLineReader(line: (bytes: Uint8Array) => void, maxBytes: number): LineReader {
  let parts: Uint8Array[] = []
  let size = 0
  const emit = (bytes: Uint8Array): void => {
    const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
    if (end > 0) line(bytes.subarray(0, end))
  }
  return {
    push: (chunk) => {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const last = chunk.subarray(from, at)
        from = at + 1
        if (parts.length === 0) emit(last)
        else {
          const whole = Buffer.concat([...parts, last])
          parts = []
          size = 0
          emit(whole)
        }
      }
      if (from === chunk.length) return
      size += chunk.length - from
      if (size > maxBytes) throw new LineTooLong(`a line has more than ${maxBytes} bytes`)
      parts.push(chunk.subarray(from))
    },
  }
}

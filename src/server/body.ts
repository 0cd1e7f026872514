/** The bytes of a body. What came over the wire is read from Node's own stream: the web's streams cost more than most decisions. */
import type { IncomingMessage } from 'node:http'

const NOTHING = new Uint8Array()

/** Null where there is more than `most`: nothing beyond the limit is kept. Rejects where the sender went away. */
export function readAtMost(request: Request, most: number, incoming: IncomingMessage | undefined): Promise<Uint8Array | null> {
  if (incoming === undefined) return fromWeb(request, most)
  const length = Number(incoming.headers['content-length'] ?? 0)
  if (length > most) return Promise.resolve(null)
  return fromNode(incoming, most, length > LARGE_BYTES ? createWhole(length) : createPieces())
}

/** A larger body goes to the thread of large calls, for it takes longer than others may wait: some 50 ms a megabyte. */
export const LARGE_BYTES = 64 * 1024

/** Takes the pieces of a body as they come. */
interface Collected {
  readonly add: (piece: Buffer) => void
  readonly bytes: () => Uint8Array
}

function createPieces(): Collected {
  const pieces: Buffer[] = []
  return {
    add: (piece) => void pieces.push(piece),
    bytes: () => (pieces.length === 1 ? (pieces[0] ?? NOTHING) : Buffer.concat(pieces)),
  }
}

/**
 * Each piece is put into its place as it comes, in memory that a thread can share: megabytes are neither put together at the end nor copied
 * for the thread, while every other call waits.
 * INVARIANT: nobody writes to it once the body is complete.
 */
function createWhole(length: number): Collected {
  let whole: Uint8Array | null = null
  let size = 0
  return {
    add: (piece) => {
      // Not before there is a body: a header alone costs no memory.
      whole ??= new Uint8Array(new SharedArrayBuffer(length))
      whole.set(piece, size)
      size += piece.length
    },
    bytes: () => whole?.subarray(0, size) ?? NOTHING,
  }
}

function fromNode(incoming: IncomingMessage, most: number, collected: Collected): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    let size = 0
    const over = (): void => {
      incoming.off('data', data).off('end', end).off('error', failed).off('close', cut)
    }
    const data = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= most) {
        collected.add(chunk)
        return
      }
      over()
      incoming.pause()
      resolve(null)
    }
    const end = (): void => {
      over()
      resolve(collected.bytes())
    }
    const failed = (error: Error): void => {
      over()
      reject(error)
    }
    const cut = (): void => failed(new Error('the sender went away'))
    incoming.on('data', data).on('end', end).on('error', failed).on('close', cut)
    if (incoming.destroyed) cut()
  })
}

async function fromWeb(request: Request, most: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return null
  if (request.body === null) return NOTHING
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > most) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks, size)
}

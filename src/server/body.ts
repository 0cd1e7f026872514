/** The bytes of a body. What came over the wire is read from Node's own stream: the web's streams cost more than most decisions. */
import type { IncomingMessage } from 'node:http'

const NOTHING = new Uint8Array()

/** Null where there is more than `most`: nothing beyond the limit is kept. Rejects where the sender went away. */
export function readAtMost(request: Request, most: number, incoming: IncomingMessage | undefined): Promise<Uint8Array | null> {
  if (incoming === undefined) return fromWeb(request, most)
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve(null)
  return fromNode(incoming, most)
}

function fromNode(incoming: IncomingMessage, most: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const over = (): void => {
      incoming.off('data', data).off('end', end).off('error', failed).off('close', cut)
    }
    const data = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= most) {
        chunks.push(chunk)
        return
      }
      over()
      incoming.pause()
      resolve(null)
    }
    const end = (): void => {
      over()
      resolve(chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks, size))
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

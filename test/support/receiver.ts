/** A real HTTP server on loopback that keeps what it was sent, as bytes became text; gone when the test ends. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Writes the response; nothing written: the request hangs. */
export type Respond = (sent: Sent, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly seen: Sent[]
}

export const ok: Respond = (_sent, response) => void response.writeHead(200).end()

export async function receiver(respond: Respond = ok): Promise<Receiver> {
  const seen: Sent[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const sent: Sent = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      seen.push(sent)
      respond(sent, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, seen }
}

/** Headers of something sent, as a reader of a channel asks for them. */
export function headerOf(headers: Readonly<Record<string, string | string[] | undefined>>): (name: string) => string | null {
  const known = new Map(Object.entries(headers))
  return (name) => {
    const value = known.get(name)
    return typeof value === 'string' ? value : null
  }
}

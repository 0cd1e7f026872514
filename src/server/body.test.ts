import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LARGE_BYTES, readAtMost } from './body.ts'

const MOST = 1_000_000
/** Not a length that pieces of the wire would have, and bytes that are no text. */
const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 0xff)

/** What is read of a body, by the same reader as every route: `null` where it is too large, or the error. */
async function reading(): Promise<{ readonly port: number; readonly next: () => Promise<Uint8Array | null | Error> }> {
  const read: (Uint8Array | null | Error)[] = []
  const waiting: ((value: Uint8Array | null | Error) => void)[] = []
  const tell = (value: Uint8Array | null | Error) => {
    const first = waiting.shift()
    if (first === undefined) read.push(value)
    else first(value)
  }
  const server = createServer((incoming, reply) => {
    void readAtMost(new Request('http://localhost/'), MOST, incoming)
      .catch((error: Error) => error)
      .then((value) => {
        tell(value)
        reply.end()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const next = () =>
    new Promise<Uint8Array | null | Error>((resolve) => (read.length > 0 ? resolve(read.shift() ?? null) : waiting.push(resolve)))
  return { port: (server.address() as AddressInfo).port, next }
}

test.each([0, 1, 100, LARGE_BYTES, LARGE_BYTES + 1, 300_000, MOST])('a body of %i bytes is read as it was sent', async (size) => {
  const { port, next } = await reading()
  const body = bytesOf(size)
  for (const sent of [body, new Blob([body]).stream()]) {
    const [got] = await Promise.all([
      next(),
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sent, duplex: 'half' } as RequestInit),
    ])
    if (!(got instanceof Uint8Array)) throw new Error(`read as ${String(got)}`)
    expect(Buffer.compare(got, body)).toBe(0)
    // A large body whose length was told lies where a thread can read it without a copy.
    expect(got.buffer instanceof SharedArrayBuffer).toBe(size > LARGE_BYTES && sent === body)
  }
})

test.each([
  ['more than is allowed is announced', [`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MOST + 1}\r\n\r\n`], null],
  [
    'more than is allowed comes unannounced',
    ['POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', `${(MOST + 1).toString(16)}\r\n${'x'.repeat(MOST + 1)}\r\n`],
    null,
  ],
  ['the sender goes away', [`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MOST}\r\n\r\n`, 'x'.repeat(200_000)], 'aborted'],
  ['the sender goes away before the body', [`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MOST}\r\n\r\n`], 'aborted'],
] as const)('nothing is made of a body where %s', async (_, parts, expected) => {
  const { port, next } = await reading()
  const socket = connect(port, '127.0.0.1')
  for (const part of parts) socket.write(part)
  if (expected !== null) setTimeout(() => socket.destroy(), 50)
  const got = await next()
  if (expected === null) expect(got).toBeNull()
  else expect(got).toBeInstanceOf(Error)
  socket.destroy()
})

/** Who sends a request drop by drop is cut off, and nobody else waits for it. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ patience: 200, openLoopback: true })
})
afterAll(() => server.stop())

/** All that is answered until the connection ends. */
function ended(parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.daemon.address?.port ?? 0, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
    for (const part of parts) socket.write(part.replace('PORT', String(server.daemon.address?.port)))
  })
}

const HEAD = 'POST /v1/decisions HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\nContent-Length: 100\r\n'

describe('a request that never ends', () => {
  for (const [title, parts] of [
    ['in its first line', ['POST /v1/dec']],
    ['in its headers', [HEAD, 'X-Drop: 1\r\n']],
    ['in its body', [`${HEAD}\r\n`, '{"tool":']],
    ['in a chunk', [HEAD.replace('Content-Length: 100', 'Transfer-Encoding: chunked'), '\r\n', '5\r\n{"to']],
  ] as const) {
    test(`${title} is answered with 408 and ended, while others are served`, async () => {
      const slow = ended(parts)
      expect((await ask(`${server.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })).status).toBe(200)
      expect(await slow).toMatch(/^HTTP\/1\.1 408 /)
    })
  }
})

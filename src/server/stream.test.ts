import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { createStream, type StreamOptions } from './stream.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function open(options: Partial<StreamOptions> = {}) {
  let closed = 0
  const stream = createStream({
    heartbeat: 60_000,
    closed: () => {
      closed += 1
    },
    ...options,
  })
  const reader = stream.response.body?.getReader()
  const decoder = new TextDecoder()
  const read = async () => {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    return done ? null : decoder.decode(value)
  }
  return { stream, read, cancel: () => reader?.cancel(), closed: () => closed }
}

describe('an event stream', () => {
  test('ends, and tells nothing more, once whoever reads is nobody any more; a silent one at its next heartbeat', async () => {
    for (const heartbeat of [60_000, 5]) {
      let known = true
      const { stream, read, closed } = open({ heartbeat, stands: () => known })
      stream.send('a')
      expect(await read()).toMatch(/^a/)
      known = false
      if (heartbeat === 60_000) stream.send('secret')
      let rest = ''
      for (let text = await read(); text !== null; text = await read()) rest += text
      expect(rest).not.toContain('secret')
      await turn()
      expect(closed()).toBe(1)
    }
  })

  test('gives what was sent, in order, whenever it is read', async () => {
    const { stream, read } = open()
    stream.send('a')
    stream.send('b')
    expect(await read()).toMatch(/^a/)
    stream.send('c')
    stream.end()
    let rest = ''
    for (let text = await read(); text !== null; text = await read()) rest += text
    expect(rest.endsWith('c')).toBe(true)
  })

  proves('T23', 'lets go of who reads too slowly: what waits is bounded', async () => {
    const { stream, closed } = open({ most: 100 })
    for (let i = 0; i < 1_000; i += 1) stream.send('x'.repeat(10))
    await turn()
    expect(closed()).toBe(1)
  })

  test('who reads fast enough is never let go', async () => {
    const { stream, read, closed } = open({ most: 100 })
    for (let i = 0; i < 100; i += 1) {
      stream.send('x'.repeat(10))
      await read()
    }
    expect(closed()).toBe(0)
    stream.end()
  })

  for (const [title, end] of [
    ['the server', ({ stream }: ReturnType<typeof open>) => stream.end()],
    ['the reader', ({ cancel }: ReturnType<typeof open>) => cancel()],
  ] as const) {
    test(`is closed once, where ${title} ends it`, async () => {
      const opened = open()
      await end(opened)
      await end(opened)
      opened.stream.send('late')
      await turn()
      expect(opened.closed()).toBe(1)
    })
  }

  test('beats while nothing happens', async () => {
    const { stream, read } = open({ heartbeat: 5 })
    expect(await read()).toBe(': \n\n')
    stream.end()
  })
})

describe('over a real connection', () => {
  proves('T23', 'a client that stops reading is let go, and what the server holds for it is bounded', async () => {
    let closed: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const stream = createStream({ heartbeat: 60_000, closed: () => closed(), most: 512 * 1024 })
    const server = createAdaptorServer({ fetch: () => stream.response }) as Server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const text = 'x'.repeat(64 * 1024)
    let sent = 0
    let over = false
    void gone.then(() => {
      over = true
    })
    while (!over && sent < 2_000) {
      stream.send(text)
      sent += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect([over, sent < 2_000]).toEqual([true, true])
    socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

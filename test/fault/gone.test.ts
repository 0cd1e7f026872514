/** A server whose peers go away at any moment goes on: it neither ends nor stops answering the others. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { CLI, type Home, makeHome, stop } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { askSocket } from '../support/server.ts'

let home: Home
let child: ChildProcess
let port = 0
let printed = ''
const socketPath = () => join(home.state, 'run/gate.sock')

beforeAll(async () => {
  home = makeHome()
  child = spawn(process.execPath, [CLI, 'serve', '--listen', '127.0.0.1:0', '--open-loopback'], {
    env: home.environment,
    cwd: home.user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr?.setEncoding('utf8')
  while (port === 0) {
    const [text] = (await once(child.stderr as Readable, 'data')) as [string]
    printed += text
    port = Number(/and at http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1] ?? 0)
  }
})
afterAll(async () => {
  await stop(child, 'SIGKILL')
  home.remove()
})

const CALL = { tool: 'Bash', args: { command: 'echo here' }, session: 's-1', cwd: '/tmp', principal: { agent: 'a' } }
const answered = async () => (await askSocket(socketPath(), '/v1/decisions', { body: CALL })).body.decision

const head = (method: string, path: string, more = '') => `${method} ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${more}\r\n`
const post = (body: string, length = body.length) =>
  `${head('POST', '/v1/decisions', `Content-Type: application/json\r\nContent-Length: ${length}\r\n`)}${body}`
const WHOLE = JSON.stringify(CALL)
const LARGE = JSON.stringify({ ...CALL, args: { command: `echo ${'y'.repeat(400_000)}` } })

/** What is sent before the peer is gone. */
const SENT = {
  nothing: '',
  'half a head': 'POST /v1/decisions HTTP/1.1\r\nHost: loc',
  'a head alone': post('', 100),
  'half a body': post(WHOLE.slice(0, 40), WHOLE.length),
  'a whole call': post(WHOLE),
  'a large call': post(LARGE),
  'a body that is too large': post('x'.repeat(11_000_000)),
  'twenty calls at once': post(WHOLE).repeat(20),
  'no HTTP': '\u0000\u0001\u0002\r\n\r\n',
  'a chunk that never ends': `${head('POST', '/v1/decisions', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')}ffff\r\n{"a`,
  'a wish for the stream of events': head('GET', '/v1/events'),
  'a wish for more than fits a pipe': head('GET', '/openapi.json').repeat(50),
} as const

/** How it goes: what the server still writes meets a closed pipe, a reset, or a reader that never reads. */
const GOING: Record<string, (socket: Socket) => void> = {
  'ends and reads no more': (socket) => socket.end(() => socket.destroy()),
  closes: (socket) => socket.destroy(),
  resets: (socket) => socket.resetAndDestroy(),
}

async function leave(where: 'socket' | 'port', sent: string, how: (socket: Socket) => void): Promise<void> {
  const socket = where === 'socket' ? connect(socketPath()) : connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  const gone = once(socket, 'close')
  if (sent !== '') socket.write(sent)
  how(socket)
  await gone
}

describe('peers that go away', () => {
  for (const [what, sent] of Object.entries(SENT)) {
    proves(['T31', 'P5'], `after ${what}: the server goes on`, async () => {
      for (const where of ['socket', 'port'] as const) {
        for (const [how, go] of Object.entries(GOING)) {
          // A reset is of TCP.
          if (how === 'resets' && where === 'socket') continue
          await Promise.all(Array.from({ length: 2 }, () => leave(where, sent, go)))
        }
      }
      expect([await answered(), child.exitCode, child.signalCode]).toEqual(['allow', null, null])
    })
  }

  proves(['T31', 'P5'], 'whoever reads what it prints may go, too', async () => {
    const said = once(child.stderr as Readable, 'data')
    await leaveInBody()
    expect(String(await said)).toContain('POST /v1/decisions failed')
    child.stdout?.destroy()
    child.stderr?.destroy()
    // Each time it says so again, to nobody.
    for (let i = 0; i < 3; i += 1) {
      await leaveInBody()
      expect([await answered(), await answered(), child.exitCode, child.signalCode]).toEqual(['allow', 'allow', null, null])
    }
  })
})

/** Goes once the server waits for the rest of the body. */
async function leaveInBody(): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const head = post('', 100).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
  socket.write(head)
  await once(socket, 'data')
  socket.destroy()
}

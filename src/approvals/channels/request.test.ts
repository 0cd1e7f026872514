import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { type Receiver, type Respond, receiver } from '../../../test/support/receiver.ts'
import { ChannelFailure } from './channel.ts'
import { type ChannelRequest, type ResolveAddresses, retryAfter, sendRequest } from './request.ts'

const NOBODY: ResolveAddresses = async () => {
  throw new Error('asked')
}

const request = (url: string, changes: Partial<ChannelRequest> = {}): ChannelRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  timeoutMs: 2_000,
  allowPrivate: true,
  ...changes,
})

async function failure(sent: ChannelRequest, resolve: ResolveAddresses = NOBODY): Promise<string> {
  try {
    await sendRequest(sent, resolve)
  } catch (error) {
    if (error instanceof ChannelFailure) return error.message
    throw error
  }
  return 'none'
}

test('sends what it is given and answers what came back', async () => {
  const server = await receiver((_sent, response) => void response.writeHead(202, { 'retry-after': '7' }).end('hello'))
  const response = await sendRequest(request(`${server.url}/a?b=c`), NOBODY)
  expect([response.status, Buffer.from(response.body).toString(), response.header('retry-after'), response.header('x-other')]).toEqual([
    202,
    'hello',
    '7',
    null,
  ])
  expect(server.seen).toMatchObject([{ method: 'POST', path: '/a?b=c', body: '{"a":1}', headers: { 'content-type': 'application/json' } }])
})

describe('addresses inside of this network', () => {
  const cases: readonly (readonly [host: string, scope: string])[] = [
    ['127.0.0.1', 'loopback'],
    ['[::1]', 'loopback'],
    ['10.0.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['172.16.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['169.254.1.1', 'link-local'],
    ['[fe80::1]', 'link-local'],
    ['[fd00::1]', 'private'],
    ['0.0.0.0', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f.1', 'loopback'],
    ['[::ffff:127.0.0.1]', 'loopback'],
    ['169.254.169.254', 'metadata'],
  ]
  for (const [host, scope] of cases) {
    proves('T10', `${host} is refused, whatever its port`, async () => {
      expect(await failure(request(`http://${host}:9/`, { allowPrivate: false }))).toContain(`a ${scope} address`)
    })
  }

  proves('T10', 'a metadata service is refused even where private addresses are allowed', async () => {
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '100.100.100.200'])
      expect(await failure(request(`http://${host}/`))).toContain('metadata')
  })

  const names: readonly (readonly [title: string, addresses: readonly string[], message: string])[] = [
    ['a name that leads inside', ['10.0.0.7'], 'a private address'],
    ['one private address among public ones', ['93.184.216.34', '127.0.0.1'], 'a loopback address'],
    ['a mapped one', ['::ffff:10.0.0.7'], 'a private address'],
    ['no address', [], 'no address'],
    ['something that is no address', ['example.com'], 'a strange address'],
  ]
  for (const [title, addresses, message] of names) {
    proves('T10', title, async () => {
      expect(await failure(request('http://hook.example/', { allowPrivate: false }), async () => addresses)).toContain(message)
    })
  }

  proves('T10', 'the connection goes to the address that was checked, although the name says another by now', async () => {
    const server = await receiver()
    let asked = 0
    const flips: ResolveAddresses = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    const response = await sendRequest(request(`http://flips.example:${server.port}/`), flips)
    expect([response.status, asked, server.seen[0]?.headers.host]).toEqual([200, 1, `flips.example:${server.port}`])
  })

  test('a name that nobody answers for is a failure, not a crash', async () => {
    expect(await failure(request('http://hook.example/'))).toContain('no address')
    expect(await failure(request('http://hook.example/', { timeoutMs: 30 }), () => new Promise(() => {}))).toContain('not answer in time')
  })
})

describe('limits', () => {
  const cases: readonly (readonly [title: string, respond: Respond, changes: Partial<ChannelRequest>, message: string])[] = [
    ['a long answer', (_s, r) => void r.end('x'.repeat(400_000)), {}, 'more than 262144 bytes'],
    ['no answer', () => {}, { timeoutMs: 100 }, 'not answer in time'],
    ['half an answer', (_s, r) => void r.writeHead(200, { 'content-length': '9' }).write('a'), { timeoutMs: 100 }, 'not answer in time'],
    ['a broken connection', (_s, r) => void r.destroy(), {}, 'cannot be reached'],
  ]
  for (const [title, respond, changes, message] of cases) {
    test(title, async () => {
      const server = await receiver(respond)
      expect(await failure(request(server.url, changes))).toContain(message)
    })
  }

  test('a redirect is an answer like any other, and goes nowhere', async () => {
    const inside = await receiver()
    const server = await receiver((_s, r) => void r.writeHead(302, { location: inside.url }).end())
    expect((await sendRequest(request(server.url), NOBODY)).status).toBe(302)
    expect(inside.seen).toEqual([])
  })

  test('nobody listens', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer()
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
      })
    })
    expect(await failure(request(`http://127.0.0.1:${port}/`))).toBe('it cannot be reached: ECONNREFUSED')
  })

  test('what answers is no HTTP', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.6\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    expect(await failure(request(`http://127.0.0.1:${port}/`))).toContain('cannot be reached: HPE_')
  })

  test('the address, which may be a secret, is in no failure', async () => {
    const server: Receiver = await receiver((_s, r) => void r.destroy())
    expect(await failure(request(`${server.url}/services/T0/B0/hunter2`))).not.toContain('hunter2')
  })
})

describe('how long a busy receiver asks to wait', () => {
  for (const [value, milliseconds] of [
    ['7', 7_000],
    ['0', 0],
    ['99999', 99_999_000],
    ['100000', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
    ['', null],
    [null, null],
  ] as const) {
    test(String(value), () => expect(retryAfter({ status: 429, header: () => value, body: new Uint8Array() })).toBe(milliseconds))
  }
})

import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash } from '../../test/support/calls.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import { openGate } from '../open.ts'
import { compilePolicy } from '../policy/compile.ts'
import { sha256 } from '../policy/file.ts'
import { createRecordedView } from '../view/recorded.ts'
import { lookUpHosts, type Resolve } from './hosts.ts'

/** A real name server that gives a public address first and a private one ever after, as one that rebinds does. */
class FlippingServer {
  asked = 0
  private readonly socket: Socket = createSocket('udp4')

  async start(): Promise<number> {
    this.socket.on('message', (query, from) => this.socket.send(this.answer(query), from.port, from.address))
    this.socket.bind(0, '127.0.0.1')
    await once(this.socket, 'listening')
    return (this.socket.address() as AddressInfo).port
  }

  /** The question again, and one A record: a pointer to the name, type, class, life of 0 seconds, four bytes. */
  private answer(query: Buffer): Buffer {
    const end = query.indexOf(0, 12) + 5
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
    const address = this.asked++ === 0 ? [93, 184, 216, 34] : [169, 254, 169, 254]
    return Buffer.concat([header, query.subarray(12, end), Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address])])
  }

  close(): void {
    this.socket.close()
  }
}

let home: string
beforeAll(() => {
  home = newStateDirectory()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const fetchCall = (url: string): ToolCall =>
  bash(`curl -s ${url} -o a && curl -s ${url}/b -o b`, { principal: { agent: 'test', user: null }, cwd: home })

function gateWith(policyText: string, resolve: Resolve) {
  const compiled = compilePolicy(policyText, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  return openGate({ home, policy: () => ({ policy, degraded: null }), record: false, resolve }).gate
}

const STRICT = 'version: 1\nunregistered: ask\nguards: { ssrf: { strict: true, resolve: true } }\n'

proves('T10', 'a name server that flips its answer is asked once per decision, and judged by what it said', async () => {
  const server = new FlippingServer()
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${await server.start()}`])
  try {
    const gate = gateWith(STRICT, (name) => resolver.resolve4(name))
    const first = await gate.decide(fetchCall('http://rebind.example/x'))
    const fetches = first.effects.filter((effect) => effect.verb === 'fetch')
    expect(server.asked).toBe(1)
    expect(fetches.length).toBe(2)
    // Both requests of the call see the one answer, and are bound to it.
    expect(fetches.map((effect) => [effect.target.scope, effect.attributes.addresses])).toEqual([
      ['public', ['93.184.216.34']],
      ['public', ['93.184.216.34']],
    ])
    expect(first.findings.map((finding) => finding.code)).not.toContain('integrity.address')

    const second = await gate.decide(fetchCall('http://rebind.example/x'))
    expect(server.asked).toBe(2)
    expect(second.decision).toBe('deny')
    expect(second.findings.map((finding) => finding.code)).toContain('integrity.address')
    expect(second.effects.filter((effect) => effect.verb === 'fetch').every((effect) => effect.target.scope === 'metadata')).toBe(true)
  } finally {
    server.close()
  }
})

test('what was looked up is in the record, and a replay asks nobody', async () => {
  const gate = gateWith(STRICT, async () => ['10.0.0.1'])
  const decision = await gate.decide(fetchCall('http://inside.example/'))
  const recorded = decision.view.filter((answer) => answer.question === 'hosts')
  expect(recorded).toEqual([{ question: 'hosts', subject: 'inside.example', answer: ['10.0.0.1'] }])
  const place = { home, user: null, cwd: home, roots: [], temporary: [], gate: [] }
  const view = createRecordedView(place, decision.view)
  expect(view.hosts?.('inside.example')).toEqual(['10.0.0.1'])
  expect(() => view.hosts?.('other.example')).toThrow('no hosts of `other.example`')
  expect(createRecordedView(place, []).hosts).toBeUndefined()
})

test('no name is looked up unless the policy says so', async () => {
  let asked = 0
  const count: Resolve = async () => {
    asked++
    return ['10.0.0.1']
  }
  await gateWith('version: 1\nunregistered: ask\n', count).decide(fetchCall('http://inside.example/'))
  await gateWith('version: 1\nunregistered: ask\nguards: { ssrf: { strict: true } }\n', count).decide(fetchCall('http://inside.example/'))
  expect(asked).toBe(0)
})

describe('a lookup that fails finds no address, and strict lets no such name through', () => {
  for (const [what, resolve] of [
    ['rejects', async () => Promise.reject(new Error('ENOTFOUND'))],
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['has none', async () => []],
    ['never answers', () => new Promise<never>(() => {})],
  ] as readonly (readonly [string, Resolve])[]) {
    test(what, async () => {
      expect(await lookUpHosts(['x.example'], resolve)).toEqual(new Map([['x.example', []]]))
      const decision = await gateWith(STRICT, resolve).decide(fetchCall('http://x.example/'))
      expect(decision.decision).toBe('deny')
    })
  }
})

test('every name is asked once, and a flood of addresses is cut', async () => {
  const asked: string[] = []
  const found = await lookUpHosts(['a.example', 'b.example'], async (name) => {
    asked.push(name)
    return Array.from({ length: 1_000 }, () => '93.184.216.34')
  })
  expect(asked.sort()).toEqual(['a.example', 'b.example'])
  expect(found.get('a.example')).toHaveLength(32)
  expect(await lookUpHosts([], async () => ['10.0.0.1'])).toEqual(new Map())
})

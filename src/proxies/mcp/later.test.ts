/** An answer does not wait until its session is told of it; whatever comes then does. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { callOf } from '../../../test/support/calls.ts'
import { call, mcpParts, mcpPolicy } from '../../../test/support/mcp.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import { describedView } from '../../../test/support/workplace.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { openGate } from '../../open.ts'
import { landResult } from '../../open-results.ts'
import type { StoredRecord } from '../../store/store.ts'
import type { Exchange, TrafficParts } from './shared.ts'
import { createTraffic } from './traffic.ts'

const TEXT = `version: 1
unregistered: allow
contracts:
  state: { user: [{ tools: [login], value: result.id }] }
  tools: { cancel: { enforcement: hard, constraints: [{ kind: known, of: { state: user } }] } }
`
const POLICY = mcpPolicy(TEXT)
const PASSING = mcpPolicy(`${TEXT}mcp_proxy: { uninspected: pass }\n`)

const bytesOf = (message: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(message))
const LOGGED_IN: JsonObject = { content: [{ type: 'text', text: '{"id":"u1"}' }] }

function between(keep?: (given: TrafficParts['keep']) => TrafficParts['keep'], more: Partial<TrafficParts> = {}, inForce = POLICY) {
  const opened = openGate({
    home: stateDirectoryOfTest(),
    policy: () => ({ policy: inForce, degraded: null }),
    view: () => describedView({}),
  })
  onTestFinished(() => opened.close())
  const [uninspected, notes]: [string[], string[]] = [[], []]
  const parts = mcpParts(opened, () => inForce, { uninspected, notes })
  const traffic = createTraffic(
    { ...parts, keep: keep?.(parts.keep) ?? parts.keep, ...more },
    {
      ...{ server: 'desk', origin: 'desk', session: 's', cwd: '/repo' },
      principal: { agent: 'a', role: null, user: 'me', tenant: null, chain: [] },
    },
  )
  const listed = (request: Uint8Array): void => {
    const { id } = JSON.parse(new TextDecoder().decode(request)) as { readonly id: string }
    const tools = ['login', 'cancel'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
    void traffic.fromServer(bytesOf({ jsonrpc: '2.0', id, result: { tools } }), '')
  }
  const exchange: Exchange = { scope: '', signal: new AbortController().signal, tell: () => {}, ask: listed }
  const asks = (id: number, tool: string) => traffic.fromClient(bytesOf(call(id, tool, {})), exchange)
  return { opened, uninspected, notes, traffic, asks }
}

describe('an answer', () => {
  test('is there before its session is told, and the next message is looked at after that', async () => {
    const order: string[] = []
    const { traffic, asks } = between((keep) => (result) => {
      order.push('told')
      return keep(result)
    })
    expect(await asks(1, 'cancel')).toMatchObject({ kind: 'answer' })
    expect(await asks(2, 'login')).toMatchObject({ kind: 'forward' })
    const answer = traffic.fromServer(bytesOf({ jsonrpc: '2.0', id: 2, result: LOGGED_IN }), '')
    order.push(`answered ${Array.isArray(answer)}`)
    const next = asks(3, 'cancel')
    expect(order).toEqual(['answered true', 'told'])
    expect(await next).toMatchObject({ kind: 'forward' })
  })

  test('whose session nobody asks about is told all the same', async () => {
    const { traffic, asks, opened } = between()
    await asks(1, 'login')
    traffic.fromServer(bytesOf({ jsonrpc: '2.0', id: 1, result: LOGGED_IN }), '')
    await expect.poll(() => [...(opened.store.read({ kind: 'result' }) as Iterable<unknown>)].length).toBe(1)
  })

  test('that closes nothing has the record that it would have had, in its place of the log', async () => {
    const { opened } = between()
    const made = callOf('read', { id: 1 }, { session: 's' })
    const responses: readonly Json[] = [
      LOGGED_IN,
      { isError: true, content: [{ type: 'text', text: 'HTTP 503' }] },
      'x'.repeat(30_000),
      null,
    ]
    for (const response of responses) {
      const kept = [true, false].map((quiet) => landResult(opened, { call: made, response, quiet }).kept)
      const after = opened.gate.decide(callOf('login', {}, { session: 's' }))
      await Promise.all([...kept, after])
      const [one, other, decision] = [...(opened.store.read({}) as Iterable<StoredRecord>)].slice(-3)
      expect([one?.kind, other?.kind, decision?.kind]).toEqual(['result', 'result', 'decision'])
      expect(one?.body).toEqual(other?.body)
    }
  })

  test('and the end of the server behind it: both are told, in their order', async () => {
    const told: unknown[] = []
    const { traffic, asks } = between((keep) => (result) => {
      told.push(result.failed)
      return keep(result)
    })
    await asks(1, 'login')
    await asks(2, 'login')
    traffic.fromServer(bytesOf({ jsonrpc: '2.0', id: 1, result: LOGGED_IN }), '')
    traffic.serverGone('', 'it ended')
    expect(told).toEqual([false, true])
  })

  proves('P4', 'whose session could not be told is counted, and nothing else of it is let run', async () => {
    const { traffic, asks, uninspected, notes, opened } = between(() => () => {
      throw new RangeError('no memory')
    })
    await asks(1, 'login')
    traffic.fromServer(bytesOf({ jsonrpc: '2.0', id: 1, result: LOGGED_IN }), '')
    await Promise.resolve()
    expect([uninspected, notes]).toEqual([['result passed'], ['a result could not be kept: no memory']])
    for (const [id, tool] of [
      [2, 'login'],
      [3, 'cancel'],
    ] as const)
      expect(await asks(id, tool)).toMatchObject({ kind: 'answer' })
    const codes = [...(opened.store.read({ kind: 'decision' }) as Iterable<{ readonly code: string }>)].map(({ code }) => code)
    expect(codes.slice(1)).toEqual(['infra.internal', 'infra.internal'])
  })

  describe('where another process judges the same session', () => {
    const unlooked: Partial<TrafficParts> = { shares: () => true, lookApart: () => Promise.reject(new Error('it was lost')) }
    const large = bytesOf({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x'.repeat(300_000) }] } })
    const shown = ([first]: readonly Uint8Array[]): string => new TextDecoder().decode(first).slice(0, 200)

    proves('P4', 'goes on once the log has it, also where it could not be looked through', async () => {
      const order: string[] = []
      const { traffic, asks } = between(
        (keep) => (result) => {
          const { kept, ...rest } = keep(result)
          return { ...rest, kept: kept.finally(() => order.push('in the log')) }
        },
        unlooked,
        PASSING,
      )
      await asks(1, 'login')
      expect(shown(await traffic.fromServer(large, ''))).toBe(shown([large]))
      order.push('goes on')
      expect(order).toEqual(['in the log', 'goes on'])
    })

    const failures: readonly (readonly [how: string, keep: TrafficParts['keep']])[] = [
      ['fails', () => ({ kept: Promise.reject(new Error('disk full')) })],
      [
        'throws',
        () => {
          throw new RangeError('no memory')
        },
      ],
    ]
    for (const [how, keep] of failures) {
      proves('P4', `is held back where its record ${how}, also where it could not be looked through`, async () => {
        const { traffic, asks } = between(() => keep, unlooked, PASSING)
        await asks(1, 'login')
        expect(shown(await traffic.fromServer(large, ''))).toContain('could not be recorded, so it was held back')
      })
    }
  })
})

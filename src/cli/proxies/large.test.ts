/** Large calls of a proxy, decided by the real thread over the real store. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { callOf } from '../../../test/support/calls.ts'
import { bundled } from '../../../test/support/program.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { type OpenedGate, openGate } from '../../open.ts'
import { lookThrough } from '../../open-looking.ts'
import { type Elsewhere, isLargeCall, LARGE_CALL, landResult, NotInspected, UNREAD } from '../../open-results.ts'
import { besideLarge, cameIn } from '../../proxies/large.ts'
import type { StoredRecord } from '../../store/store.ts'
import { policyHeld } from '../mcp/lock.ts'
import { watchInForce } from '../watch.ts'
import { type LargeCalls, openLargeCalls } from './large.ts'

const FILE = pathToFileURL(bundled(new URL('../threads/decisions.ts', import.meta.url)))
const POLICY = `version: 1
default: ask
unregistered: ask
tools: { note: { risk_tier: low }, read_mail: { risk_tier: low }, pay: { risk_tier: low } }
rules:
  deny:
    - { tool: note, when: 'args.text.endsWith("forbidden")', reason: not this }
sequences:
  - { id: account-from-others, tool: pay, when: 'flows_from("to", "untrusted")', reason: it stands in a text of somebody else, enforcement: hard }
`
const LONG = 'a line of a long text, as people write it\n'.repeat(3_000)

let opened: OpenedGate
let large: LargeCalls
let copied: number
beforeEach(() => {
  const home = stateDirectoryOfTest()
  const policy = join(temporaryDirectory(), 'policy.yaml')
  writeFileSync(policy, POLICY)
  copied = 0
  const { current } = policyHeld(watchInForce(policy, () => {}).current, null)
  opened = openGate({ home, policy: current })
  const at = { home, policy, lock: null, current, note: () => {}, here: () => false, copyJournal: () => void copied++ }
  large = openLargeCalls(opened, { ...at, file: FILE })
})
afterEach(async () => {
  await large.close()
  opened.close()
})

const note = (text: string, session = 's') => callOf('note', { text }, { session })
const records = (): readonly StoredRecord[] => [...(opened.store.read({ kind: 'decision' }) as Iterable<StoredRecord>)]
const HOST = { attended: false, rewrites: true }

describe('a large call', () => {
  proves('P5', 'is decided as a small one, and in the log before anybody hears of it', async () => {
    expect(await large.gate.decide(note(LONG), 0, HOST)).toMatchObject({ decision: 'allow' })
    expect(records()).toHaveLength(1)
    expect(await large.gate.decide(note(`${LONG}forbidden`), 0, HOST)).toMatchObject({ decision: 'deny', code: 'rules.denied' })
    expect([records().length, copied]).toEqual([2, 2])
    const [here, there] = [await opened.gate.decide(note(LONG), 0, HOST), await large.gate.decide(note(LONG), 0, HOST)]
    expect([there.callDigest, there.decision, there.code]).toEqual([here.callDigest, here.decision, here.code])
  })

  proves('P5', 'is read there from the message that it came in: the same arguments, whatever the message writes them with', async () => {
    const odd = `é \u2028 \t "quoted" \\ ${LONG}`
    for (const text of [odd, `${odd}forbidden`]) {
      const plain = note(text)
      const written = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { arguments: { text }, name: 'note' } })
      for (const message of [written, written.replaceAll('a line', '\\u0061\\u0020line').replace('"text"', '"\\u0074ext"')]) {
        const call = note(text)
        cameIn(call.args, new TextEncoder().encode(message))
        const [here, there] = [await opened.gate.decide(plain, 0, HOST), await large.gate.decide(call, 0, HOST)]
        expect([there.callDigest, there.decision, there.code]).toEqual([here.callDigest, here.decision, here.code])
      }
    }
  })

  proves('P4', 'whose message holds no arguments is a recorded denial', async () => {
    const call = note(LONG)
    cameIn(call.args, new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, result: LONG })))
    expect(await large.gate.decide(call, 0, HOST)).toMatchObject({ decision: 'deny', code: 'infra.internal' })
    expect(records()).toHaveLength(1)
  })

  test('what comes behind it in its session is judged behind it; other sessions do not wait', async () => {
    const order: string[] = []
    const told = (name: string) => () => void order.push(name)
    await Promise.all([
      large.gate.decide(note(LONG), 0, HOST).then(told('large')),
      large.gate.decide(note('short'), 0, HOST).then(told('behind it')),
      large.gate.decide(note(LONG), 0, HOST).then(told('large again')),
      large.gate.decide(note('short', 'other'), 0, HOST).then(told('of another session')),
    ])
    expect(order).toEqual(['of another session', 'large', 'behind it', 'large again'])
    expect(records().map(({ session }) => session)).toEqual(['other', 's', 's', 's'])
  })

  test('is judged by what its session learned a moment ago, and its session knows it', async () => {
    const { kept } = large.kept(landResult(opened, { call: note('what'), response: 'Name: Ada', quiet: true }))
    await large.gate.decide(note(LONG), 0, HOST)
    await kept
    const events = [...(opened.store.read({ session: 's' }) as Iterable<StoredRecord>)].map(({ kind }) => kind)
    expect(events).toEqual(['result', 'decision'])
  })

  proves('P4', 'that is lost on its way is a recorded denial', async () => {
    await large.close()
    expect(await large.gate.decide(note(LONG), 0, HOST)).toMatchObject({ decision: 'deny', code: 'infra.internal' })
    expect(records().map(({ decision, tool }) => [decision, tool])).toEqual([['deny', 'note']])
  })

  proves('P4', 'more of them than memory is set aside for are denied, and then come through again', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const gate = besideLarge({
      gate: opened.gate,
      elsewhere: async ({ call, args }) => {
        await held
        return opened.gate.decide({ ...call, args: JSON.parse(String(args)) })
      },
      ...{ here: () => false, durable: async () => {}, digest: () => 'sha256:0' },
    })
    const all = Array.from({ length: 18 }, (_, at) => gate.decide(note(LONG, `s${at}`)))
    expect(await all[17]).toMatchObject({ decision: 'deny', code: 'infra.internal' })
    release()
    expect((await Promise.all(all)).filter(({ decision }) => decision === 'deny')).toHaveLength(2)
    expect(await gate.decide(note(LONG))).toMatchObject({ decision: 'allow' })
  })
})

describe('the result of a large call', () => {
  const of = (kind: 'result' | 'decision') => [...(opened.store.read({ kind, session: 's' }) as Iterable<StoredRecord>)]
  /** Whoever looks results through for those who are not decided there. */
  const HERE = { look: async () => Promise.reject(new Error('nobody looks')) }
  const decided = async (call: ToolCall): Promise<ToolCall> => {
    expect(await large.gate.decide(call, 0, HOST)).toMatchObject({ decision: 'allow' })
    return call
  }

  test('is recorded where the call was decided, as it is here', async () => {
    const call = await decided(note(LONG))
    const { apart, kept } = large.keep({ call, response: { content: [{ type: 'text', text: 'done' }] } }, HERE)
    expect([apart, await kept]).toEqual([true, null])
    const other = note(LONG)
    await opened.gate.decide(other, 0, HOST)
    await landResult(opened, { call: other, response: { content: [{ type: 'text', text: 'done' }] } }).kept
    const [there, here] = of('result').map(({ body, session, tool, code }) => ({ body, session, tool, code }))
    expect(there).toEqual(here)
    expect(there?.body).toMatchObject({ response_cut: false, outcome: { state: 'ran' } })
  })

  test('is known to its session here, and to no other', async () => {
    const call = await decided(callOf('read_mail', { text: LONG }, { session: 's' }))
    await large.keep({ call, response: { content: [{ type: 'text', text: 'Pay to DE02120300000000202051.' }] } }, HERE).kept
    const pay = (session: string) => large.gate.decide(callOf('pay', { to: 'DE02120300000000202051' }, { session }), 0, HOST)
    expect(await pay('s')).toMatchObject({ decision: 'deny', code: 'sequences.matched' })
    expect((await pay('fresh')).code).not.toBe('sequences.matched')
  })

  proves('T60', 'has no secret in the log, of the call or of what it returned', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
    const call = await decided(note(`${LONG}${secret}`))
    await large.keep({ call, response: `the token is ${secret}` }, HERE).kept
    expect(of('result')).toHaveLength(1)
    expect(JSON.stringify([...of('result'), ...of('decision')])).not.toContain(secret)
  })

  test('says what went wrong', async () => {
    const call = await decided(note(LONG))
    await large.keep({ call, response: { failed: true, error: 'no room' }, failed: true }, HERE).kept
    expect(of('result')[0]?.body).toMatchObject({ outcome: { state: 'failed' } })
    const canary = await decided(note(LONG))
    const seen = await large.keep({ call: canary, response: 'hidden \u{e0041}\u{e0042} text' }, HERE).kept
    expect(seen?.findings.map(({ rule }) => rule)).toEqual(['hidden'])
  })

  test('is told once: what comes again, and of calls that were decided here, is kept here', async () => {
    const look: Elsewhere['look'] = async (looking, response) => lookThrough(looking, response)
    const call = await decided(note(LONG))
    await large.keep({ call, response: 'first' }, HERE).kept
    await large.keep({ call, response: 'second' }, { look }).kept
    const plain = note(LONG)
    await opened.gate.decide(plain, 0, HOST)
    await large.keep({ call: plain, response: 'third' }, { look }).kept
    expect(of('result').map(({ body }) => body.response)).toEqual(['first', 'second', 'third'])
  })

  test('of a call that is not known there any more is kept here', async () => {
    const look: Elsewhere['look'] = async (looking, response) => lookThrough(looking, response)
    const first = await decided(note(LONG))
    for (let at = 0; at < 16; at++) await decided(note(LONG, `s-${at}`))
    await large.keep({ call: first, response: 'late' }, { look }).kept
    expect(of('result').map(({ body }) => body.response)).toEqual(['late'])
  })

  proves('P4', 'that is lost on its way is in the log as one that could not be inspected', async () => {
    const call = await decided(note(LONG))
    await large.close()
    await expect(large.keep({ call, response: 'what it said' }, HERE).kept).rejects.toThrow(NotInspected)
    expect(of('result').map(({ body }) => body.response)).toEqual([UNREAD])
  })
})

describe('which calls are large', () => {
  const rows = (count: number, value: Json): Json => Array.from({ length: count }, () => value)
  test.each([
    ['a short text', { text: 'x' }, false],
    ['a text up to the bound', { text: 'x'.repeat(LARGE_CALL - 20) }, false],
    ['a text above it', { text: 'x'.repeat(LARGE_CALL + 1) }, true],
    ['many short ones', { rows: rows(4_000, { line: 'some words of a line' }) }, true],
    ['many numbers', { rows: rows(LARGE_CALL, 1) }, true],
    ['a long name', { ['x'.repeat(LARGE_CALL + 1)]: null }, true],
    ['nothing', {}, false],
  ])('%s', (_, args, expected) => expect(isLargeCall({ args: args as JsonObject })).toBe(expected))
})

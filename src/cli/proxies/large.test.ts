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
import type { Json, JsonObject } from '../../core/json.ts'
import { type OpenedGate, openGate } from '../../open.ts'
import { isLargeCall, LARGE_CALL, landResult } from '../../open-results.ts'
import { besideLarge, cameIn } from '../../proxies/large.ts'
import type { StoredRecord } from '../../store/store.ts'
import { policyHeld } from '../mcp/lock.ts'
import { watchInForce } from '../watch.ts'
import { type LargeCalls, openLargeCalls } from './large.ts'

const FILE = pathToFileURL(bundled(new URL('../threads/decisions.ts', import.meta.url)))
const POLICY = `version: 1
default: ask
unregistered: ask
tools: { note: { risk_tier: low } }
rules:
  deny:
    - { tool: note, when: 'args.text.endsWith("forbidden")', reason: not this }
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

/** Long results of sessions that somebody passes on: looked through elsewhere, and known to whatever is judged after them. */
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { callOf } from '../../../test/support/calls.ts'
import { LOGIN_CONTRACT } from '../../../test/support/login-contract.ts'
import { bundled } from '../../../test/support/program.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import type { Json } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import { type OpenedGate, openGate } from '../../open.ts'
import type { LookElsewhere } from '../../open-results.ts'
import { policy } from '../../policy/testing/compiled.ts'
import type { SessionParts } from '../../proxies/session-parts.ts'
import type { StoredRecord } from '../../store/store.ts'
import { openResults, type ResultThread } from '../threads/open.ts'
import { decidedHere } from './large.ts'
import { sessionParts } from './session-parts.ts'

const RESULTS = pathToFileURL(bundled(new URL('../threads/results.ts', import.meta.url)))

const RULES = policy(LOGIN_CONTRACT)

let opened: OpenedGate
let thread: ResultThread
let looked: number
beforeEach(() => {
  looked = 0
  opened = openGate({ home: stateDirectoryOfTest(), policy: () => ({ policy: RULES, degraded: null }) })
  thread = openResults({ note: () => {}, file: RESULTS })
})
afterEach(() => {
  thread.close()
  opened.close()
})

const partsOf = (look: LookElsewhere): SessionParts => {
  const counting: LookElsewhere = (...given) => {
    looked += 1
    return look(...given)
  }
  return sessionParts(opened, { proxy: 'acp', upstream: 'agent' }, { look: counting, large: decidedHere(opened), owing: new Set() })
}
const of = (tool: string, args: Record<string, Json> = {}, session = 's') => callOf(tool, args, { session })
const login = (id: string, kibibytes: number): Json => ({ id, text: 'all fine here\n'.repeat((kibibytes * 1024) / 14) })
const records = (kind: 'result' | 'note') => [...(opened.store.read({ kind }) as Iterable<StoredRecord>)]
const verdict = async (parts: SessionParts, user: string, session?: string) =>
  runs((await parts.gate.decide(of('cancel', { user }, session), 0, { attended: false, rewrites: false })).decision) ? 'run' : 'stop'

describe('a result of a session that is passed on', () => {
  for (const [kibibytes, elsewhere] of [
    [1, 0],
    [20, 1],
    [1_000, 1],
  ] as const) {
    test(`of ${kibibytes} KiB is known to the call that comes at once behind it`, async () => {
      const parts = partsOf(thread.lookThrough)
      const kept = parts.keep(of('login'), login('u1', kibibytes), false).kept
      expect(await verdict(parts, 'u1')).toBe('run')
      await kept
      expect([looked, records('result').length]).toEqual([elsewhere, 1])
    })
  }

  test('several: the last counts, and each is in the log', async () => {
    const parts = partsOf(thread.lookThrough)
    for (const id of ['u1', 'u2', 'u3']) void parts.keep(of('login'), login(id, 100), false)
    expect(await verdict(parts, 'u3')).toBe('run')
    expect(await verdict(parts, 'u2')).toBe('stop')
    expect(records('result')).toHaveLength(3)
  })

  test('no other session waits for it', async () => {
    let done = (): void => {}
    const parts = partsOf(async (looking, response) => {
      await new Promise<void>((resolve) => {
        done = resolve
      })
      return thread.lookThrough(looking, response)
    })
    const kept = parts.keep(of('login'), login('u1', 100), false).kept
    expect(await verdict(parts, 'u1', 'other')).toBe('stop')
    const order: string[] = []
    const judged = verdict(parts, 'u1').then((said) => order.push(said))
    order.push('looked through')
    done()
    await Promise.all([judged, kept])
    expect(order).toEqual(['looked through', 'run'])
  })

  proves('P4', 'that cannot be looked through is counted, and contracts know nothing of it', async () => {
    const parts = partsOf(() => Promise.reject(new Error('it was lost')))
    await expect(parts.keep(of('login'), login('u1', 100), false).kept).rejects.toThrow('it was lost')
    expect(await verdict(parts, 'u1')).toBe('stop')
    const [record] = records('result')
    expect(record?.body.response).toEqual({ error: 'the response could not be inspected', failed: true })
    while (records('note').length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(JSON.stringify(records('note').map(({ body }) => body))).toContain('result')
  })
})

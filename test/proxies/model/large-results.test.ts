/** Long results in requests: looked through by a thread, as they are where they come; what the thread loses goes on and is counted. */
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openResults } from '../../../src/cli/threads/open.ts'
import type { LookElsewhere } from '../../../src/open-results.ts'
import type { StoredRecord } from '../../../src/store/store.ts'
import { proves } from '../../proves.ts'
import { type ProxyBench, proxyBench } from '../../support/model-proxy.ts'
import { anthropicWhole } from '../../support/model-turns.ts'
import { bundled } from '../../support/program.ts'

const THREAD = pathToFileURL(bundled(new URL('../../../src/cli/threads/results.ts', import.meta.url)))
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const LINES = 'a line of a long file\n'.repeat(2_000)
const POLICY = 'tools: { read: { risk_tier: low } }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'

function requestWith(content: string): string {
  return JSON.stringify({
    model: 'm',
    messages: [
      { role: 'user', content: 'read it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] },
    ],
  })
}

async function resultsOf(bench: ProxyBench, content: string): Promise<readonly StoredRecord[]> {
  bench.answer({ type: 'application/json', pieces: [anthropicWhole([{ text: 'Read.' }])] })
  const body = requestWith(content)
  const answer = await fetch(`${bench.url}/v1/messages`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect([answer.status, (await answer.text()).includes('Read.')]).toEqual([200, true])
  expect(bench.asked.at(-1)?.text).toBe(body)
  const records = (): StoredRecord[] => [...(bench.opened.store.read({ kind: 'result' }) as readonly StoredRecord[])]
  await vi.waitFor(() => expect(records()).toHaveLength(1), { timeout: 10_000 })
  return records()
}

const withoutKeys = ({ code, body }: StoredRecord): unknown => ({ code, ...body, erased: null, call: null })

describe('a long result in a request', () => {
  test.each([
    ['ordinary', LINES],
    ['with a secret', `${LINES}${SECRET}`],
    ['short', 'a line'],
  ])('is recorded the same by a thread: %s', async (_, content) => {
    const results = openResults({ note: () => {}, file: THREAD })
    onTestFinished(results.close)
    let asked = 0
    const look: LookElsewhere = (...given) => {
      asked += 1
      return results.lookThrough(...given)
    }
    const there = await resultsOf(await proxyBench({ policy: POLICY, look }), content)
    const here = await resultsOf(await proxyBench({ policy: POLICY }), content)
    expect(there.map(withoutKeys)).toEqual(here.map(withoutKeys))
    expect(JSON.stringify(there)).not.toContain(SECRET)
    expect(asked).toBe(content.length > 16_384 ? 1 : 0)
  })

  proves('P4', 'that the thread loses goes on to the model; the log says that nobody looked into it, and it is counted', async () => {
    const bench = await proxyBench({ policy: POLICY, look: () => Promise.reject(new Error('lost')) })
    const [record] = await resultsOf(bench, `${LINES}${SECRET}`)
    expect(JSON.stringify(record?.body)).toContain('could not be inspected')
    expect(JSON.stringify(record)).not.toContain(SECRET)
    const notes = (): string => JSON.stringify([...(bench.opened.store.read({ kind: 'note' }) as readonly StoredRecord[])])
    await vi.waitFor(() => expect(notes()).toContain('"event":"uninspected","passed":true'), { timeout: 10_000 })
  })
})

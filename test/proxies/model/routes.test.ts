/** Every way by which an answer comes: whose key it is counts on each of them, and each is counted for itself. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ProxyBench, proxyBench, type Scripted } from '../../support/model-proxy.ts'
import { anthropicEvents, anthropicWhole, chatEvents, chatWhole, type Said, sse } from '../../support/model-turns.ts'
import { geminiEvents, geminiList, geminiWhole, responsesEvents, responsesWhole } from '../../support/model-turns-more.ts'

const [MAY, MAY_NOT, UNKNOWN] = ['sk-may', 'sk-may-not', 'sk-unknown']
const shaOf = (key: string): string => createHash('sha256').update(key).digest('hex')

const POLICY = `
tools: { look: { risk_tier: low }, provider/web_search: { risk_tier: low } }
roles: { support: { deny_list: [look, provider/web_search] }, ops: {} }
model_proxy:
  hold: 1ms
  callers: known
  keys:
    - { sha256: ${shaOf(MAY)}, agent: a, role: ops }
    - { sha256: ${shaOf(MAY_NOT)}, agent: b, role: support }
`
const SAID: readonly Said[] = [{ text: 'I look.' }, { call: { id: 'call_x', name: 'look', args: { at: 'MARKER' } } }]

const json = (text: string): Scripted => ({ type: 'application/json', pieces: [text] })
const events = (pieces: readonly string[]): Scripted => ({ pieces })

type Route = readonly [label: string, path: string, answer: Scripted, method?: 'GET' | 'POST']

const ROUTES: readonly Route[] = [
  ['anthropic', '/v1/messages', json(anthropicWhole(SAID))],
  ['anthropic', '/v1/messages?beta=true', events(anthropicEvents(SAID))],
  ['anthropic', '/v1/projects/p/locations/l/publishers/anthropic/models/claude:rawPredict', json(anthropicWhole(SAID))],
  ['anthropic', '/v1/projects/p/locations/l/publishers/anthropic/models/claude:streamRawPredict', events(anthropicEvents(SAID))],
  ['chat', '/v1/chat/completions', json(chatWhole(SAID))],
  ['chat', '/openai/deployments/d/chat/completions?api-version=1', events(chatEvents(SAID))],
  ['responses', '/v1/responses', json(responsesWhole(SAID))],
  ['responses', '/v1/responses', events(responsesEvents(SAID))],
  ['responses', '/v1/responses/resp_1', json(responsesWhole(SAID)), 'GET'],
  ['responses', '/v1/responses/resp_1?stream=true&starting_after=0', events(responsesEvents(SAID)), 'GET'],
  ['gemini', '/v1beta/models/g:generateContent', json(geminiWhole(SAID))],
  ['gemini', '/v1beta/models/g:streamGenerateContent?alt=sse', events(geminiEvents(SAID))],
  ['gemini', '/v1beta/models/g:streamGenerateContent', json(geminiList(SAID))],
]

async function ask(bench: ProxyBench, [, path, answer, method = 'POST']: Route, key: string) {
  bench.answer(answer)
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], input: 'x', contents: [] })
  const response = await fetch(`${bench.url}${path}`, { method, headers: { 'x-api-key': key }, ...(method === 'POST' ? { body } : {}) })
  return { status: response.status, text: await response.text() }
}

async function figures(bench: ProxyBench): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${bench.url}/countersign/metrics`)).text()
  return new Map([...text.matchAll(/^(countersign_\w+\{.*\}) (\d+)$/gm)].map(([, name = '', value]) => [name, Number(value)]))
}

for (const route of ROUTES) {
  const [label, path, answer] = route
  describe(`${label}: ${path}, ${answer.type === undefined ? 'stream' : 'whole'}`, () => {
    test('what the role of a key may not, it may not here; a key that nobody holds is not heard; all is counted', async () => {
      const bench = await proxyBench({ policy: POLICY })
      // First whoever may: what was said to it counts for nobody else.
      expect(await ask(bench, route, MAY)).toEqual({ status: 200, text: answer.pieces.join('') })
      const { text } = await ask(bench, route, MAY_NOT)
      expect(text).not.toMatch(/MARKER|call_x/)
      expect(text).toContain('did not run')
      expect((await ask(bench, route, UNKNOWN)).status).toBe(401)
      expect(bench.asked).toHaveLength(2)
      const shown = await figures(bench)
      expect(shown.get(`countersign_proxy_requests_total{route="${label}",status="2xx"}`)).toBe(2)
      expect(shown.get(`countersign_proxy_calls_total{route="${label}",decision="allow"}`)).toBe(1)
      expect(shown.get(`countersign_proxy_calls_total{route="${label}",decision="deny"}`)).toBe(1)
      expect([...shown].filter(([name, count]) => name.includes('uninspected_total{') && count > 0)).toEqual([])
    })

    test('in shadow mode its answer is the very same, and what would have been is counted', async () => {
      const bench = await proxyBench({ policy: `mode: shadow\n${POLICY}` })
      expect(await ask(bench, route, MAY_NOT)).toEqual({ status: 200, text: answer.pieces.join('') })
      expect(bench.decided.map(({ decision, would }) => [decision, would])).toEqual([['flag', 'deny']])
      expect((await figures(bench)).get(`countersign_proxy_shadow_would_total{route="${label}",would="deny"}`)).toBe(1)
    })
  })
}

describe('other routes', () => {
  const CALL = { tool_calls: [{ function: { name: 'look', arguments: '{"at":"MARKER"}' } }] }
  const unknown: Route = ['unknown', '/api/chat', events([sse({ message: CALL })])]

  test('an answer of an API that is not known holds no call, whoever asks', async () => {
    const bench = await proxyBench({ policy: POLICY })
    for (const key of [MAY, MAY_NOT]) expect((await ask(bench, unknown, key)).text).not.toContain('MARKER')
    expect((await figures(bench)).get('countersign_proxy_uninspected_total{route="unknown"}')).toBe(2)
  })

  test('a way that is not looked into is closed to all of them, and counted', async () => {
    const bench = await proxyBench({ policy: POLICY })
    for (const key of [MAY, MAY_NOT]) expect((await ask(bench, ['uninspected', '/v1/batches', json('{}')], key)).status).toBe(403)
    const shown = await figures(bench)
    expect(shown.get('countersign_proxy_uninspected_total{route="uninspected"}')).toBe(2)
    expect(shown.get('countersign_proxy_requests_total{route="uninspected",status="4xx"}')).toBe(2)
    expect(bench.asked).toEqual([])
  })

  test('shadow mode lets them pass, and counts them all the same', async () => {
    const bench = await proxyBench({ policy: `mode: shadow\n${POLICY}` })
    expect((await ask(bench, unknown, MAY)).text).toContain('MARKER')
    expect(await ask(bench, ['uninspected', '/v1/batches', json('{"ok":1}')], MAY)).toEqual({ status: 200, text: '{"ok":1}' })
    const shown = await figures(bench)
    expect(shown.get('countersign_proxy_uninspected_total{route="unknown"}')).toBe(1)
    expect(shown.get('countersign_proxy_uninspected_total{route="uninspected"}')).toBe(1)
  })
})

describe('tools that a provider runs', () => {
  const offered = async (policy: string, key: string): Promise<unknown> => {
    const bench = await proxyBench({ policy })
    bench.answer(json(anthropicWhole([{ text: 'ok' }])))
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools })
    await fetch(`${bench.url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': key }, body })
    return (JSON.parse(bench.asked[0]?.text ?? '{}') as { readonly tools?: unknown }).tools
  }

  test('are offered to the model for the keys whose role may use them; in shadow mode for all', async () => {
    expect(await offered(POLICY, MAY)).toHaveLength(1)
    expect(await offered(POLICY, MAY_NOT)).toBeUndefined()
    expect(await offered(`mode: shadow\n${POLICY}`, MAY_NOT)).toHaveLength(1)
  })

  test('what one caller was answered with says nothing of another’s', async () => {
    const bench = await proxyBench({ policy: POLICY })
    const run = { block: { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'MARKER' } } }
    bench.answer(json(responsesWhole([run])))
    const tools = [{ type: 'web_search' }]
    const post = (key: string, body: object) =>
      fetch(`${bench.url}/v1/responses`, { method: 'POST', headers: { 'x-api-key': key }, body: JSON.stringify(body) })
    expect(await (await post(MAY, { model: 'm', input: 'x', tools })).text()).toContain('MARKER')
    const fetched = async (key: string) => (await fetch(`${bench.url}/v1/responses/resp_1`, { headers: { 'x-api-key': key } })).text()
    expect(await fetched(MAY)).toContain('MARKER')
    expect(await fetched(MAY_NOT)).not.toContain('MARKER')
    // Nor does it go on in the other's session.
    bench.answer(json(responsesWhole(SAID)))
    await post(MAY_NOT, { model: 'm', input: 'y', previous_response_id: 'resp_1' })
    const records = [...(bench.opened.store.read({ kind: 'decision' }) as Iterable<{ readonly session: string | null }>)]
    expect(records.at(-1)?.session).toContain(`@key-${shaOf(MAY_NOT).slice(0, 16)}`)
  })
})

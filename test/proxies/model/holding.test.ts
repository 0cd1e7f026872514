/** A call that people are asked about: its answer waits, its client is kept waiting, and whoever sends the request again gets that answer. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { proves } from '../../proves.ts'
import { type ProxyBench, proxyBench, type Scripted } from '../../support/model-proxy.ts'
import { anthropicEvents, anthropicWhole, chatEvents, chatWhole, type Said } from '../../support/model-turns.ts'
import { geminiEvents, geminiWhole, responsesEvents, responsesWhole } from '../../support/model-turns-more.ts'

const TOOLS = 'tools: { pay: { risk_tier: high, irreversible: true }, look: { risk_tier: low } }\n'
const POLICY = `${TOOLS}model_proxy: { hold: 20s }\n`

const PAY: Said = { call: { id: 'call_p', name: 'pay', args: { amount: 5 } } }
const PAY_MORE: Said = { call: { id: 'call_m', name: 'pay', args: { amount: 900 } } }
const LOOK: Said = { call: { id: 'call_l', name: 'look', args: {} } }

const FORMS: readonly (readonly [title: string, path: string, answer: (said: readonly Said[]) => Scripted])[] = [
  ['messages, stream', '/v1/messages', (said) => ({ pieces: anthropicEvents(said) })],
  ['messages, whole', '/v1/messages', (said) => ({ type: 'application/json', pieces: [anthropicWhole(said)] })],
  ['chat, stream', '/v1/chat/completions', (said) => ({ pieces: chatEvents(said) })],
  ['chat, whole', '/v1/chat/completions', (said) => ({ type: 'application/json', pieces: [chatWhole(said)] })],
  ['responses, stream', '/v1/responses', (said) => ({ pieces: responsesEvents(said) })],
  ['responses, whole', '/v1/responses', (said) => ({ type: 'application/json', pieces: [responsesWhole(said)] })],
  ['gemini, stream', '/v1beta/models/g:streamGenerateContent?alt=sse', (said) => ({ pieces: geminiEvents(said) })],
  ['gemini, whole', '/v1beta/models/g:generateContent', (said) => ({ type: 'application/json', pieces: [geminiWhole(said)] })],
]

const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], input: 'x', contents: [], stream: true })

const post = (bench: ProxyBench, path: string, signal: AbortSignal | null = null) =>
  fetch(`${bench.url}${path}`, { method: 'POST', body: BODY, signal })

/** Approvals once there are so many. */
async function waiting(bench: ProxyBench, count: number): Promise<readonly string[]> {
  for (;;) {
    const ids = bench.opened.queue.list({ tenant: null, status: 'pending' }).approvals.map(({ id }) => id)
    if (ids.length >= count) return ids
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function shown(bench: ProxyBench, line: string): Promise<void> {
  while (!bench.proxy.metrics.text().includes(`${line}\n`)) await new Promise((resolve) => setTimeout(resolve, 5))
}

const answer = (bench: ProxyBench, id: string, verdict: 'approve' | 'deny', modifiedArguments?: Record<string, number>) =>
  bench.opened.queue.answer(id, {
    tenant: null,
    by: 'human:alice',
    verdict,
    ...(modifiedArguments === undefined ? {} : { modifiedArguments }),
  })

describe.each(FORMS)('%s', (_title, path, scripted) => {
  const said = [{ text: 'I pay.' }, PAY]

  proves('SIG-35', 'nothing of the call leaves before a yes, signs of life do; then the answer is the very same', async () => {
    const bench = await proxyBench({ policy: POLICY, parts: { signEveryMs: 5 } })
    const whole = scripted(said)
    bench.answer(whole)
    const response = await post(bench, path)
    const [id = ''] = await waiting(bench, 1)
    const reader = response.body?.getReader()
    let before = ''
    const decoder = new TextDecoder()
    while (!/(?:ping|keepalive|\n\n\n|^\n)/.test(before)) before += decoder.decode((await reader?.read())?.value)
    expect(before).not.toContain('call_p')
    await answer(bench, id, 'approve')
    let text = before
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      text += decoder.decode(value)
    }
    const silent = text.replaceAll('event: ping\ndata: {"type": "ping"}\n\n', '').replaceAll(': keepalive\n\n', '').replaceAll(/^\n+/gm, '')
    expect(silent).toBe(whole.pieces.join('').replaceAll(/^\n+/gm, ''))
    expect(bench.decided.map(({ decision }) => decision)).toEqual(['ask', 'allow'])
    expect(bench.proxy.metrics.text()).toContain('countersign_proxy_holding 0')
  })

  test('a no: text stands in its place', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer(scripted(said))
    const response = post(bench, path)
    const [id = ''] = await waiting(bench, 1)
    await answer(bench, id, 'deny')
    const text = await (await response).text()
    expect(text).not.toContain('call_p')
    expect(text).toContain('did not run')
  })

  test('nobody answers in time: it is told as pending, and the same call passes once after a yes', async () => {
    const bench = await proxyBench({ policy: `${TOOLS}model_proxy: { hold: 30ms }\n` })
    bench.answer(scripted(said))
    const pending = await (await post(bench, path)).text()
    const [id = ''] = await waiting(bench, 1)
    expect(pending).toContain(`Approval \`${id}\` is pending`)
    expect(pending).not.toContain('call_p')
    await answer(bench, id, 'approve')
    expect(await (await post(bench, path)).text()).toContain('call_p')
    expect(await (await post(bench, path)).text()).not.toContain('call_p')
  })

  test('people see every call of an answer at once', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer(scripted([PAY, LOOK, PAY_MORE]))
    const response = post(bench, path)
    const ids = await waiting(bench, path.includes('streamGenerate') ? 1 : 2)
    for (const id of ids) {
      const amount = JSON.stringify(bench.opened.queue.show(id, { tenant: null })?.sheet).includes('900') ? 900 : 5
      await answer(bench, id, amount === 900 ? 'deny' : 'approve')
    }
    if (ids.length === 1) await answer(bench, (await waiting(bench, 1))[0] ?? '', 'deny')
    const text = await (await response).text()
    expect([text.includes('call_p'), text.includes('call_l'), text.includes('call_m')]).toEqual([true, true, false])
    expect(text).toContain('did not run')
  })

  test('a client that leaves and sends its request again gets the answer that waits', async () => {
    const bench = await proxyBench({ policy: POLICY })
    const whole = scripted(said)
    bench.answer(whole)
    const leaves = new AbortController()
    const first = post(bench, path, leaves.signal).then((response) => response.text())
    const [id = ''] = await waiting(bench, 1)
    await shown(bench, 'countersign_proxy_holding 1')
    leaves.abort()
    await expect(first).rejects.toThrow()
    await shown(bench, 'countersign_proxy_away 1')
    // Nobody is there to hear a yes, so it is not used up.
    await answer(bench, id, 'approve')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(bench.decided.map(({ decision }) => decision)).toEqual(['ask'])
    expect(await (await post(bench, path)).text()).toBe(whole.pieces.join(''))
    expect(bench.asked.length).toBe(1)
    expect(bench.decided.map(({ decision }) => decision)).toEqual(['ask', 'allow'])
  })

  test('arguments that people changed are what the call runs with', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer(scripted([PAY]))
    const response = post(bench, path)
    const [id = ''] = await waiting(bench, 1)
    await answer(bench, id, 'approve', { amount: 1 })
    await answer(bench, id, 'approve')
    const text = await (await response).text()
    expect(text).toMatch(/amount\\*":\s?1/)
    expect(text).not.toMatch(/amount\\*":\s?5/)
  })
})

test('stock clients wait, and get the call', async () => {
  const bench = await proxyBench({ policy: POLICY, parts: { signEveryMs: 5 } })
  const approved = async <T>(request: Promise<T>): Promise<T> => {
    for (const id of await waiting(bench, 1)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await answer(bench, id, 'approve')
    }
    return request
  }
  const anthropic = new Anthropic({ apiKey: 'k', baseURL: bench.url, maxRetries: 0 })
  const openai = new OpenAI({ apiKey: 'k', baseURL: `${bench.url}/v1`, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'x' }]
  bench.answer({ pieces: anthropicEvents([PAY]) })
  const message = await approved(anthropic.messages.stream({ model: 'm', max_tokens: 10, messages }).finalMessage())
  expect(message.content).toMatchObject([{ type: 'tool_use', name: 'pay', input: { amount: 5 } }])
  bench.answer({ type: 'application/json', pieces: [anthropicWhole([PAY])] })
  expect((await approved(anthropic.messages.create({ model: 'm', max_tokens: 10, messages }))).content).toMatchObject([{ name: 'pay' }])
  bench.answer({ pieces: chatEvents([PAY]) })
  const completion = await approved(openai.chat.completions.stream({ model: 'm', messages }).finalChatCompletion())
  expect(completion.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'pay' } }])
  bench.answer({ pieces: responsesEvents([PAY]) })
  const response = await approved(openai.responses.stream({ model: 'm', input: 'x' }).finalResponse())
  expect(response.output).toMatchObject([{ type: 'function_call', name: 'pay' }])
})

test('where nobody can be asked any more a call is not lost: a broken client ends its answer', async () => {
  const bench = await proxyBench({ policy: POLICY })
  bench.answer({ pieces: chatEvents([{ text: 'long' }]).slice(0, 3), breaks: false })
  const leaves = new AbortController()
  const response = await post(bench, '/v1/chat/completions', leaves.signal)
  leaves.abort()
  await expect(response.text()).rejects.toThrow()
})

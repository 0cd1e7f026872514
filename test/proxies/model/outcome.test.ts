/** A client that never says what came of a payment: the same payment in the next conversation is asked about, over every API. */
import { describe, expect, test } from 'vitest'
import { type ProxyBench, proxyBench, type Scripted } from '../../support/model-proxy.ts'
import { anthropicWhole, chatEvents, type Said } from '../../support/model-turns.ts'
import { geminiWhole, responsesEvents } from '../../support/model-turns-more.ts'

const POLICY = `version: 1
default: ask
hazards: { packs: [] }
tools: { transfer: { risk_tier: low, irreversible: true } }
model_proxy: { hold: 1ms }
rules: { allow: [{ tool: "*", when: "true", reason: fine }] }
`

const pays = (id: string, to: string): Said => ({ call: { id, name: 'transfer', args: { to, amount: 5 } } })
const json = (text: string): Scripted => ({ type: 'application/json', pieces: [text] })

interface Form {
  readonly title: string
  readonly path: string
  readonly answer: (said: readonly Said[]) => Scripted
  /** What the client sends after the call has run. */
  readonly result: (id: string, to: string) => object
}

const args = (to: string) => JSON.stringify({ to, amount: 5 })
const FORMS: readonly Form[] = [
  {
    title: 'messages',
    path: '/v1/messages',
    answer: (said) => json(anthropicWhole(said)),
    result: (id, to) => ({
      messages: [
        { role: 'user', content: 'pay' },
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'transfer', input: { to, amount: 5 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'paid' }] },
      ],
    }),
  },
  {
    title: 'chat',
    path: '/v1/chat/completions',
    answer: (said) => ({ pieces: chatEvents(said) }),
    result: (id, to) => ({
      stream: true,
      messages: [
        { role: 'user', content: 'pay' },
        { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'transfer', arguments: args(to) } }] },
        { role: 'tool', tool_call_id: id, content: 'paid' },
      ],
    }),
  },
  {
    title: 'responses',
    path: '/v1/responses',
    answer: (said) => ({ pieces: responsesEvents(said) }),
    result: (id, to) => ({
      stream: true,
      input: [
        { role: 'user', content: 'pay' },
        { type: 'function_call', call_id: id, name: 'transfer', arguments: args(to) },
        { type: 'function_call_output', call_id: id, output: 'paid' },
      ],
    }),
  },
  {
    title: 'gemini',
    path: '/v1beta/models/g:generateContent',
    answer: (said) => json(geminiWhole(said)),
    result: (id, to) => ({
      contents: [
        { role: 'user', parts: [{ text: 'pay' }] },
        { role: 'model', parts: [{ functionCall: { id, name: 'transfer', args: { to, amount: 5 } } }] },
        { role: 'user', parts: [{ functionResponse: { id, name: 'transfer', response: { output: 'paid' } } }] },
      ],
    }),
  },
]

const BEGIN = { messages: [{ role: 'user', content: 'pay' }], input: 'pay', contents: [{ role: 'user', parts: [{ text: 'pay' }] }] }

async function sent(bench: ProxyBench, { path }: Form, session: string, body: object): Promise<string> {
  const headers = { 'X-Session-Id': session }
  const response = await fetch(`${bench.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', max_tokens: 9, ...body }),
  })
  return await response.text()
}

describe.each(FORMS)('$title', (form) => {
  test('a payment whose result nobody told is asked about when it comes again; one that ran is not, nor is another one', async () => {
    const bench = await proxyBench({ policy: POLICY })
    const begins = async (said: Said, session: string) => {
      bench.answer(form.answer([said]))
      return await sent(bench, form, session, BEGIN)
    }
    expect(await begins(pays('call_1', 'acct-1'), 's-1')).toContain('acct-1')
    // Nothing is heard of it; another session pays the same.
    const again = await begins(pays('call_2', 'acct-1'), 's-2')
    expect(again).not.toContain('acct-1')
    expect(bench.decided.at(-1)).toMatchObject({ decision: 'ask', code: 'outcome.unknown' })
    const [asked] = bench.opened.queue.list({ tenant: null, status: 'pending' }).approvals
    expect(JSON.stringify(asked?.sheet)).toContain('may have happened at')
    expect(await begins(pays('call_3', 'acct-2'), 's-3')).toContain('acct-2')
    bench.answer(form.answer([{ text: 'Paid.' }]))
    await sent(bench, form, 's-3', form.result('call_3', 'acct-2'))
    expect(await begins(pays('call_4', 'acct-2'), 's-3')).toContain('acct-2')
  })
})

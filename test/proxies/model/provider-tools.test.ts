/** Tools that a provider runs itself: they are judged when a request offers them, for afterwards is too late. */
import { describe, expect, test } from 'vitest'
import { type ProxyBench, proxyBench } from '../../support/model-proxy.ts'
import { anthropicEvents, anthropicWhole, chatWhole } from '../../support/model-turns.ts'
import { geminiEvents, geminiList, geminiWhole, responsesEvents, responsesWhole } from '../../support/model-turns-more.ts'

const POLICY = `
tools: { get_weather: { risk_tier: low }, provider/web_search: { risk_tier: low }, provider/google_search: { risk_tier: low }, provider/mcp: { risk_tier: low } }
rules:
  deny: [{ tool: provider/code_execution, reason: nothing runs there }, { tool: provider/code_interpreter, reason: nothing runs there }]
  ask: [{ tool: provider/mcp, when: 'args.server_url == "https://new.example"', reason: who is this }]
  allow: [{ tool: provider/web_search, reason: reads }, { tool: provider/google_search, reason: reads }, { tool: provider/mcp, reason: ours }, { tool: get_weather, reason: reads }]
`

async function sent(
  bench: ProxyBench,
  path: string,
  body: object,
): Promise<{ readonly body: Record<string, unknown>; readonly withheld: string | null; readonly text: string }> {
  const response = await fetch(`${bench.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  return {
    body: JSON.parse(bench.asked.at(-1)?.text ?? '{}') as Record<string, unknown>,
    withheld: response.headers.get('x-countersign-withheld'),
    text,
  }
}

const FUNCTION = { name: 'get_weather', description: 'x', input_schema: { type: 'object' } }
const MESSAGES = [{ role: 'user', content: 'hello' }]

describe('in requests', () => {
  test('Anthropic: what may not run is taken out, with its server; the rest stays', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [anthropicWhole([{ text: 'ok' }])] })
    const tools = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'code_execution_20250825', name: 'code_execution' },
      FUNCTION,
      { type: 'bash_20250124', name: 'bash' },
    ]
    const both = await sent(bench, '/v1/messages', { model: 'm', messages: MESSAGES, tools })
    expect(both.body.tools).toEqual([tools[0], tools[2], tools[3]])
    expect(both.withheld).toBe('provider/code_execution')
    const only = await sent(bench, '/v1/messages', { model: 'm', messages: MESSAGES, tools: [tools[1]], tool_choice: { type: 'any' } })
    expect(only.body).toEqual({ model: 'm', messages: MESSAGES })
    bench.use(POLICY.replace('{ tool: provider/mcp, reason: ours }, ', ''))
    const server = { type: 'url', url: 'https://mcp.example', name: 'docs', authorization_token: 'sk-secret' }
    const set = { type: 'mcp_toolset', mcp_server_name: 'docs' }
    const mcp = await sent(bench, '/v1/messages', { model: 'm', messages: MESSAGES, mcp_servers: [server], tools: [set, FUNCTION] })
    expect(mcp.body).toEqual({ model: 'm', messages: MESSAGES, tools: [FUNCTION] })
    expect(JSON.stringify(bench.opened.store.read({}))).not.toContain('sk-secret')
  })

  test('where nothing has to go the request is the very same', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [anthropicWhole([{ text: 'ok' }])] })
    const body =
      '{ "model":"m",\n "messages": [ {"role":"user","content":"\\u00e9 1.0"} ], "temperature": 1.0, "tools":[{"type":"web_search_20250305","name":"web_search"}] }'
    await fetch(`${bench.url}/v1/messages`, { method: 'POST', body })
    expect(bench.asked.at(-1)?.text).toBe(body)
  })

  test('responses: a server that has to be asked about asks its client about every call', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [responsesWhole([{ text: 'ok' }])] })
    const ours = { type: 'mcp', server_label: 'ours', server_url: 'https://ours.example', require_approval: 'never' }
    const fresh = {
      type: 'mcp',
      server_label: 'new',
      server_url: 'https://new.example',
      require_approval: 'never',
      authorization: 'sk-secret',
    }
    const { body } = await sent(bench, '/v1/responses', {
      model: 'm',
      input: 'x',
      tools: [ours, fresh, { type: 'code_interpreter', container: { type: 'auto' } }],
    })
    expect(body.tools).toEqual([ours, { ...fresh, require_approval: 'always' }])
  })

  test('chat: searching is a tool, too', async () => {
    const bench = await proxyBench()
    bench.answer({ type: 'application/json', pieces: [chatWhole([{ text: 'ok' }])] })
    const { body, withheld } = await sent(bench, '/v1/chat/completions', {
      model: 'm',
      messages: MESSAGES,
      web_search_options: { search_context_size: 'low' },
    })
    expect([body.web_search_options, withheld]).toEqual([undefined, 'provider/web_search'])
  })

  test('Gemini: a member of a tool goes, and so does what would have calls come in pieces', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [geminiWhole([{ text: 'ok' }])] })
    const contents = [{ role: 'user', parts: [{ text: 'x' }] }]
    const declared = { functionDeclarations: [{ name: 'get_weather' }] }
    const { body } = await sent(bench, '/v1beta/models/g:generateContent', {
      contents,
      tools: [{ ...declared, codeExecution: {} }, { googleSearch: {} }, { urlContext: {} }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true } },
    })
    expect(body).toEqual({ contents, tools: [declared, { googleSearch: {} }], toolConfig: { functionCallingConfig: { mode: 'AUTO' } } })
  })

  test('a tool that was allowed is not judged again in every turn', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [anthropicWhole([{ text: 'ok' }])] })
    const body = { model: 'm', messages: MESSAGES, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
    await sent(bench, '/v1/messages', body)
    await sent(bench, '/v1/messages', body)
    expect(bench.decided.length).toBe(1)
    bench.use(`${POLICY}  read_only: { auto_allow: true }\n`)
    await sent(bench, '/v1/messages', body)
    expect(bench.decided.length).toBe(2)
  })
})

describe('in answers', () => {
  const search = [
    { block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'MARKER' } } },
    { block: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] } },
    { text: 'found' },
  ]
  const ran = [{ block: { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'MARKER' } } }, { text: 'found' }]
  const code = [
    { block: { executableCode: { language: 'PYTHON', code: 'MARKER' } } },
    { block: { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } } },
    { text: 'x' },
  ]

  for (const [title, path, body, pieces, passes] of [
    [
      'a search that was offered',
      '/v1/messages',
      { messages: MESSAGES, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      anthropicEvents(search),
      true,
    ],
    ['a search that nobody offered', '/v1/messages', { messages: MESSAGES }, anthropicEvents(search), false],
    [
      'a search of a response that was offered',
      '/v1/responses',
      { input: 'x', tools: [{ type: 'web_search' }] },
      responsesEvents(ran),
      true,
    ],
    ['a search of a response that nobody offered', '/v1/responses', { input: 'x' }, responsesEvents(ran), false],
    [
      'code that nobody offered to run',
      '/v1beta/models/g:streamGenerateContent?alt=sse',
      { contents: [], tools: [{ codeExecution: {} }] },
      geminiEvents(code),
      false,
    ],
  ] as const) {
    test(`${title} ${passes ? 'passes as it is' : 'is withheld'}`, async () => {
      const bench = await proxyBench({ policy: POLICY })
      bench.answer({ pieces })
      const { text } = await sent(bench, path, { model: 'm', ...body })
      expect(text.includes('MARKER')).toBe(passes)
      if (passes) expect(text).toBe(pieces.join(''))
      else expect(bench.decided.at(-1)?.code).toBe('proxy.uninspected')
    })
  }
})

describe('Gemini', () => {
  const call = (name: string) => ({ call: { name, args: { city: 'Oslo' } } })
  const partsOf = (text: string): readonly Record<string, unknown>[] =>
    [...text.matchAll(/^(?:data: )?(\{.*\})\r?$/gm)].flatMap(([, data]) => {
      const { candidates } = JSON.parse(data ?? '{}') as {
        readonly candidates: readonly { readonly content: { readonly parts: readonly Record<string, unknown>[] } }[]
      }
      return candidates.flatMap(({ content }) => content.parts)
    })

  for (const [title, path, answer] of [
    [
      'whole',
      ':generateContent',
      { type: 'application/json', pieces: [geminiWhole([call('rm_rf'), call('get_weather'), call('get_weather')])] },
    ],
    ['in a stream', ':streamGenerateContent?alt=sse', { pieces: geminiEvents([call('rm_rf'), call('get_weather'), call('get_weather')]) }],
  ] as const) {
    test(`${title}: the first call that is left has the signature`, async () => {
      const bench = await proxyBench({ policy: POLICY })
      bench.answer(answer)
      const parts = partsOf((await sent(bench, `/v1beta/models/g${path}`, { contents: [] })).text)
      expect(parts.map(({ functionCall, thoughtSignature }) => [functionCall !== undefined, thoughtSignature ?? null])).toEqual([
        [false, 'c2lnbmVk'],
        [true, 'c2lnbmVk'],
        [true, null],
      ])
    })
  }

  test('a stream as a list is looked into as a whole', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [geminiList([{ text: 'a' }, call('rm_rf')])] })
    const { text } = await sent(bench, '/v1beta/models/g:streamGenerateContent', { contents: [] })
    expect(text).not.toContain('functionCall')
    const same = geminiList([{ text: 'a' }, call('get_weather')])
    bench.answer({ type: 'application/json', pieces: [same] })
    expect((await sent(bench, '/v1beta/models/g:streamGenerateContent', { contents: [] })).text).toBe(same)
  })

  test('pieces of a call, and calls in unknown places, are withheld', async () => {
    for (const part of [
      { functionCall: { name: 'get_weather', partialArgs: [{ jsonPath: '$.city', stringValue: 'MARKER' }], willContinue: true } },
      { functionCall: { name: 'get_weather', args: {} }, tool_calls: [{ name: 'MARKER' }] },
      { function_call: { name: 'MARKER', args: {} } },
    ]) {
      const bench = await proxyBench({ policy: POLICY })
      bench.answer({ pieces: geminiEvents([{ block: part }]) })
      expect((await sent(bench, '/v1beta/models/g:streamGenerateContent?alt=sse', { contents: [] })).text).not.toContain('MARKER')
      expect(bench.decided.map(({ code }) => code)).toEqual(['proxy.uninspected'])
    }
  })
})

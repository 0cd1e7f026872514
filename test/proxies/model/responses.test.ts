/** OpenAI's responses: items of every type, what a provider remembers, and events whose numbers rise. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { type ProxyBench, proxyBench } from '../../support/model-proxy.ts'
import { type Said, sse } from '../../support/model-turns.ts'
import { type ResponseOptions, responseItems, responsesEvents, responsesWhole } from '../../support/model-turns-more.ts'

const POLICY = `
tools: { get_weather: { risk_tier: low }, docs/search: { risk_tier: low } }
rules:
  allow: [{ tool: get_weather, reason: reads }, { tool: docs/search, reason: reads }]
`

const WEATHER: Said = { call: { id: 'call_w', name: 'get_weather', args: { city: 'Oslo' } } }
const REMOVE: Said = { call: { id: 'call_r', name: 'rm_rf', args: { path: 'MARKER' } } }

const openaiOf = (bench: ProxyBench) => new OpenAI({ apiKey: 'sk-test', baseURL: `${bench.url}/v1`, maxRetries: 0 })

async function sent(bench: ProxyBench, body: object): Promise<Record<string, unknown>> {
  await fetch(`${bench.url}/v1/responses`, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) })
  return JSON.parse(bench.asked.at(-1)?.text ?? '{}') as Record<string, unknown>
}

async function eventsOf(said: readonly Said[], options?: ResponseOptions): Promise<readonly Record<string, unknown>[]> {
  const bench = await proxyBench({ policy: POLICY })
  bench.answer({ pieces: responsesEvents(said, options) })
  const response = await fetch(`${bench.url}/v1/responses`, { method: 'POST', body: '{"model":"m","input":"x","stream":true}' })
  return dataOf(await response.text())
}

function dataOf(text: string): readonly Record<string, unknown>[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Record<string, unknown>)
}

const ITEMS = [
  ['a custom tool', { type: 'custom_tool_call', call_id: 'c', name: 'run_sql', input: 'DROP TABLE MARKER' }],
  [
    'a local shell',
    { type: 'local_shell_call', call_id: 'c', status: 'completed', action: { type: 'exec', command: ['rm', 'MARKER'], env: {} } },
  ],
  ['a shell', { type: 'shell_call', call_id: 'c', status: 'completed', action: { commands: ['rm MARKER'], timeout_ms: null } }],
  ['a patch', { type: 'apply_patch_call', call_id: 'c', status: 'completed', operation: { type: 'delete_file', path: 'MARKER' } }],
  [
    'a computer',
    { type: 'computer_call', call_id: 'c', status: 'completed', pending_safety_checks: [], action: { type: 'type', text: 'MARKER' } },
  ],
  [
    'several actions of a computer',
    { type: 'computer_call', call_id: 'c', status: 'completed', pending_safety_checks: [], actions: [{ type: 'type', text: 'MARKER' }] },
  ],
  [
    'a call of an MCP server that asks',
    { type: 'mcp_approval_request', name: 'delete', server_label: 'docs', arguments: '{"id":"MARKER"}' },
  ],
  [
    'a call in a namespace',
    { type: 'function_call', call_id: 'c', namespace: 'crm', name: 'delete', arguments: '{"id":"MARKER"}', status: 'completed' },
  ],
  [
    'a call of an MCP server that nobody offered',
    { type: 'mcp_call', name: 'delete', server_label: 'docs', arguments: '{"id":"MARKER"}', output: 'x' },
  ],
  ['an item of tomorrow with a call', { type: 'robot_call', name: 'move', arguments: '{"to":"MARKER"}' }],
  ['a call without a name', { type: 'function_call', call_id: 'c', arguments: '{"id":"MARKER"}', status: 'completed' }],
  [
    'a call that was not finished',
    { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '{"city":"MARKER"}', status: 'incomplete' },
  ],
  [
    'arguments that are no JSON',
    { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '{"city":"MARKER"', status: 'completed' },
  ],
] as const

describe('items that a client would run', () => {
  for (const [title, block] of ITEMS) {
    test(`${title}: in a stream and whole, a message stands in its place`, async () => {
      const events = await eventsOf([{ block }])
      expect(JSON.stringify(events)).not.toContain('MARKER')
      const last = events.at(-1) as { readonly response: { readonly output: readonly { readonly type: string; readonly id: string }[] } }
      expect(last.response.output.map(({ type }) => type)).toEqual(['message'])
      const done = events.find(({ type }) => type === 'response.output_item.done') as { readonly item: { readonly id: string } }
      expect(done.item.id).toBe(last.response.output[0]?.id)
      const bench = await proxyBench({ policy: POLICY })
      bench.answer({ type: 'application/json', pieces: [responsesWhole([{ block }])] })
      const response = await openaiOf(bench).responses.create({ model: 'm', input: 'x' })
      expect(JSON.stringify(response)).not.toContain('MARKER')
      expect(response.output.map(({ type }) => type)).toEqual(['message'])
    })
  }

  for (const [title, block] of [
    [
      'a shell',
      { type: 'shell_call', call_id: 'c', status: 'completed', action: { commands: ['ls'], timeout_ms: null, max_output_length: null } },
    ],
    ['a call of an MCP server that asks', { type: 'mcp_approval_request', name: 'search', server_label: 'docs', arguments: '{"q":"x"}' }],
  ] as const) {
    test(`${title} that may run passes as it is`, async () => {
      const pieces = responsesEvents([{ block }, { text: 'done' }])
      const bench = await proxyBench({ policy: POLICY.replace('tools: {', 'tools: { shell: { risk_tier: low },') })
      bench.answer({ pieces })
      const response = await fetch(`${bench.url}/v1/responses`, { method: 'POST', body: '{"model":"m","input":"x","stream":true}' })
      expect(await response.text()).toBe(pieces.join(''))
    })
  }
})

describe('events', () => {
  test('numbers rise, and indices stay', async () => {
    const events = await eventsOf([{ text: 'a' }, REMOVE, WEATHER, { text: 'b' }])
    const numbers = events.map(({ sequence_number: number }) => number as number)
    expect(numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0))).toBe(true)
    const added = events.filter(({ type }) => type === 'response.output_item.added')
    expect(added.map(({ output_index: index }) => index)).toEqual([0, 1, 2, 3])
    expect(added.map(({ item }) => (item as { readonly type: string }).type)).toEqual(['message', 'message', 'function_call', 'message'])
  })

  const [created = '', , added = '', ...others] = responsesEvents([WEATHER])
  const [end = ''] = others.slice(-1)
  for (const [title, pieces, code] of [
    [
      'deltas that say something else than the item',
      [created, added, ...others].map((each) => (each.includes('arguments.delta') ? each.replace('ci', 'MA') : each)),
      'proxy.mismatch',
    ],
    [
      'a done event that says something else',
      [created, added, ...others].map((each) => (each.includes('arguments.done') ? each.replace('Oslo', 'MARKER') : each)),
      'proxy.mismatch',
    ],
    ['an item that changes its name', [created, added.replace('get_weather', 'MARKER'), ...others], 'proxy.mismatch'],
    ['an item at the end that was never begun', [created, end.replace('"Oslo', '"MARKER').replace('\\"Oslo', '\\"MARKER')], null],
    ['an item that is not ended before the response is', [created, added, end.replace('\\"Oslo', '\\"MARKER')], 'proxy.incomplete'],
    ['fragments of a call that was not begun', [created, ...others.map((each) => each.replace('Oslo', 'MARKER'))], 'proxy.uninspected'],
    ['a call in an unknown event', [created, sse({ type: 'response.mood', tool_calls: [{ name: 'MARKER' }] }), end], 'proxy.uninspected'],
  ] as const satisfies readonly (readonly [string, readonly string[], string | null])[]) {
    test(title, async () => {
      const bench = await proxyBench({
        policy:
          'rules: { deny: [{ tool: get_weather, when: \'args.city == "MARKER"\', reason: x }], allow: [{ tool: get_weather, reason: x }] }\n',
      })
      bench.answer({ pieces })
      const response = await fetch(`${bench.url}/v1/responses`, { method: 'POST', body: '{"model":"m","input":"x","stream":true}' })
      expect(await response.text()).not.toContain('MARKER')
      if (code !== null) expect(bench.decided.map((each) => each.code)).toContain(code)
    })
  }
})

describe('what a provider remembers', () => {
  test('the next turn brings the output of a call that did not run', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ pieces: responsesEvents([WEATHER, REMOVE]) }, { type: 'application/json', pieces: [responsesWhole([{ text: 'ok' }])] })
    await openaiOf(bench).responses.stream({ model: 'm', input: 'x' }).finalResponse()
    const output = { type: 'function_call_output', call_id: 'call_w', output: 'sun' }
    const body = await sent(bench, { previous_response_id: 'resp_1', input: [output] })
    expect(body.input).toEqual([
      { type: 'function_call_output', call_id: 'call_r', output: expect.stringContaining('did not run') },
      output,
    ])
    const text = await sent(bench, { previous_response_id: 'resp_1', input: 'go on' })
    expect(text.input).toEqual([expect.objectContaining({ call_id: 'call_r' }), { role: 'user', content: 'go on' }])
    const other = await sent(bench, { previous_response_id: 'resp_2', input: 'go on' })
    expect(other.input).toBe('go on')
  })

  test('a conversation gets it once', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer(
      { type: 'application/json', pieces: [responsesWhole([REMOVE], { conversation: 'conv_1' })] },
      { type: 'application/json', pieces: [responsesWhole([{ text: 'ok' }], { conversation: 'conv_1' })] },
    )
    await sent(bench, { conversation: 'conv_1', input: 'x' })
    expect((await sent(bench, { conversation: 'conv_1', input: 'y' })).input).toEqual([
      expect.objectContaining({ call_id: 'call_r' }),
      { role: 'user', content: 'y' },
    ])
    expect((await sent(bench, { conversation: 'conv_1', input: 'z' })).input).toBe('z')
  })

  test('each type of call gets an output of its own', async () => {
    for (const [type, extra, expected] of [
      ['custom_tool_call', { name: 'x', input: 'y' }, { type: 'custom_tool_call_output', call_id: 'c' }],
      ['local_shell_call', { action: { type: 'exec', command: ['x'] } }, { type: 'local_shell_call_output', call_id: 'c' }],
      ['shell_call', { action: { commands: ['x'] } }, { type: 'shell_call_output', call_id: 'c' }],
      [
        'apply_patch_call',
        { operation: { type: 'delete_file', path: 'x' } },
        { type: 'apply_patch_call_output', call_id: 'c', status: 'failed' },
      ],
      [
        'mcp_approval_request',
        { id: 'c', name: 'x', server_label: 's', arguments: '{}' },
        { type: 'mcp_approval_response', approval_request_id: 'c', approve: false },
      ],
    ] as const) {
      const bench = await proxyBench()
      bench.answer(
        { type: 'application/json', pieces: [responsesWhole([{ block: { type, call_id: 'c', ...extra } }])] },
        { type: 'application/json', pieces: ['{}'] },
      )
      await sent(bench, { input: 'x' })
      const { input } = await sent(bench, { previous_response_id: 'resp_1', input: 'y' })
      expect(input).toEqual([expect.objectContaining(expected), { role: 'user', content: 'y' }])
    }
  })

  test('our message that comes back is the call again, with its output: thoughts before it stay valid', async () => {
    for (const store of [true, false]) {
      const bench = await proxyBench({ policy: POLICY })
      const said: readonly Said[] = [{ thinking: 'hm', signature: 'c2ln' }, REMOVE]
      bench.answer({ type: 'application/json', pieces: [responsesWhole(said, { store })] }, { type: 'application/json', pieces: ['{}'] })
      const { output } = await openaiOf(bench).responses.create({ model: 'm', input: 'x' })
      const { input } = await sent(bench, { input: [...output, { role: 'user', content: 'go on' }] })
      const [, call] = responseItems(said)
      const again = store ? { type: 'item_reference', id: 'fc_1' } : call
      expect(input).toEqual([
        output[0],
        again,
        { type: 'function_call_output', call_id: 'call_r', output: expect.stringContaining('did not run') },
        { role: 'user', content: 'go on' },
      ])
      const reference = await sent(bench, {
        input: [
          { type: 'item_reference', id: output[1]?.id },
          { role: 'user', content: 'y' },
        ],
      })
      expect(reference.input).toEqual([again, expect.objectContaining({ call_id: 'call_r' }), { role: 'user', content: 'y' }])
      const unknown = await sent(bench, {
        input: [
          { type: 'item_reference', id: 'msg_countersign_0' },
          { role: 'user', content: 'y' },
        ],
      })
      expect(unknown.input).toEqual([{ role: 'user', content: 'y' }])
    }
  })

  test('what is fetched later is judged, and told alike each time', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [responsesWhole([WEATHER, REMOVE])] })
    const first = await openaiOf(bench).responses.retrieve('resp_1')
    const second = await openaiOf(bench).responses.retrieve('resp_1')
    for (const { output } of [first, second]) expect(output.map(({ type }) => type)).toEqual(['function_call', 'message'])
    expect(bench.decided.map(({ decision }) => decision)).toEqual(['allow', 'deny', 'deny'])
    bench.answer({ pieces: responsesEvents([REMOVE]) })
    const stream = await fetch(`${bench.url}/v1/responses/resp_1?stream=true`)
    expect(await stream.text()).not.toContain('MARKER')
  })

  test('turns that name only the one before are one session', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: [responsesWhole([WEATHER])] })
    await sent(bench, { input: 'one' })
    await sent(bench, { previous_response_id: 'resp_1', input: 'two' })
    await sent(bench, { input: 'three' })
    const [one, two, three] = bench.decided.map(({ session }) => session)
    expect([one === two, one === three, one !== null]).toEqual([true, false, true])
  })
})

/** Ways around a gate that looks at answers: streams, shapes that nobody knows, encodings, other choices, paths written otherwise. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { proves } from '../../proves.ts'
import { type ProxyBench, proxyBench, type Scripted } from '../../support/model-proxy.ts'
import { anthropicEvents, anthropicWhole, chatChunk, chatEvents, chatWhole, sse } from '../../support/model-turns.ts'

const POLICY =
  'tools: { get_weather: { risk_tier: low } }\nrules: { deny: [{ tool: rm_rf, reason: never }], allow: [{ tool: get_weather, reason: reads }] }\n'
const REMOVE = { call: { name: 'rm_rf', args: { path: 'MARKER' } } }
const WEATHER = { call: { name: 'get_weather', args: { city: 'Oslo' } } }
const BODY = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] }

interface Got {
  readonly status: number
  readonly text: string
}

async function post(
  bench: ProxyBench,
  path: string,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Got> {
  const response = await fetch(`${bench.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...BODY, ...body }),
  })
  return { status: response.status, text: await response.text() }
}

async function answered(path: string, answer: Scripted, body: object = {}): Promise<Got & { readonly bench: ProxyBench }> {
  const bench = await proxyBench({ policy: POLICY })
  bench.answer(answer)
  return { ...(await post(bench, path, { body })), bench }
}

const uninspected = ({ proxy }: ProxyBench): number =>
  [...proxy.metrics.text().matchAll(/^countersign_proxy_uninspected_total\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )

describe('every way by which a call can come', () => {
  const both = [
    { index: 0, message: { role: 'assistant', content: 'fine' }, finish_reason: 'stop' },
    {
      index: 1,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'rm_rf', arguments: '{"path":"MARKER"}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ]

  for (const [title, path, answer] of [
    ['a whole message', '/v1/messages', { type: 'application/json', pieces: [anthropicWhole([REMOVE])] }],
    ['a stream of a message', '/v1/messages?beta=true', { pieces: anthropicEvents([REMOVE]) }],
    ['a whole completion', '/v1/chat/completions', { type: 'application/json', pieces: [chatWhole([REMOVE])] }],
    ['a stream of a completion', '/openai/deployments/x/chat/completions', { pieces: chatEvents([REMOVE]) }],
    [
      'the second of two choices',
      '/v1/chat/completions',
      { type: 'application/json', pieces: [JSON.stringify({ id: 'c', choices: both })] },
    ],
    [
      'the second of two choices in a stream',
      '/v1/chat/completions',
      {
        pieces: [
          chatChunk({ content: 'fine' }),
          chatChunk(
            { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'rm_rf', arguments: '{"path":"MARKER"}' } }] },
            null,
            1,
          ),
          chatChunk({}, 'stop'),
          chatChunk({}, 'tool_calls', 1),
          sse('[DONE]'),
        ],
      },
    ],
    [
      'a call in the first style of completions',
      '/v1/chat/completions',
      {
        pieces: [
          chatChunk({ function_call: { name: 'rm_rf', arguments: '{"path":' } }),
          chatChunk({ function_call: { arguments: '"MARKER"}' } }),
          chatChunk({}, 'function_call'),
          sse('[DONE]'),
        ],
      },
    ],
    [
      'fragments of two calls in turns',
      '/v1/chat/completions',
      {
        pieces: [
          chatChunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'rm_rf', arguments: '{"path"' } }] }),
          chatChunk({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'get_weather', arguments: '{' } }] }),
          chatChunk({ tool_calls: [{ index: 0, function: { arguments: ':"MARKER"}' } }] }),
          chatChunk({ tool_calls: [{ index: 1, function: { arguments: '}' } }] }),
          chatChunk({}, 'tool_calls'),
          sse('[DONE]'),
        ],
      },
    ],
    [
      'everything in one chunk, with text before it',
      '/v1/chat/completions',
      {
        pieces: [
          chatChunk(
            {
              content: 'fine',
              tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'rm_rf', arguments: '{"path":"MARKER"}' } }],
            },
            'tool_calls',
          ),
          sse('[DONE]'),
        ],
      },
    ],
  ] as const satisfies readonly (readonly [string, string, Scripted])[]) {
    proves('SIG-W1', `${title} is judged`, async () => {
      const { text, bench } = await answered(path, answer)
      expect(text).not.toContain('MARKER')
      expect(text).toContain('did not run')
      if (!text.includes('get_weather')) expect(text).not.toMatch(/"(?:tool_use|tool_calls|function_call)"\s*[,}]/)
      expect(bench.decided.map(({ decision }) => decision)).toContain('deny')
      expect(uninspected(bench)).toBe(0)
    })
  }
})

describe('what nobody can read', () => {
  const start = { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: {} } }
  const named = (data: { readonly type: string } & Record<string, unknown>): string => sse(data, data.type)
  const call = { name: 'rm_rf', input: { path: 'MARKER' } }

  for (const [title, path, pieces] of [
    ['an unknown event with a call in it', '/v1/messages', [named(start), named({ type: 'agent_event', ...call })]],
    [
      'a block of an unknown kind with a call',
      '/v1/messages',
      [
        named(start),
        named({ type: 'content_block_start', index: 0, content_block: { type: 'agent_call', ...call } }),
        named({ type: 'content_block_stop', index: 0 }),
      ],
    ],
    [
      'a block of a tool that nobody offered',
      '/v1/messages',
      [
        named(start),
        named({ type: 'content_block_start', index: 0, content_block: { type: 'mcp_tool_use', id: 'x', server_name: 's', ...call } }),
        named({ type: 'content_block_stop', index: 0 }),
      ],
    ],
    [
      'a message that begins with a call',
      '/v1/messages',
      [named({ ...start, message: { ...start.message, content: [{ type: 'tool_use', id: 't', ...call }] } })],
    ],
    [
      'fragments for a block of text',
      '/v1/messages',
      [
        named(start),
        named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        named({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"MARKER"' } }),
      ],
    ],
    [
      'an event that is no JSON',
      '/v1/messages',
      [named(start), 'event: content_block_start\ndata: {"type":"content_block_start","MARKER"\n\n'],
    ],
    [
      'a key that stands twice',
      '/v1/messages',
      [
        named(start),
        'data: {"type":"ping","type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"MARKER"}}\n\n',
      ],
    ],
    [
      'bytes that are no UTF-8',
      '/v1/messages',
      [named(start), Buffer.from([...Buffer.from('data: {"type":"MARKER'), 0xff, ...Buffer.from('"}\n\n')])],
    ],
    [
      'a call beside the delta',
      '/v1/chat/completions',
      [sse({ choices: [{ index: 0, delta: {}, message: { tool_calls: [{ function: call }] } }] })],
    ],
    [
      'a call in an unknown member of the delta',
      '/v1/chat/completions',
      [sse({ choices: [{ index: 0, delta: { agent: { toolCalls: [call] } } }] })],
    ],
    ['a call beside the choices', '/v1/chat/completions', [sse({ choices: [], tool_calls: [call] })]],
    ['an unknown API', '/api/chat', [sse({ message: { tool_calls: [{ function: call }] } })]],
  ] as const satisfies readonly (readonly [string, string, readonly (string | Buffer)[]])[]) {
    proves('T12', `${title} is withheld, and counted`, async () => {
      const { text, bench } = await answered(path, { pieces })
      expect(text).not.toContain('MARKER')
      expect(uninspected(bench)).toBe(1)
      expect(bench.decided.at(-1)?.code).toBe('proxy.uninspected')
    })
  }

  for (const [title, event] of [
    ['an event of tomorrow', named({ type: 'mood', mood: 'good' })],
    ['a comment', ': keepalive\n\n'],
    ['an error', named({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })],
    ['a delta of tomorrow', named({ type: 'content_block_delta', index: 0, delta: { type: 'mood_delta', mood: 'x' } })],
  ] as const) {
    test(`${title} passes as it is`, async () => {
      const pieces = [named(start), event, named({ type: 'message_stop' })]
      const { text, bench } = await answered('/v1/messages', { pieces })
      expect(text).toBe(pieces.join(''))
      expect(uninspected(bench)).toBe(0)
    })
  }

  proves('T12', 'a compressed answer is unpacked and judged', async () => {
    for (const [path, type, text] of [
      ['/v1/messages', 'text/event-stream', anthropicEvents([REMOVE]).join('')],
      ['/v1/chat/completions', 'application/json', chatWhole([REMOVE])],
    ] as const) {
      const packed = gzipSync(text)
      const pieces = [packed.subarray(0, 50), packed.subarray(50)]
      const got = await answered(path, { type, headers: { 'content-encoding': 'gzip' }, pieces })
      expect(got.text).not.toContain('MARKER')
      expect(got.text).toContain('did not run')
    }
  })

  proves('T12', 'an encoding or a form that is not known is not sent on', async () => {
    const odd = await answered('/v1/messages', { type: 'application/json', headers: { 'content-encoding': 'zz' }, pieces: ['MARKER'] })
    expect([odd.status, odd.text.includes('MARKER')]).toEqual([502, false])
    const binary = await answered('/v1/messages', { type: 'application/vnd.amazon.eventstream', pieces: ['MARKER'] })
    expect([binary.status, binary.text.includes('MARKER'), uninspected(binary.bench)]).toEqual([502, false, 1])
    const broken = await answered('/v1/messages', { type: 'application/json', pieces: ['{"content":[{"type":"tool_use","name":"MARKER"'] })
    expect([broken.status, broken.text.includes('MARKER'), uninspected(broken.bench)]).toEqual([403, false, 1])
  })

  proves('T12', 'paths that are written otherwise are looked into all the same', async () => {
    for (const path of [
      '/v1/messages/',
      '/v1//messages',
      '/V1/Messages',
      '/v1/m%65ssages',
      '/v1/chat//completions',
      '/v1/chat/completions/',
      '/v1/files/../messages',
    ]) {
      const { text, bench } = await answered(path, {
        type: 'application/json',
        pieces: [path.includes('chat') ? chatWhole([REMOVE]) : anthropicWhole([REMOVE])],
      })
      expect(text, path).not.toContain('MARKER')
      expect(bench.decided.length, path).toBeGreaterThan(0)
    }
  })

  proves('T12', 'batches, realtime sessions and sockets are not let through unless the policy names them', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ type: 'application/json', pieces: ['{"ok":true}'] })
    for (const path of ['/v1/messages/batches', '/v1/batches', '/v1/realtime/sessions', '/v1/threads/t/runs'])
      expect((await post(bench, path)).status, path).toBe(403)
    expect(bench.asked).toEqual([])
    expect(uninspected(bench)).toBe(4)
    bench.use(`${POLICY}model_proxy: { unseen: ["/v1/messages/batches*"] }\n`)
    expect((await post(bench, '/v1/messages/batches')).text).toBe('{"ok":true}')
    expect(uninspected(bench)).toBe(5)
  })
})

describe('what is cut', () => {
  const cases = [
    ['/v1/messages', anthropicEvents([WEATHER])],
    ['/v1/chat/completions', chatEvents([WEATHER])],
  ] as const
  for (const [path, all] of cases) {
    for (const breaks of [false, true]) {
      proves('T12', `${path}: a call whose stream ${breaks ? 'breaks' : 'ends'} before it does is not sent on`, async () => {
        const at = all.findIndex((event) => event.includes('get_weather')) + 3
        const bench = await proxyBench({ policy: POLICY })
        bench.answer({ pieces: all.slice(0, at), breaks })
        const { text } = await post(bench, path)
        expect(text).not.toMatch(/toolu_|"id":"call_|Osl/)
        expect(text).toContain('withheld')
        expect(bench.decided.map(({ code }) => code)).toEqual(['proxy.incomplete'])
      })
    }
  }

  test('a stream that breaks without a call breaks here, too', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer({ pieces: anthropicEvents([{ text: 'hello' }]).slice(0, 4), breaks: true })
    await expect(post(bench, '/v1/messages')).rejects.toThrow()
  })
})

describe('shadow', () => {
  test('everything passes as it is, and the log says what would have been', async () => {
    const bench = await proxyBench({ policy: `mode: shadow\n${POLICY}` })
    for (const [path, answer] of [
      ['/v1/messages', { pieces: anthropicEvents([REMOVE]) }],
      ['/v1/chat/completions', { type: 'application/json', pieces: [chatWhole([REMOVE])] }],
      ['/v1/messages', { pieces: [sse({ type: 'agent_event', name: 'x', input: {} })] }],
    ] as const satisfies readonly (readonly [string, Scripted])[]) {
      bench.answer(answer)
      expect((await post(bench, path)).text).toBe(answer.pieces.join(''))
    }
    expect(bench.decided.map(({ decision, would }) => `${decision} ${would}`)).toEqual(['flag deny', 'flag deny', 'flag deny'])
    expect(bench.proxy.metrics.text()).toContain('countersign_proxy_shadow_would_total{route="anthropic",would="deny"} 2')
  })
})

/** Frames between an editor and an agent, over a real gate and store: what is not changed is not touched, what can be read in two ways goes nowhere. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepResult } from '../../src/cli/results.ts'
import { recordPrompt, withWords } from '../../src/cli/session-words.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { bytesDigest, digester, openGate } from '../../src/open.ts'
import { createAcpTraffic } from '../../src/proxies/acp/traffic.ts'
import { deliver, type Exchange } from '../../src/proxies/mcp/shared.ts'
import type { Store, StoredRecord } from '../../src/store/store.ts'
import { proves } from '../proves.ts'
import { mcpPolicy } from '../support/mcp.ts'
import { stateDirectoryOfTest } from '../support/state.ts'
import { describedView } from '../support/workplace.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
rules:
  deny: [{ tool: Bash, argument_contains: forbidden }]
`

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytesOf = (message: Json | string) => new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message))

function between(attended = true) {
  const policy = mcpPolicy(POLICY)
  const opened = openGate({ home: stateDirectoryOfTest(), policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
  onTestFinished(() => opened.close())
  const [toEditor, toAgent, uninspected]: [string[], string[], string[]] = [[], [], []]
  const kept: Promise<unknown>[] = []
  const traffic = createAcpTraffic(
    {
      gate: opened.gate,
      queue: opened.queue,
      digester,
      bytesDigest,
      keep: (call, response, failed) => {
        const result = keepResult(opened, { call, response, failed })
        kept.push(result.kept)
        return result
      },
      withWords: (call) => withWords(opened, call, false),
      prompt: (session, words) => recordPrompt(opened, { kind: 'prompt', session, text: words }),
      uninspected: (what, passed) => uninspected.push(`${what} ${passed ? 'passed' : 'blocked'}`),
      note: () => {},
    },
    { principal: { agent: 'goose', role: null, user: 'me', tenant: null, chain: [] }, cwd: '/repo', prefix: 'acp-', attended },
  )
  const exchange: Exchange = {
    scope: '',
    signal: new AbortController().signal,
    tell: (bytes) => toEditor.push(text(bytes)),
    ask: (bytes) => toAgent.push(text(bytes)),
  }
  return {
    opened,
    toEditor,
    toAgent,
    uninspected,
    kept,
    /** Resolves once what becomes of the message is known. */
    agent: async (message: Json | string): Promise<void> => {
      const outgoing = traffic.fromServer(bytesOf(message), '', exchange)
      deliver(outgoing, (bytes) => toEditor.push(text(bytes)))
      await outgoing
    },
    editor: async (message: Json | string): Promise<void> => {
      const onward = await traffic.fromClient(bytesOf(message))
      if (onward.kind === 'forward') toAgent.push(text(onward.bytes))
      if (onward.kind === 'answer') toEditor.push(text(onward.bytes))
    },
    gone: (why: string) => traffic.serverGone('', why).map(text),
  }
}

const terminal = (id: number | string, command: string, more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'terminal/create',
  params: { sessionId: 's-1', command, ...more },
})
const OPTIONS = [
  { optionId: 'a', name: 'yes', kind: 'allow_once' },
  { optionId: 'r', name: 'no', kind: 'reject_once' },
]

describe('bytes', () => {
  const frames: readonly (readonly [string, string])[] = [
    [
      'a command that runs',
      '{ "method":"terminal/create",  "params":{"command":"ls","sessionId":"s-1","_meta":{"x":1e2}},"id" : "a\\u0041","jsonrpc":"2.0"}',
    ],
    [
      'a question that nothing changes',
      `{"id":1,"jsonrpc":"2.0","method":"session/request_permission","params":{"sessionId":"s-1", "toolCall":{"toolCallId":"c","title":"ls","kind":"execute","rawInput":{"command":"ls"}},"options":${JSON.stringify(OPTIONS)}}}`,
    ],
    ['a plan', '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"plan","entries":[ ]}}}'],
    ['a method that nobody knows', '{"jsonrpc":"2.0","id":9007199254740993,"method":"_zed/thing","params":{"n":0.1e-400}}'],
    ['what is no message', 'debug: listening'],
  ]
  for (const [name, frame] of frames)
    test(`${name} goes on as it came`, async () => {
      const at = between()
      await at.agent(frame)
      expect([at.toEditor, at.toAgent]).toEqual([[frame], []])
    })

  test('from the editor, too', async () => {
    const at = between()
    const all = [
      '{"jsonrpc":"2.0", "id":1,"method":"session/new","params":{"cwd":"/repo","mcpServers":[]}}',
      '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s-1","prompt":[{"type":"text","text":"list them"}]}}',
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s-1"} }',
      '{"jsonrpc":"2.0","id":"nobody asked","result":{}}',
    ]
    for (const each of all) await at.editor(each)
    expect([at.toAgent, at.toEditor]).toEqual([all, []])
    expect(at.gone('it ended').map((each) => JSON.parse(each).id)).toEqual([1, 2])
  })
})

describe('a command that is told in the title alone, as Gemini CLI does', () => {
  const question = (title: string): JsonObject => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'session/request_permission',
    params: { sessionId: 's-1', toolCall: { toolCallId: 'c', title, kind: 'execute', content: [], locations: [] }, options: OPTIONS },
  })

  test('is denied for what it says', async () => {
    const at = between()
    await at.agent(question('touch marker && echo forbidden'))
    expect(JSON.parse(at.toAgent[0] ?? '{}')).toMatchObject({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'r' } } })
    expect(at.toEditor.filter((each) => each.includes('request_permission'))).toEqual([])
  })

  test('is allowed by nothing that it says: the person is asked', async () => {
    const at = between()
    void at.agent(question('ls'))
    await expect.poll(() => at.toEditor.filter((each) => each.includes('request_permission'))).toHaveLength(1)
    expect(at.toAgent).toEqual([])
  })
})

describe('two readings', () => {
  proves('T12', 'a message that can be read in two ways goes nowhere, and is counted', async () => {
    for (const frame of [
      '{"jsonrpc":"2.0","id":1,"method":"_x","method":"terminal/create","params":{"sessionId":"s-1","command":"forbidden"}}',
      '{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s-1","command":"ls","command":"forbidden"}}',
      '{"jsonrpc":"2.0","id":1,"Method":"terminal/create","method":"_x","params":{}}',
      '{"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"sessionId":"s-1","command":"ls","outputByteLimit":9007199254740993}}',
    ]) {
      const at = between()
      await at.agent(frame)
      expect([frame, at.toEditor, at.uninspected]).toEqual([frame, [], ['agent message blocked']])
      expect(JSON.parse(at.toAgent[0] ?? '{}')).toMatchObject({ id: 1, error: { code: -32600 } })
    }
    const at = between()
    await at.agent(`[${JSON.stringify(terminal(1, 'ls'))}]`)
    const { id: _id, ...without } = terminal(1, 'forbidden')
    await at.agent(without)
    expect(at.toEditor).toEqual([])
    expect(at.uninspected).toEqual(['agent message blocked', 'request without an id blocked'])
  })

  test('what cannot be told is denied and recorded, whatever the shape', async () => {
    const at = between()
    const shapes: readonly JsonObject[] = [
      {},
      { command: 7 },
      { command: 'ls', args: 'x' },
      { command: 'ls', args: [1] },
      { command: 'ls', env: [{ name: 'a=b c', value: 'x' }] },
      { command: 'ls', env: { LD_PRELOAD: 'x' } },
      { command: 'ls', cwd: 3 },
    ]
    for (const [index, params] of shapes.entries())
      await at.agent({ jsonrpc: '2.0', id: index, method: 'terminal/create', params: { sessionId: 's-1', ...params } })
    for (const method of ['fs/write_text_file', 'fs/read_text_file', 'session/request_permission'])
      await at.agent({ jsonrpc: '2.0', id: method, method, params: { sessionId: 's-1' } })
    expect(at.toEditor.filter((each) => !each.includes('session/update'))).toEqual([])
    expect(at.toAgent).toHaveLength(shapes.length + 3)
    expect(list(at.opened.store.read({ kind: 'decision' })).map(({ decision }) => decision)).toEqual(Array(shapes.length + 3).fill('deny'))
  })
})

describe('people', () => {
  test('unattended: an approval answers, the call runs once, and its result is kept', async () => {
    const at = between(false)
    const waiting = at.agent(terminal(1, 'git push --force origin main'))
    const id = await pendingIn(at)
    expect(at.toEditor).toEqual([])
    await at.opened.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    await waiting
    expect(at.toEditor).toHaveLength(1)
    await at.editor({ jsonrpc: '2.0', id: 1, result: { terminalId: 't-1' } })
    await Promise.all(at.kept)
    expect(list(at.opened.store.read({ kind: 'result' }))).toHaveLength(1)
    const denied = at.agent(terminal(2, 'git push --force origin main'))
    await at.opened.queue.answer(await pendingIn(at), { tenant: null, by: 'human:alice', verdict: 'deny' })
    await denied
    expect(at.toEditor).toHaveLength(1)
    expect(JSON.parse(at.toAgent.at(-1) ?? '{}')).toMatchObject({ id: 2, error: { code: 403 } })
  })

  test('a turn that the person ends takes what waits with it, and nobody’s later yes lets it run', async () => {
    const at = between(false)
    const waiting = at.agent(terminal(1, 'git push --force origin main'))
    const id = await pendingIn(at)
    await at.editor({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's-1' } })
    await waiting
    await at.opened.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    expect(at.toEditor).toEqual([])
    expect(JSON.parse(at.toAgent.at(-1) ?? '{}')).toMatchObject({ id: 1, error: { code: 403 } })
  })

  test('an agent cannot answer the question that the person is asked', async () => {
    const at = between()
    const waiting = at.agent(terminal(1, 'git push --force origin main'))
    await expect.poll(() => at.toEditor.length).toBe(1)
    const question = JSON.parse(at.toEditor[0] ?? '{}') as {
      readonly id: string
      readonly params: { readonly options: readonly { readonly optionId: string }[] }
    }
    const yes = { outcome: { outcome: 'selected', optionId: question.params.options[0]?.optionId ?? '' } }
    await at.agent({ jsonrpc: '2.0', id: question.id, result: yes })
    await at.agent(terminal(1, 'ls'))
    expect(at.toEditor.some((each) => each.includes('terminal/create'))).toBe(false)
    await at.editor({ jsonrpc: '2.0', id: question.id, result: { outcome: { outcome: 'selected', optionId: 'something else' } } })
    await waiting
    expect(at.toEditor.some((each) => each.includes('terminal/create'))).toBe(false)
    expect(at.toAgent.filter((each) => each.includes('"code":403'))).toHaveLength(2)
  })

  test('a question that the agent does not wait for is withdrawn, and its late answer is none of the agent’s', async () => {
    const at = between()
    const waiting = at.agent(terminal(1, 'git push --force origin main'))
    await expect.poll(() => at.toEditor.length).toBe(1)
    const { id } = JSON.parse(at.toEditor[0] ?? '{}') as { readonly id: string }
    await at.agent({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 1 } })
    await waiting
    expect(at.toEditor.some((each) => each.includes('$/cancel_request') && each.includes(id))).toBe(true)
    const before = at.toAgent.length
    await at.editor({ jsonrpc: '2.0', id, result: { outcome: { outcome: 'selected', optionId: 'countersign-allow' } } })
    expect([at.toAgent.length, at.toEditor.some((each) => each.includes('terminal/create'))]).toEqual([before, false])
  })

  test('what the user asked for is known to the gate', async () => {
    const at = between()
    await at.editor({
      jsonrpc: '2.0',
      id: 1,
      method: 'session/prompt',
      params: { sessionId: 's-1', prompt: [{ type: 'text', text: 'tidy up' }] },
    })
    await at.agent(terminal(2, 'ls'))
    const [prompt] = list(at.opened.store.read({ kind: 'session' }))
    expect(prompt).toMatchObject({ session: 'acp-s-1', body: { event: 'prompt', task: 'tidy up' } })
  })
})

async function pendingIn({ opened }: ReturnType<typeof between>): Promise<string> {
  let id = ''
  await expect
    .poll(() => {
      id = opened.queue.list({ tenant: null, status: 'pending' }).approvals[0]?.id ?? ''
      return id
    })
    .not.toBe('')
  return id
}

function list(records: ReturnType<Store['read']>): readonly StoredRecord[] {
  return Symbol.iterator in records ? [...records] : []
}

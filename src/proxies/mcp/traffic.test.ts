import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { answers, call, calls, initialize, MCP_POLICY, mcpPlace, says, stateless } from '../../../test/support/mcp.ts'
import type { JsonObject } from '../../core/json.ts'
import { unlockSession } from '../../open-sessions.ts'

const HELD = `${MCP_POLICY}mcp_proxy: { hold: 10s }\n`
const BRIEF = `${MCP_POLICY}mcp_proxy: { hold: 50ms }\n`

const textOf = (message: JsonObject): string => JSON.stringify(message)

describe('what is no call', () => {
  const LINES = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
    '{ "method" : "notifications/initialized", "jsonrpc":"2.0" }',
    '{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"file:///x","_meta":{"progressToken":12345678901234567890}}}',
    '{"jsonrpc":"2.0","id":2,"method":"unknown/method","params":{"n":1.10,"big":123456789012345678901234567890,"half":"\\ud800"}}',
    '{"jsonrpc":"2.0","id":3,"result":{"role":"assistant","content":{"type":"text","text":"sampled"}}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never seen"}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}',
    '[{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]',
    '{"id":7,"method":"tasks/list"}',
    '{"anything":[1,2,3]}',
  ]
  test('goes on byte by byte and in order, both ways', () => {
    const place = mcpPlace()
    for (const line of LINES) place.fromClient(line)
    expect(place.toServer).toEqual(LINES)
    const back = [...LINES.filter((line) => !line.includes('"id":2')), 'a line of a log', '{"jsonrpc":"2.0","id":1,"result":{"x":1.0}}']
    for (const line of back) place.fromServer(line)
    expect(place.toClient).toEqual(back)
    expect(place.uninspected).toEqual([])
    expect(place.records()).toEqual([])
  })
})

describe('a call', () => {
  proves('P5', 'that is allowed goes on as it came, and its result comes back as it came; both are on record', async () => {
    const place = mcpPlace()
    const line = '{ "jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"b":1,"a":"\\u0041"},"x":[1.0]}}'
    place.fromClient(line)
    await place.serverGets(calls(1))
    expect(place.toServer).toEqual([line])
    const result = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\\u00e4"}],"n":12345678901234567890}}'
    place.fromServer(result)
    expect(place.toClient).toEqual([result])
    const [decision] = place.records('decision')
    expect(decision).toMatchObject({ decision: 'allow', tool: 'echo', session: 's-1', body: { call: { server: 'filesystem' } } })
    await expect.poll(() => place.records('result').length).toBe(1)
  })

  test('that is denied is answered with a result that the model can read, and never reaches the server', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'forbidden'))
    const answer = await place.clientGets(answers(1))
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ type: 'text' }], _meta: { 'countersign/decision': { decision: 'deny' } } },
    })
    expect(textOf(answer)).toContain('rules.denied')
    expect(answer.result).not.toHaveProperty('resultType')
    expect(place.toServer).toEqual([])
  })

  test('of the stateless protocol is answered in its form; one that asks for a task with an error', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'forbidden', {}, stateless('claude-code')))
    expect(await place.clientGets(answers(1))).toMatchObject({ result: { resultType: 'complete', isError: true } })
    place.fromClient(call(2, 'forbidden', {}, { task: { ttl: 1000 } }))
    expect(await place.clientGets(answers(2))).toMatchObject({
      error: { code: 403, data: { 'countersign/decision': { decision: 'deny' } } },
    })
  })

  test('that asks is pending once nobody answered in time; after a yes the same call runs, once', async () => {
    const place = mcpPlace({ policy: BRIEF })
    place.fromClient(call(1, 'delete_account', { id: 7 }))
    const pending = await place.clientGets(answers(1))
    expect(textOf(pending)).toContain('is pending until')
    const [{ id } = { id: '' }] = place.queue.list({ tenant: null }).approvals
    await place.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    place.fromClient(call(2, 'delete_account', { id: 7 }))
    await place.serverGets(calls(2))
    place.fromClient(call(3, 'delete_account', { id: 7 }))
    await place.clientGets(answers(3))
    expect(place.toServer).toHaveLength(1)
  })

  test('is held where somebody answers in time: a yes lets it run, a no is told', async () => {
    const place = mcpPlace({ policy: HELD })
    for (const [id, verdict] of [
      [1, 'approve'],
      [2, 'deny'],
    ] as const) {
      place.fromClient(call(id, 'delete_account', { id }))
      await expect.poll(() => place.queue.list({ tenant: null, status: 'pending' }).approvals.length).toBe(1)
      const [{ id: approval } = { id: '' }] = place.queue.list({ tenant: null, status: 'pending' }).approvals
      await place.queue.answer(approval, { tenant: null, by: 'human:alice', verdict })
      if (verdict === 'approve') await place.serverGets(calls(id))
      else expect(textOf(await place.clientGets(answers(id)))).toContain('approval.denied')
    }
    expect(place.toServer).toHaveLength(1)
  })

  test('that is held tells its progress, and lets every other message through meanwhile', async () => {
    const place = mcpPlace({ policy: HELD })
    place.fromClient(initialize('opencode'))
    place.fromClient(call(1, 'delete_account', { id: 1 }, { _meta: { progressToken: 'p' } }))
    expect(await place.clientGets(says('notifications/progress'))).toMatchObject({
      params: { progressToken: 'p', message: expect.stringContaining('apr_') },
    })
    place.fromClient({ jsonrpc: '2.0', id: 2, method: 'ping' })
    place.fromClient(call(3, 'echo'))
    await place.serverGets(says('ping'))
    await place.serverGets(calls(3))
    place.fromServer({ jsonrpc: '2.0', id: 9, method: 'sampling/createMessage', params: {} })
    await place.clientGets(says('sampling/createMessage'))
    expect(place.toServer.some((line) => line.includes('delete_account'))).toBe(false)
    place.leave()
  })

  test('that the client gave up never runs, whatever people say later', async () => {
    const place = mcpPlace({ policy: HELD })
    place.fromClient(call(1, 'delete_account', { id: 1 }))
    await expect.poll(() => place.queue.list({ tenant: null, status: 'pending' }).approvals.length).toBe(1)
    place.fromClient({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    const [{ id } = { id: '' }] = place.queue.list({ tenant: null, status: 'pending' }).approvals
    await place.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(place.toServer).toEqual([])
    expect(place.toClient).toEqual([])
    // The yes is still there for whoever asks again.
    place.fromClient(call(2, 'delete_account', { id: 1 }))
    await place.serverGets(calls(2))
  })

  test('that was let through is cancelled at the server', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'echo'))
    await place.serverGets(calls(1))
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    place.fromClient(cancelled)
    expect(place.toServer.at(-1)).toBe(JSON.stringify(cancelled))
  })

  test('is refused where another one has its id', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'echo'))
    place.fromClient(call(1, 'echo', { again: true }))
    expect(await place.clientGets(answers(1))).toMatchObject({ error: { code: -32600 } })
    await place.serverGets(calls(1))
    expect(place.toServer).toHaveLength(1)
  })

  proves('T53', 'after one that halted the session does not run, and runs again once a person lifts that', async () => {
    const place = mcpPlace({ policy: `${MCP_POLICY}disclosure: { repeats_before_halt: 1 }\n` })
    place.fromClient(call(1, 'forbidden'))
    await place.clientGets(answers(1))
    place.fromClient(call(2, 'echo'))
    expect(textOf(await place.clientGets(answers(2)))).toContain('session.locked')
    expect(place.toServer).toEqual([])
    const { store } = place.opened
    await unlockSession(store, { session: 's-1', tenant: null, by: 'human:alice', reason: 'mended', now: store.now() })
    place.fromClient(call(3, 'echo'))
    await place.serverGets(calls(3))
    expect(place.toServer).toHaveLength(1)
  })
})

describe('what can be read in two ways goes nowhere', () => {
  for (const [title, line] of [
    ['a name twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"forbidden"}}'],
    ['arguments twice', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{},"arguments":{"x":1}}}'],
    ['another case of a name', '{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"forbidden"}}'],
    ['the long s', '{"jsonrpc":"2.0","id":1,"method":"tools/call","paramſ":{"name":"forbidden"},"params":{"name":"echo"}}'],
    ['another case inside', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","Name":"forbidden"}}'],
    [
      'two cases of an argument',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"path":"a","Path":"b"}}}',
    ],
    ['calls in a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}]'],
  ] as const) {
    test(title, async () => {
      const place = mcpPlace()
      place.fromClient(line)
      expect(await place.clientGets((message) => message.error !== undefined)).toMatchObject({ error: { code: -32600 } })
      expect(place.toServer).toEqual([])
      expect(place.records('decision')).toMatchObject([{ decision: 'deny' }])
      expect(place.uninspected).toEqual(['client message blocked'])
    })
  }

  test('a number that a double cannot carry is no argument, and does no harm elsewhere', async () => {
    const place = mcpPlace()
    place.fromClient('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":12345678901234567890}}}')
    expect(await place.clientGets(answers(1))).toMatchObject({ result: { isError: true } })
    place.fromClient('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","_meta":{"t":12345678901234567890}}}')
    await place.serverGets(calls(2))
    expect(place.toServer).toHaveLength(1)
  })

  test('a call without an id, and what is no JSON', () => {
    const place = mcpPlace()
    place.fromClient('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}')
    place.fromClient('tools/call')
    expect(place.toServer).toEqual([])
    expect(place.toClient).toHaveLength(1)
    expect(place.uninspected).toEqual(['call without an id blocked', 'client message blocked'])
  })
})

describe('people change the arguments', () => {
  test('the server gets the changed call, and the model is told', async () => {
    const place = mcpPlace({ policy: HELD })
    place.fromClient(call(1, 'delete_account', { id: 1, note: 'x' }))
    await expect.poll(() => place.queue.list({ tenant: null, status: 'pending' }).approvals.length).toBe(1)
    const [{ id } = { id: '' }] = place.queue.list({ tenant: null, status: 'pending' }).approvals
    const edited = await place.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve', modifiedArguments: { id: 2 } })
    await place.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve', version: edited.approval.version })
    expect(await place.serverGets(calls(1))).toMatchObject({ params: { name: 'delete_account', arguments: { id: 2, note: 'x' } } })
    place.fromServer({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } })
    const answer = await place.clientGets(answers(1))
    expect(answer).toMatchObject({ result: { content: [{ text: 'done' }, { text: expect.stringContaining('"id":2') }] } })
  })
})

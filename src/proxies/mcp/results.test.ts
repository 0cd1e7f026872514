import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { answers, call, calls, MCP_POLICY, type McpPlace, mcpPlace, stateless } from '../../../test/support/mcp.ts'
import type { Json, JsonObject } from '../../core/json.ts'

const CANARY = 'canary-4f1a9c77d2'
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const HIDDEN = 'hello\u{e0041}\u{e0042}\u{e0043}'

const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

/** The result of an allowed call as the client gets it. */
async function resultOf(place: McpPlace, result: Json, id = 1): Promise<JsonObject> {
  place.fromClient(call(id, 'echo', { id }))
  await place.serverGets(calls(id))
  place.fromServer({ jsonrpc: '2.0', id, result })
  return place.clientGets(answers(id))
}

describe('the result of a call', () => {
  test('that holds a secret or what nobody sees comes with a note behind its content; the log has the finding', async () => {
    const place = mcpPlace()
    for (const [id, said, rule] of [
      [1, `token: ${SECRET}`, 'secret'],
      [2, HIDDEN, 'hidden'],
    ] as const) {
      const answer = await resultOf(place, text(said), id)
      expect(answer).toMatchObject({
        result: { content: [{ text: said }, { type: 'text', text: expect.stringContaining('Countersign: This response holds') }] },
      })
      await expect.poll(() => JSON.stringify(place.records('result').at(-1)?.body.findings ?? [])).toContain(rule)
    }
  })

  test('that holds a canary is held back, and others where the policy says so', async () => {
    const guarded = `${MCP_POLICY}guards: { canary: { tokens: [${CANARY}] } }\n`
    const place = mcpPlace({ policy: guarded })
    const answer = await resultOf(place, text(`here: ${CANARY}`))
    expect(answer).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining('held back') }] } })
    expect(JSON.stringify(answer)).not.toContain(CANARY)
    place.policy(`${guarded}mcp_proxy: { withhold: [secret] }\n`)
    expect(JSON.stringify(await resultOf(place, text(`key ${SECRET}`), 2))).not.toContain(SECRET)
    expect(JSON.stringify(await resultOf(place, text(`here: ${CANARY}`), 3))).toContain(CANARY)
  })

  test('in shadow mode is held back never', async () => {
    const place = mcpPlace({ policy: `mode: shadow\n${MCP_POLICY}guards: { canary: { tokens: [${CANARY}] } }\n` })
    expect(JSON.stringify(await resultOf(place, text(CANARY)))).toContain(CANARY)
  })

  test('is found in structured content, in resources and in the result of a task', async () => {
    const place = mcpPlace({ policy: `${MCP_POLICY}guards: { canary: { tokens: [${CANARY}] } }\n` })
    const structured = { content: [], structuredContent: { deep: [{ er: CANARY }] } }
    const resource = { content: [{ type: 'resource', resource: { uri: 'x:y', text: CANARY } }] }
    for (const [id, result] of [
      [1, structured],
      [2, resource],
    ] as const)
      expect(JSON.stringify(await resultOf(place, result, id))).not.toContain(CANARY)
    for (const [id, began, method, done] of [
      [3, { task: { taskId: 't-1', status: 'working' } }, 'tasks/result', text(CANARY)],
      [
        5,
        { resultType: 'task', taskId: 't-2', status: 'working' },
        'tasks/get',
        { resultType: 'complete', status: 'completed', result: text(CANARY) },
      ],
    ] as const) {
      await resultOf(place, began, id)
      place.fromClient({ jsonrpc: '2.0', id: id + 1, method, params: { taskId: id === 3 ? 't-1' : 't-2' } })
      place.fromServer({ jsonrpc: '2.0', id: id + 1, result: done })
      const answer = await place.clientGets(answers(id + 1))
      expect(JSON.stringify(answer)).not.toContain(CANARY)
    }
  })

  test('that is an error of the protocol goes on, and is on record as a failure', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'echo'))
    await place.serverGets(calls(1))
    place.fromServer({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'no' } })
    expect(await place.clientGets(answers(1))).toMatchObject({ error: { code: -32000 } })
    await expect.poll(() => place.records('result').at(-1)?.body.response).toMatchObject({ failed: true })
  })

  test('that never comes is answered once the server is gone', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'echo'))
    await place.serverGets(calls(1))
    const [answer] = place.traffic.serverGone('', 'the server ended')
    expect(new TextDecoder().decode(answer)).toContain('whether the call ran is not known')
  })
})

describe('what cannot be inspected', () => {
  const TWICE = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}],"content":[]}}'

  test('is held back and counted; the policy may let it pass, which is counted, too', async () => {
    const place = mcpPlace()
    place.fromClient(call(1, 'echo'))
    await place.serverGets(calls(1))
    place.fromServer(TWICE)
    expect(await place.clientGets(answers(1))).toMatchObject({ result: { isError: true } })
    expect(place.uninspected).toEqual(['server message blocked'])
    place.policy(`${MCP_POLICY}mcp_proxy: { uninspected: pass }\n`)
    place.fromClient(call(2, 'echo'))
    await place.serverGets(calls(2))
    const second = TWICE.replace('"id":1', '"id":2')
    place.fromServer(second)
    expect(place.toClient.at(-1)).toBe(second)
    expect(place.uninspected.at(-1)).toBe('server message passed')
    expect(place.records('result').every(({ body }) => JSON.stringify(body).includes('could not be inspected'))).toBe(true)
  })

  test('a result that answers nothing known is held back, too', () => {
    const place = mcpPlace()
    place.fromServer({ jsonrpc: '2.0', id: 'stray', result: text('x') })
    expect(place.toClient).toEqual([])
    expect(place.uninspected).toEqual(['unexpected result blocked'])
  })

  test('results in a batch are taken apart', async () => {
    const place = mcpPlace({ policy: `${MCP_POLICY}guards: { canary: { tokens: [${CANARY}] } }\n` })
    place.fromClient(call(1, 'echo'))
    await place.serverGets(calls(1))
    place.fromServer([
      { jsonrpc: '2.0', method: 'notifications/x' },
      { jsonrpc: '2.0', id: 1, result: text(CANARY) },
    ])
    expect(place.toClient).toHaveLength(2)
    expect(place.toClient.join()).not.toContain(CANARY)
  })
})

describe('a call that goes on after the server asked for more', () => {
  const POLICY = `${MCP_POLICY}mcp_proxy: { hold: 10s }\n`

  proves('PIT-4', 'rests on the yes that it was let through with, and only once', async () => {
    const place = mcpPlace({ policy: POLICY })
    const more = stateless('claude-code')
    place.fromClient(call(1, 'delete_account', { id: 1 }, more))
    await expect.poll(() => place.queue.list({ tenant: null, status: 'pending' }).approvals.length).toBe(1)
    const [{ id } = { id: '' }] = place.queue.list({ tenant: null }).approvals
    await place.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    await place.serverGets(calls(1))
    place.fromServer({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests: {}, requestState: 'their state' } })
    await place.clientGets(answers(1))
    const again = { ...more, requestState: 'their state', inputResponses: {} }
    place.fromClient(call(2, 'delete_account', { id: 1 }, again))
    expect(await place.serverGets(calls(2))).toMatchObject({ params: { requestState: 'their state' } })
    // The same state with other arguments, and once more, are calls of their own.
    place.fromClient(call(3, 'delete_account', { id: 2 }, again))
    place.fromClient(call(4, 'delete_account', { id: 1 }, again))
    await expect.poll(() => place.queue.list({ tenant: null, status: 'pending' }).approvals.length).toBe(2)
    expect(place.toServer).toHaveLength(2)
    place.leave()
  })
})

import { describe, expect, test } from 'vitest'
import { answers, call, calls, initialize, MCP_POLICY, mcpPlace, says, stateless } from '../../../test/support/mcp.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'

/** `delete_account` is a call of high risk. */
const policy = (elicit: string, hold = '10s') => `${MCP_POLICY}mcp_proxy: { elicit: ${elicit}, hold: ${hold} }\n`
const FORMS = { elicitation: {} }

describe('in a session', () => {
  for (const [title, said, expected] of [
    ['a yes lets the call run', { action: 'accept', content: { approve: true } }, 'runs'],
    ['a no is a no', { action: 'accept', content: { approve: false } }, 'denied'],
    ['so is to decline', { action: 'decline' }, 'denied'],
    ['to close it is no answer', { action: 'cancel' }, 'waits'],
    ['a yes of another form is none', { action: 'accept', content: { approve: 'true' } }, 'waits'],
    ['nor is one without content', { action: 'accept' }, 'waits'],
  ] as const) {
    test(title, async () => {
      const place = mcpPlace({ policy: policy('high', expected === 'waits' ? '300ms' : '10s') })
      place.fromClient(initialize('claude-code', FORMS))
      place.fromClient(call(1, 'delete_account', { id: 7 }))
      const asked = await place.clientGets(says('elicitation/create'))
      expect(asked).toMatchObject({ params: { message: expect.stringContaining('{"id":7}'), requestedSchema: { required: ['approve'] } } })
      place.fromClient({ jsonrpc: '2.0', id: asked.id ?? null, result: said })
      if (expected === 'runs') await place.serverGets(calls(1))
      else {
        const answer = JSON.stringify(await place.clientGets(answers(1)))
        expect(answer).toContain(expected === 'denied' ? 'approval.denied' : 'is pending until')
        expect(place.toServer.some((line) => line.includes('tools/call'))).toBe(false)
      }
      // The answer was for us alone.
      expect(place.toServer.some((line) => line.includes('"action"'))).toBe(false)
    })
  }

  for (const [title, level, capabilities] of [
    ['where the policy does not say so', 'none', FORMS],
    ['about more risk than the policy says', 'low', FORMS],
    ['where the client shows no forms', 'high', { elicitation: { url: {} } }],
    ['where it has no elicitation', 'high', {}],
  ] as const) {
    test(`nobody is asked there ${title}`, async () => {
      const place = mcpPlace({ policy: policy(level, '100ms') })
      place.fromClient(initialize('claude-code', capabilities))
      place.fromClient(call(1, 'delete_account', { id: 7 }))
      expect(JSON.stringify(await place.clientGets(answers(1)))).toContain('is pending until')
      expect(place.toClient.some((line) => line.includes('elicitation/create'))).toBe(false)
    })
  }

  test('the user behind the agent is no approver where the policy wants four eyes', async () => {
    const place = mcpPlace({ policy: `${policy('high', '300ms')}approvals: { four_eyes: true }\n` })
    place.fromClient(initialize('claude-code', FORMS))
    place.fromClient(call(1, 'delete_account', { id: 7 }))
    const asked = await place.clientGets(says('elicitation/create'))
    place.fromClient({ jsonrpc: '2.0', id: asked.id ?? null, result: { action: 'accept', content: { approve: true } } })
    expect(JSON.stringify(await place.clientGets(answers(1)))).toContain('is pending until')
    expect(place.toServer.some((line) => line.includes('tools/call'))).toBe(false)
  })
})

describe('without a session', () => {
  const more = stateless('claude-code', FORMS)

  async function asked() {
    const place = mcpPlace({ policy: policy('high', '100ms') })
    place.fromClient(call(1, 'delete_account', { id: 7 }, more))
    const { result } = await place.clientGets(answers(1))
    if (!isJsonObject(result)) throw new Error('no result')
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { countersign_approval: { method: 'elicitation/create' } },
    })
    const requestState = String(own(result, 'requestState'))
    const respond = (id: number, said: JsonObject, changes: JsonObject = {}, args: JsonObject = { id: 7 }) =>
      place.fromClient(
        call(id, 'delete_account', args, { ...more, requestState, inputResponses: { countersign_approval: said }, ...changes }),
      )
    return { place, requestState, respond }
  }
  const YES = { action: 'accept', content: { approve: true } }

  test('the call that comes again with a yes runs, without what was ours, and once', async () => {
    const { place, respond } = await asked()
    respond(2, YES)
    const sent = await place.serverGets(calls(2))
    expect(sent.params).toEqual({ name: 'delete_account', arguments: { id: 7 }, ...more })
    respond(3, YES)
    await place.clientGets(answers(3))
    expect(place.toServer).toHaveLength(1)
  })

  test('a no is told, and no answer leaves it pending', async () => {
    const { place, respond } = await asked()
    respond(2, { action: 'cancel' })
    expect(JSON.stringify(await place.clientGets(answers(2)))).toContain('is pending until')
    respond(3, { action: 'decline' })
    expect(JSON.stringify(await place.clientGets(answers(3)))).toMatch(/approval\.(?:denied|remembered)/)
    expect(place.toServer).toEqual([])
  })

  test('a state that was forged, or is for another call, is refused', async () => {
    const { place, requestState, respond } = await asked()
    respond(2, YES, { requestState: `${requestState.slice(0, -1)}${requestState.endsWith('0') ? '1' : '0'}` })
    respond(3, YES, {}, { id: 8 })
    respond(4, YES, { requestState: 'countersign.apr_0.99999999999999.00' })
    for (const id of [2, 3, 4]) expect(JSON.stringify(await place.clientGets(answers(id)))).toContain('approval.mismatch')
    expect(place.toServer).toEqual([])
  })
})

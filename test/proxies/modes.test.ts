/** In front of MCP servers: what is stopped, and what shadow mode lets through all the same. model/routes.test.ts has the models'. */
import { expect } from 'vitest'
import { proves } from '../proves.ts'
import { answers, call, MCP_POLICY, mcpPlace } from '../support/mcp.ts'

for (const [tool, would] of [
  ['forbidden', 'deny'],
  ['delete_account', 'ask'],
  ['echo', 'allow'],
] as const) {
  proves('SIG-51', `MCP: a call that is to be \`${would}\` is judged before it reaches the server`, async () => {
    const place = mcpPlace()
    place.fromClient(call(1, tool, { at: 'x' }))
    if (would === 'allow') await place.serverGets(({ method }) => method === 'tools/call')
    else {
      await expect.poll(() => place.records('decision')).toHaveLength(1)
      expect(place.toServer).toEqual([])
    }
    expect(place.records('decision')[0]?.body).toMatchObject({ decision: { decision: would } })
  })

  proves('SIG-51', `MCP, in shadow mode: a call that would be \`${would}\` reaches the server as it is`, async () => {
    const place = mcpPlace({ policy: `mode: shadow\n${MCP_POLICY}` })
    const asked = call(1, tool, { at: 'x' })
    place.fromClient(asked)
    expect(await place.serverGets(({ method }) => method === 'tools/call')).toEqual(asked)
    place.fromServer({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } })
    expect(await place.clientGets(answers(1))).toMatchObject({ result: { content: [{ text: 'done' }] } })
    const told = would === 'allow' ? { decision: 'allow' } : { decision: 'flag', would }
    expect(place.records('decision')[0]?.body).toMatchObject({ decision: told })
    expect(place.opened.queue.list({ tenant: null, status: 'pending' }).approvals).toEqual([])
  })
}

import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { startServer } from '../../test/support/server.ts'
import { receiptFault } from '../audit/receipt.ts'
import { isJsonObject, parseJson } from '../core/json.ts'
import { digester } from '../open.ts'

const CALL = JSON.stringify({ tool: 'get_it', args: { x: 1 }, session: 's' })

describe('receipts over HTTP', () => {
  proves('SIG-50', 'a caller that asks gets one, in a header and in the body; the key is there for anybody', async () => {
    const server = await startServer({ openLoopback: true })
    const token = server.token({ name: 'bot', role: 'agent' })
    const ask = (headers: Record<string, string>, body = CALL) =>
      fetch(`${server.url}/v1/decisions`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      })
    const response = await ask({ 'x-countersign-receipt': 'true' })
    const body = parseJson(await response.text()) ?? null
    const key = await (await fetch(`${server.url}/v1/receipts/key`)).text()
    const receipt = response.headers.get('x-signet-receipt') ?? ''
    expect(isJsonObject(body) && body.receipt).toBe(receipt)
    expect(receiptFault(receipt, { keys: [key], digester, decision: body })).toBe(null)
    const asked = await ask({ 'x-countersign-receipt': 'true' }, JSON.stringify({ tool: 'unknown', args: {} }))
    const waiting = parseJson(await asked.text()) ?? null
    expect([asked.status, receiptFault(asked.headers.get('x-signet-receipt') ?? '', { keys: [key], digester, decision: waiting })]).toEqual(
      [202, null],
    )
    await server.stop()
  })

  test('who does not ask gets none', async () => {
    const server = await startServer()
    const token = server.token({ name: 'bot', role: 'agent' })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(`${server.url}/v1/decisions`, { method: 'POST', body: CALL, headers })
    expect([response.headers.get('x-signet-receipt'), (await response.text()).includes('receipt')]).toEqual([null, false])
    await server.stop()
  })
})

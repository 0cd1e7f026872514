/** Signet's own answers: 403, 202 and their bodies, the abort of a stream, headers, receipts (SIG-35, SIG-36, SIG-50). */
import { describe, expect, test } from 'vitest'
import { receiptFault } from '../../../src/audit/receipt.ts'
import { receiptKeys } from '../../../src/audit/receipt-key.ts'
import { digester } from '../../../src/open.ts'
import { proves } from '../../proves.ts'
import { type ProxyBench, proxyBench } from '../../support/model-proxy.ts'
import { anthropicEvents, anthropicWhole, chatEvents, chatWhole, type Said } from '../../support/model-turns.ts'

const POLICY = `
tools: { pay: { risk_tier: high, irreversible: true }, look: { risk_tier: low } }
rules: { deny: [{ tool: rm_rf, reason: a word that is for the operator }] }
`
const PAY: Said = { call: { name: 'pay', args: { amount: 5 } } }
const LOOK: Said = { call: { name: 'look', args: {} } }
const REMOVE: Said = { call: { name: 'rm_rf', args: {} } }
const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] })

const strict = (policy = POLICY) => proxyBench({ policy, parts: { strict: true } })
const whole = (said: readonly Said[]) => ({ type: 'application/json', pieces: [anthropicWhole(said)] })

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function post(bench: ProxyBench, path = '/v1/messages'): Promise<Got> {
  const response = await fetch(`${bench.url}${path}`, { method: 'POST', body: BODY })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a whole answer', () => {
  proves('SIG-36', 'a block is 403, and its body says nothing of why', async () => {
    const bench = await strict()
    bench.answer(whole([{ text: 'x' }, REMOVE]))
    const { status, headers, text } = await post(bench)
    const [decision] = bench.decided
    expect([status, JSON.parse(text)]).toEqual([403, { error: 'refused', correlation_id: decision?.auditEntryId }])
    expect(headers.get('x-signet-upstream-status')).toBe('200')
    expect(headers.get('x-signet-upstream')).toMatch(/^127\.0\.0\.1:/)
  })

  test('a verbose one says it', async () => {
    const bench = await proxyBench({ policy: `${POLICY}model_proxy: { answers: verbose }\n` })
    bench.answer(whole([REMOVE]))
    const { status, text } = await post(bench)
    expect(status).toBe(403)
    expect(JSON.parse(text)).toEqual({
      error: 'signet refused this request',
      reason: expect.stringContaining('a word that is for the operator'),
      check: expect.any(String),
      stage: 'commitment',
      tool: 'rm_rf',
      correlation_id: bench.decided[0]?.auditEntryId,
    })
  })

  proves('SIG-35', 'an escalation is 202 with where it waits; the same request gets the same answer after a yes, once', async () => {
    const bench = await strict()
    bench.answer(whole([PAY]), whole([{ text: 'another answer' }]))
    const { status, headers, text } = await post(bench)
    const approval = bench.decided[0]?.approval?.id ?? ''
    expect([status, JSON.parse(text)]).toEqual([202, { status: 'escalated', correlation_id: bench.decided[0]?.auditEntryId }])
    expect([headers.get('location'), headers.get('retry-after')]).toEqual([`/v1/approvals/${approval}`, '2'])
    expect((await post(bench)).status).toBe(202)
    await bench.opened.queue.answer(approval, { tenant: null, by: 'human:alice', verdict: 'approve' })
    const approved = await post(bench)
    expect([approved.status, approved.text]).toEqual([200, anthropicWhole([PAY])])
    expect(bench.asked.length).toBe(1)
    expect((await post(bench)).text).toContain('another answer')
  })

  test('a block beats an escalation, and nothing of the others leaves', async () => {
    const bench = await strict()
    bench.answer({ type: 'application/json', pieces: [chatWhole([PAY, REMOVE, LOOK])] })
    const { status, text } = await post(bench, '/v1/chat/completions')
    expect([status, text.includes('look')]).toEqual([403, false])
  })

  test('what may run passes as it is', async () => {
    const bench = await strict()
    bench.answer(whole([LOOK]))
    const { status, text } = await post(bench)
    expect([status, text]).toEqual([200, anthropicWhole([LOOK])])
  })

  test('over the rate of a role: 429, and when to come back', async () => {
    const bench = await strict(`${POLICY}roles: { "*": { tool_policies: { look: { rate_limit: 1/1m } } } }\n`)
    bench.answer(whole([LOOK]))
    expect((await post(bench)).status).toBe(200)
    const { status, headers, text } = await post(bench)
    expect([status, headers.get('retry-after'), JSON.parse(text)]).toEqual([
      429,
      '10',
      { error: 'refused', correlation_id: expect.any(String), retry_after_seconds: 10 },
    ])
  })

  test('shadow: the answer passes, and headers say what would have been', async () => {
    const bench = await strict(`mode: shadow\n${POLICY}`)
    bench.answer(whole([REMOVE]))
    const { status, headers } = await post(bench)
    expect(status).toBe(200)
    expect(['decision', 'stage', 'inspection-active'].map((name) => headers.get(`x-signet-shadow-${name}`))).toEqual([
      'block',
      'commitment',
      '1',
    ])
    expect(headers.get('x-signet-correlation-id')).toBe(bench.decided[0]?.auditEntryId)
  })
})

describe('a stream', () => {
  for (const [title, path, events] of [
    ['messages', '/v1/messages', anthropicEvents],
    ['chat', '/v1/chat/completions', chatEvents],
  ] as const) {
    test(`${title}: text passes, then the stream is aborted`, async () => {
      const bench = await strict()
      bench.answer({ pieces: events([{ text: 'hello' }, REMOVE]) })
      const { text } = await post(bench, path)
      const [, last] = /data: (\{.*signet_abort.*\})\n\ndata: \[DONE\]\n\n$/.exec(text) ?? []
      expect(JSON.parse(last ?? '{}')).toEqual({
        signet_abort: true,
        decision: 'block',
        reason: 'refused',
        correlation_id: bench.decided[0]?.auditEntryId,
      })
      expect(text).not.toContain('rm_rf')
    })

    test(`${title}: an escalated one comes again as it was`, async () => {
      const bench = await strict()
      const pieces = events([{ text: 'hello' }, PAY, { text: 'after' }])
      bench.answer({ pieces }, { pieces: events([{ text: 'another' }]) })
      expect((await post(bench, path)).text).toContain('"decision":"escalate"')
      await bench.opened.queue.answer(bench.decided[0]?.approval?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve' })
      expect((await post(bench, path)).text).toBe(pieces.join(''))
      expect(bench.asked.length).toBe(1)
    })
  }
})

describe('receipts', () => {
  proves('SIG-50', 'each decision has one, which holds without the log', async () => {
    const bench = await strict()
    bench.answer(whole([LOOK, { call: { name: 'look', args: { at: 1 } } }]))
    const { headers } = await post(bench)
    const receipts = (headers.get('x-signet-receipt') ?? '').split(', ')
    expect(receipts.length).toBe(2)
    for (const [at, receipt] of receipts.entries()) {
      expect(receiptFault(receipt, { keys: receiptKeys(bench.home), digester })).toBe(null)
      expect(receipt).toContain(`; entry=${bench.decided[at]?.auditEntryId}; decision=allow; `)
    }
    bench.answer(whole([REMOVE]))
    expect(receiptFault((await post(bench)).headers.get('x-signet-receipt') ?? '', { keys: receiptKeys(bench.home), digester })).toBe(null)
  })

  test('they are asked for where answers are not strict', async () => {
    const bench = await proxyBench({ policy: POLICY })
    bench.answer(whole([LOOK]))
    expect((await post(bench)).headers.get('x-signet-receipt')).toBe(null)
    const asked = await fetch(`${bench.url}/v1/messages`, { method: 'POST', body: BODY, headers: { 'x-countersign-receipt': 'true' } })
    expect(asked.headers.get('x-signet-receipt')).toContain('decision=allow')
  })
})

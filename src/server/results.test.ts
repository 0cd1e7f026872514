import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordResult } from '../cli/results.ts'
import { bytesDigest, digester, type OpenedGate, openGate } from '../open.ts'
import { policy } from '../policy/testing/compiled.ts'
import { createFixedView } from '../view/fixed.ts'
import { createApp } from './app.ts'

const RULES = policy(`unregistered: allow
contracts:
  state: { user: [{ tools: [login], value: result.id }] }
  tools: { cancel: { enforcement: hard, constraints: [{ kind: known, of: { state: user } }] } }
`)

let home: string
let opened: OpenedGate
let app: ReturnType<typeof createApp>
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cs-results-'))
  opened = openGate({
    home,
    policy: () => ({ policy: RULES, degraded: null }),
    view: () => createFixedView({ home: '/home/u', cwd: '/home/u' }),
  })
  const hook = {
    gate: opened.gate,
    digest: bytesDigest,
    user: null,
    result: (event: Parameters<typeof recordResult>[1]) => recordResult(opened, event),
  }
  app = createApp({ gate: opened.gate, digester, hook, unready: () => null, version: '0' })
})
afterEach(() => {
  opened.close()
  rmSync(home, { recursive: true, force: true })
})

async function post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await app.request(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('POST /v1/results', () => {
  test('what a call returned is known to later decisions of its session, and is in the log', async () => {
    const cancel = { tool: 'cancel', args: {}, session: 's1' }
    expect((await post('/v1/decisions', cancel)).status).toBe(403)
    expect(await post('/v1/results', { tool: 'login', args: {}, session: 's1', result: { id: 'u1' } })).toEqual({
      status: 200,
      body: { note: null },
    })
    expect((await post('/v1/decisions', cancel)).status).toBe(200)
    expect((await post('/v1/decisions', { ...cancel, session: 's2' })).status).toBe(403)
    const records = [...(opened.store.read({ kind: 'result' }) as Iterable<{ tool: string | null }>)]
    expect(records.map((record) => record.tool)).toEqual(['login'])
  })

  for (const [title, body, status, error, pointer] of [
    ['no JSON', '{', 400, 'ingress.syntax', ''],
    ['no object', '[]', 400, 'ingress.missing_field', '/result'],
    ['no result', { tool: 'login', args: {} }, 400, 'ingress.missing_field', '/result'],
    ['no call', { result: 1 }, 400, 'ingress.missing_field', '/tool'],
    ['a field that is not known', { tool: 'login', args: {}, result: 1, reslt: 2 }, 400, 'ingress.unknown_field', '/reslt'],
    ['two results', '{"tool":"login","args":{},"result":1,"result":2}', 400, 'ingress.duplicate_key', '/result'],
    ['more than there is room for', { tool: 'login', args: {}, result: 'x'.repeat(2_000_000) }, 413, 'ingress.too_large', ''],
  ] as const) {
    test(`${title}: ${status} ${error}`, async () => {
      const answer = await post('/v1/results', body)
      expect([answer.status, answer.body.error, answer.body.pointer]).toEqual([status, error, pointer])
      expect([...(opened.store.read({}) as Iterable<unknown>)]).toEqual([])
    })
  }

  test('a null result is a result', async () => {
    expect((await post('/v1/results', { tool: 'login', args: {}, result: null })).status).toBe(200)
  })
})

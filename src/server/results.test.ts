import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ask, startServer, type TestServer } from '../../test/support/server.ts'

const RULES = `unregistered: allow
contracts:
  state: { user: [{ tools: [login], value: result.id }] }
  tools: { cancel: { enforcement: hard, constraints: [{ kind: known, of: { state: user } }] } }
`

let server: TestServer
beforeEach(async () => {
  server = await startServer({ policy: RULES })
})
afterEach(() => server.stop())

async function post(path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, body: answer } = await ask(`${server.url}${path}`, { body })
  return { status, body: answer }
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
    const records = [...(server.opened.store.read({ kind: 'result' }) as Iterable<{ tool: string | null }>)]
    expect(records.map((record) => record.tool)).toEqual(['login'])
  })

  for (const [title, body, status, error, pointer] of [
    ['no JSON', '{', 400, 'ingress.syntax', ''],
    ['no object', '[]', 422, 'ingress.missing_field', '/result'],
    ['no result', { tool: 'login', args: {} }, 422, 'ingress.missing_field', '/result'],
    ['no call', { result: 1 }, 422, 'ingress.missing_field', '/tool'],
    ['a field that is not known', { tool: 'login', args: {}, result: 1, reslt: 2 }, 422, 'ingress.unknown_field', '/reslt'],
    ['two results', '{"tool":"login","args":{},"result":1,"result":2}', 400, 'ingress.duplicate_key', '/result'],
    ['more than there is room for', { tool: 'login', args: {}, result: 'x'.repeat(2_000_000) }, 413, 'ingress.too_large', ''],
  ] as const) {
    test(`${title}: ${status} ${error}`, async () => {
      const answer = await post('/v1/results', body)
      expect([answer.status, answer.body.error, answer.body.pointer]).toEqual([status, error, pointer])
      expect([...(server.opened.store.read({}) as Iterable<unknown>)]).toEqual([])
    })
  }

  for (const [what, result, note, code] of [
    ['hidden characters', 'fine\u{e0041}\u{e0042}', /nobody sees/, 'integrity.hidden_in_result'],
    ['a secret', { text: `ghp_${'a1B2'.repeat(9)}` }, /secrets/, 'integrity.secret_in_result'],
    ['nothing', { text: 'fine' }, null, null],
  ] as const) {
    proves('FUL-50', `a result with ${what} is answered with a note, and stands in the log`, async () => {
      const answer = await post('/v1/results', { tool: 'read_page', args: {}, session: 's1', result })
      expect(answer.status).toBe(200)
      if (note === null) expect(answer.body.note).toBeNull()
      else expect(answer.body.note).toMatch(note)
      const [record] = [...(server.opened.store.read({ kind: 'result' }) as Iterable<{ code: string | null }>)]
      expect(record?.code).toBe(code)
    })
  }

  test('a null result is a result', async () => {
    expect((await post('/v1/results', { tool: 'login', args: {}, result: null })).status).toBe(200)
  })
})

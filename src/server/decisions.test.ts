import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, asking, OPERATOR, opened, rawStatus, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const decide = (body: unknown, more: Parameters<typeof ask>[1] = {}) => ask(`${server.url}/v1/decisions`, { body, ...more })

describe('POST /v1/decisions', () => {
  for (const [title, call, status, decision] of [
    ['what a rule allows', { tool: 'get_weather', args: {} }, 200, 'allow'],
    ['what nobody permits', { tool: 'send_it', args: { to: 'x' }, session: 'd1' }, 202, 'ask'],
    ['what a rule denies', { tool: 'never', args: {} }, 403, 'deny'],
    ['a tool of an inherited name', { tool: 'constructor', args: {}, session: 'd2' }, 202, 'ask'],
    [
      'with everything a call can have',
      {
        tool: 'get_it',
        args: { a: [1, null, 'ü'] },
        server: 's',
        principal: { agent: 'a', role: 'r', user: 'u', tenant: 't', chain: ['human:b'] },
        session: 'd3',
        cwd: '/tmp',
        context: { task: 't', recent: [] },
        definition: { description: 'd', input_schema: {}, annotations: {} },
        approval: null,
        call_id: 'c1',
      },
      200,
      'allow',
    ],
  ] as const) {
    test(`${title}: ${status} ${decision}`, async () => {
      const answer = await decide(call)
      expect([answer.status, answer.body.decision]).toEqual([status, decision])
      expect(answer.body.audit_entry_id).toEqual(answer.headers.get('countersign-audit-entry'))
    })
  }

  for (const command of ['cat notes.txt', 'source ~/.aws/credentials', 'bash run.sh', 'ls /etc', 'git push']) {
    proves(['T53', 'T60'], `who asks is not told what was looked at for it: ${command}`, async () => {
      const { body } = await decide({ tool: 'Bash', args: { command }, cwd: '/home/u', session: 'looked' })
      expect([typeof body.decision, Object.hasOwn(body, 'view')]).toEqual(['string', false])
    })
  }

  proves(['SIG-35', 'PIT-8'], 'an ask is 202 with the approval, where to wait for it and when to look again', async () => {
    const { status, headers, body } = await decide(asking({ session: 'located' }))
    const { id, url, token } = body.approval as { id: string; url: string; token: string }
    expect([status, headers.get('location'), headers.get('retry-after')]).toEqual([202, `/v1/approvals/${id}`, '2'])
    expect([url, token.startsWith(`${id}.`), typeof body.audit_entry_id]).toEqual([`${server.url}/v1/approvals/${id}`, true, 'string'])
    expect((await ask(`${server.url}${headers.get('location')}`)).status).toBe(200)
  })

  for (const [title, body, status, error, pointer] of [
    ['nothing', '', 400, 'ingress.empty', ''],
    ['no JSON', '{', 400, 'ingress.syntax', ''],
    ['two documents', '{"tool":"a","args":{}} {}', 400, 'ingress.trailing_data', ''],
    ['the same key twice', '{"tool":"a","args":{"x":1,"x":2}}', 400, 'ingress.duplicate_key', '/args/x'],
    ['a number that is none', '{"tool":"a","args":{"x":NaN}}', 400, 'ingress.syntax', '/args/x'],
    ['an unsafe number', '{"tool":"a","args":{"x":9007199254740993}}', 400, 'ingress.unsafe_number', '/args/x'],
    ['an infinite number', '{"tool":"a","args":{"x":1e400}}', 400, 'ingress.non_finite', '/args/x'],
    ['half a character', '{"tool":"a","args":{"x":"\\ud800"}}', 400, 'ingress.lone_surrogate', '/args/x'],
    ['a key that changes prototypes', '{"tool":"a","args":{"__proto__":{}}}', 400, 'ingress.prototype_key', '/args/__proto__'],
    ['too deep', `{"tool":"a","args":{"x":${'['.repeat(70)}${']'.repeat(70)}}}`, 400, 'ingress.too_deep', undefined],
    ['a list', '[]', 422, 'ingress.wrong_type', ''],
    ['no tool', { args: {} }, 422, 'ingress.missing_field', '/tool'],
    ['no arguments', { tool: 'a' }, 422, 'ingress.missing_field', '/args'],
    ['arguments that are a list', { tool: 'a', args: [] }, 422, 'ingress.wrong_type', '/args'],
    ['a field that is not known', { tool: 'a', args: {}, tol: 1 }, 422, 'ingress.unknown_field', '/tol'],
    ['a name without letters', { tool: '', args: {} }, 422, 'ingress.bad_name', '/tool'],
    ['more than there is room for', { tool: 'a', args: { x: 'x'.repeat(2_000_000) } }, 413, 'ingress.too_large', undefined],
    ['far more than there is room for', `"${'x'.repeat(11_000_000)}"`, 413, 'ingress.too_large', ''],
  ] as const) {
    test(`${title}: ${status} ${error}`, async () => {
      const answer = await decide(body)
      expect([answer.status, answer.body.error]).toEqual([status, error])
      if (pointer !== undefined) expect(answer.body.pointer).toBe(pointer)
      expect(typeof answer.body.message).toBe('string')
    })
  }

  proves('SIG-W9', 'whatever could not be read is in the log as a denial, once', async () => {
    const log = () => [...(server.opened.store.read({ kind: 'decision' }) as Iterable<{ decision: string; code: string }>)]
    for (const [body, code] of [
      ['{', 'ingress.syntax'],
      ['', 'ingress.empty'],
      ['\ufeff{"tool":"a","args":{}}', 'ingress.bom'],
      ['[]', 'ingress.wrong_type'],
      [{ tool: 'a', args: {}, unheard_of: 1 }, 'ingress.unknown_field'],
    ] as const) {
      const before = log().length
      expect((await decide(body)).body.error).toBe(code)
      expect(log().slice(before)).toMatchObject([{ decision: 'deny', code }])
    }
  })

  for (const [type, status] of [
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON;charset=UTF-8', 200],
    ['application/json;charset="utf-8"', 200],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json; charset=utf-16', 415],
    ['application/jsonp', 415],
    ['text/plain; application/json', 415],
    ['', 415],
  ] as const) {
    proves('T63', `a body of type \`${type}\` is ${status}`, async () => {
      expect((await decide({ tool: 'get_x', args: {} }, { token: server.operator, headers: { 'content-type': type } })).status).toBe(status)
    })
  }
})

describe('an approval in the way', () => {
  const approve = (id: string) => ask(`${server.url}/v1/approvals/${id}/approve`, { token: server.operator, body: {} })

  for (const [title, resend] of [
    ['in the body', (call: object, token: string) => decide({ ...call, approval: token })],
    ['as a header', (call: object, token: string) => decide(call, { headers: { 'Countersign-Approval': token } })],
    ['in both', (call: object, token: string) => decide({ ...call, approval: token }, { headers: { 'countersign-approval': token } })],
    ['without a token, by its session', (call: object) => decide(call)],
  ] as const) {
    proves(['P7', 'T20'], `sent ${title}: once 200, then an ask again`, async () => {
      const call = asking({ session: title })
      const { id, token } = await opened(server, { session: title })
      expect((await approve(id)).status).toBe(200)
      expect((await resend(call, token)).status).toBe(200)
      const again = await resend(call, token)
      expect(again.status).toBe(202)
      expect((await decide(call)).status).toBe(202)
    })
  }

  proves('T01', 'one byte more is another call', async () => {
    const { id, token } = await opened(server, { session: 'byte' })
    await approve(id)
    expect((await decide({ ...asking({ session: 'byte' }), args: { to: 'somebody ' } })).status).toBe(202)
    expect((await decide({ ...asking({ session: 'byte' }), args: { to: 'somebody ' }, approval: token })).status).toBe(202)
  })

  proves('T21', 'a policy that changed since asks again', async () => {
    const { id } = await opened(server, { session: 'changed' })
    await approve(id)
    server.use(`${ASKING}mode: enforce\n`)
    expect((await decide(asking({ session: 'changed' }))).status).toBe(202)
    server.use(ASKING)
  })

  test('two different ones are a mistake', async () => {
    const answer = await decide({ ...asking(), approval: 'apr_1.x' }, { headers: { 'countersign-approval': 'apr_2.x' } })
    expect([answer.status, answer.body.pointer]).toEqual([422, '/approval'])
  })

  proves('T20', 'of a hundred that are sent at once, one runs', async () => {
    const call = asking({ session: 'hundred' })
    const { id } = await opened(server, { session: 'hundred' })
    await approve(id)
    const answers = await Promise.all(Array.from({ length: 100 }, () => decide(call)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 202 && status !== 403)).toEqual([])
  })
})

describe('a strict body', () => {
  const KEYS = ['agent_reason', 'approval', 'audit_entry_id', 'code', 'correlation_id', 'decision', 'session']

  for (const [call, status, more] of [
    [{ tool: 'get_weather', args: {} }, 200, []],
    [asking({ session: 'strict' }), 202, ['status']],
    [{ tool: 'never', args: {} }, 403, ['error']],
  ] as const) {
    proves(['SIG-36', 'T53'], `${status} carries no reason, no finding, no rule`, async () => {
      server.use(`${ASKING}server: { body: strict }\n`)
      const answer = await decide(call)
      expect(answer.status).toBe(status)
      expect(Object.keys(answer.body).toSorted()).toEqual([...KEYS, ...more].toSorted())
      expect(answer.body.correlation_id).toBe(answer.body.audit_entry_id)
      server.use(ASKING)
    })
  }

  test('of an ask says that it is escalated, of a denial that it is refused', async () => {
    server.use(`${ASKING}server: { body: strict }\n`)
    expect((await decide(asking({ session: 'strict' }))).body.status).toBe('escalated')
    expect((await decide({ tool: 'never', args: {} })).body.error).toBe('refused')
    server.use(ASKING)
  })
})

describe('the id that a host gives a call', () => {
  const call = (id: string, args: object = { to: 'somebody' }) => ({ ...asking({ session: 'ids', call_id: id }), args })

  proves('T20', 'the same id with the same call rests on the same yes; with another call it is denied', async () => {
    const { id } = await opened(server, call('c-1'))
    await ask(`${server.url}/v1/approvals/${id}/approve`, { token: server.operator, body: {} })
    const first = await decide(call('c-1'))
    const again = await decide(call('c-1'))
    expect([first.status, again.status, again.body.repeats]).toEqual([200, 200, true])
    const other = await decide(call('c-1', { to: 'somebody else' }))
    expect([other.status, other.body.code]).toEqual([403, 'session.call_id'])
    expect((await decide(call('c-2'))).status).toBe(202)
  })
})

describe('a call that a person changed', () => {
  for (const body of ['full', 'strict']) {
    proves(
      ['PIT-6', 'PRO-28'],
      `is decided again, approved in its new form, and told to the host, which sends that (${body})`,
      async () => {
        server.use(`${ASKING}server: { body: ${body} }\n`)
        const call = asking({ session: `changed-${body}` })
        const { id } = await opened(server, call)
        const path = `${server.url}/v1/approvals/${id}/approve`
        const changed = await ask<{ status: string; version: number }>(path, {
          token: server.operator,
          body: { modified_arguments: { to: 'the team' } },
        })
        expect([changed.status, changed.body.status]).toEqual([200, 'pending'])
        const approved = await ask(path, { token: server.operator, body: { version: changed.body.version } })
        expect([approved.status, approved.body.status]).toEqual([200, 'approved'])
        const answer = await decide(call)
        expect([answer.status, answer.body.code, answer.body.modified_arguments]).toEqual([
          403,
          'approval.with_changes',
          { to: 'the team' },
        ])
        const other = await decide({ ...call, args: { to: 'somebody else' } })
        expect(other.status).toBe(202)
        expect((await decide({ ...call, args: { to: 'the team' } })).status).toBe(200)
        expect((await decide({ ...call, args: { to: 'the team' } })).status).toBe(202)
        server.use(ASKING)
      },
    )
  }
})

describe('whose call it is', () => {
  const principalOf = async (entry: unknown) => {
    const { body } = await ask<{ body: { call: { principal: Record<string, unknown> } } }>(`${server.url}/v1/decisions/${String(entry)}`, {
      token: server.operator,
    })
    return body.body.call.principal
  }
  const CLAIMED = { agent: 'liar', role: 'admin', user: 'boss', tenant: 'other', chain: [] }

  test('without a token it is what the host says', async () => {
    const { body } = await decide({ tool: 'get_x', args: {}, principal: CLAIMED })
    expect(await principalOf(body.audit_entry_id)).toEqual(CLAIMED)
  })

  proves('SIG-W3', 'a token of an agent stands above what the call says, empty fields included', async () => {
    const token = server.token({ name: 'bot', role: 'agent', tenant: 't', as: { role: 'coder', user: null } })
    const { body } = await decide({ tool: 'get_x', args: {}, principal: CLAIMED }, { token })
    expect(await principalOf(body.audit_entry_id)).toEqual({ agent: 'bot', role: 'coder', user: null, tenant: 't', chain: [] })
  })

  proves(
    ['P8', 'SIG-W3', 'AEG-W12'],
    'a person who sends a call asked for it, and cannot approve it, whatever agent it names',
    async () => {
      const { id } = await opened(server, { session: 'own' }, server.operator)
      const answer = await ask(`${server.url}/v1/approvals/${id}/approve`, { token: server.operator, body: {} })
      expect([answer.status, answer.body.error]).toEqual([403, 'approval.requester'])
      const view = await ask<{ terms: { excluded: string[] } }>(`${server.url}/v1/approvals/${id}`, { token: server.operator })
      expect(view.body.terms.excluded).toEqual([OPERATOR])
    },
  )

  test('tokens can be made a duty', async () => {
    server.use(`${ASKING}server: { tokens: required }\n`)
    expect((await decide({ tool: 'get_x', args: {} })).status).toBe(401)
    const token = server.token({ name: 'bot2', role: 'agent' })
    expect((await decide({ tool: 'get_x', args: {} }, { token })).status).toBe(200)
    server.use(ASKING)
  })
})

describe('a store that fails', () => {
  proves('P5', 'allows nothing: 503', async () => {
    const own = await startServer()
    own.opened.close()
    const answer = await ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
    expect([answer.status, answer.body.decision, answer.body.audit_entry_id]).toEqual([503, 'deny', null])
    await own.stop()
  })
})

describe('hooks over HTTP', () => {
  let token: string
  beforeAll(() => {
    token = server.token({ name: 'host', role: 'agent' })
  })

  const hook = (tool: string, more: object = {}) => ({
    session_id: 's',
    cwd: '/tmp',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: {},
    tool_use_id: `toolu_${Math.random()}`,
    ...more,
  })

  for (const [tool, permission] of [
    ['get_x', undefined],
    ['never', 'deny'],
    ['send_it', 'ask'],
  ] as const) {
    test(`${tool}: ${permission ?? 'no opinion'}, as plain JSON`, async () => {
      const answer = await ask<{ hookSpecificOutput?: { permissionDecision: string } }>(`${server.url}/v1/hooks/claude-code`, {
        token,
        body: hook(tool),
        headers: { 'x-countersign-entrypoint': 'cli' },
      })
      expect([answer.status, answer.body.hookSpecificOutput?.permissionDecision]).toEqual([200, permission])
    })
  }

  test('what cannot be read is denied, not failed', async () => {
    const answer = await ask(`${server.url}/v1/hooks/claude-code`, { token, body: '{' })
    expect([answer.status, JSON.stringify(answer.body).includes('"deny"')]).toEqual([200, true])
  })

  test('a result is kept', async () => {
    const answer = await ask(`${server.url}/v1/hooks/claude-code`, {
      token,
      body: hook('get_x', { hook_event_name: 'PostToolUse', tool_response: { ok: 1 } }),
    })
    expect([answer.status, answer.body.suppressOutput]).toEqual([200, true])
  })

  test('an agent that is not known has no hook', async () => {
    expect((await ask(`${server.url}/v1/hooks/other`, { token, body: {} })).status).toBe(404)
  })
})

describe('what is no request', () => {
  for (const [title, request, status] of [
    [
      'two lengths',
      'POST /v1/decisions HTTP/1.1\r\nhost: H\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /v1/decisions HTTP/1.1\r\nhost: H\r\ncontent-type: application/json\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      400,
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a line feed in a header', 'GET /healthz HTTP/1.1\r\nhost: H\r\nx: a\nb: c\r\n\r\n', 400],
    ['two tokens', 'GET /v1/whoami HTTP/1.1\r\nhost: H\r\nauthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n', 400],
    [
      'two approvals',
      'POST /v1/decisions HTTP/1.1\r\nhost: H\r\ncountersign-approval: a\r\ncountersign-approval: b\r\ncontent-length: 0\r\n\r\n',
      400,
    ],
    ['the host in the line', 'GET http://evil.example/healthz HTTP/1.1\r\nhost: H\r\n\r\n', 200],
    ['a method that there is not', 'BREW /v1/decisions HTTP/1.1\r\nhost: H\r\n\r\n', 400],
    ['another method', 'DELETE /v1/decisions HTTP/1.1\r\nhost: H\r\n\r\n', 405],
  ] as const) {
    test(`${title}: ${status}`, async () => {
      const host = new URL(server.url).host
      expect(await rawStatus(server, request.replaceAll(': H\r', `: ${host}\r`))).toBe(status)
    })
  }
})

import { describe, expect, test } from 'vitest'
import { call, MCP_POLICY, stateless } from '../../../../test/support/mcp.ts'
import { echo, httpPlace, idIn, json, USER } from '../../../../test/support/mcp-http.ts'
import { receiver } from '../../../../test/support/receiver.ts'

const CANARY = 'canary-4f1a9c77d2'
const said = async (answer: Response) => JSON.parse(await answer.text()) as { error?: { code: number; message: string }; result?: unknown }
const modern = (name: string, args = {}) => call(1, name, args, stateless('tester'))
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }

describe('headers that say something else than the body', () => {
  for (const [title, headers, status] of [
    ['all of them right', { ...HEADERS, 'mcp-name': 'echo' }, 200],
    ['the name wrapped', { ...HEADERS, 'mcp-name': '=?base64?ZWNobw==?=' }, 200],
    ['none of them', {}, 200],
    ['another name', { ...HEADERS, 'mcp-name': 'forbidden' }, 400],
    ['another name, wrapped', { ...HEADERS, 'mcp-name': `=?base64?${btoa('forbidden')}?=` }, 400],
    ['a wrapping that is none', { ...HEADERS, 'mcp-name': '=?base64?ZWNobw?=' }, 400],
    ['another method', { ...HEADERS, 'mcp-method': 'tools/list', 'mcp-name': 'echo' }, 400],
    ['another version', { ...HEADERS, 'mcp-protocol-version': '2025-11-25', 'mcp-name': 'echo' }, 400],
    ['the name in another case', { ...HEADERS, 'mcp-name': 'Echo' }, 400],
    ['two names', { ...HEADERS, 'mcp-name': 'echo, echo' }, 400],
  ] as const) {
    test(title, async () => {
      const place = await httpPlace()
      const answer = await place.post(modern('echo'), headers)
      expect(answer.status).toBe(status)
      expect(place.reached).toHaveLength(status === 200 ? 1 : 0)
      if (status === 400) {
        expect((await said(answer)).error?.code).toBe(-32020)
        // Before anything is judged.
        const records = place.opened.store.read({})
        expect(Symbol.iterator in records ? [...records] : null).toEqual([])
      }
    })
  }

  test('an argument that a header repeats', async () => {
    const tool = {
      name: 'echo',
      description: 'd',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    }
    const place = await httpPlace({
      answer: ({ body }, response) =>
        json(response, { jsonrpc: '2.0', id: idIn(body), result: body.includes('tools/list') ? { tools: [tool] } : { content: [] } }),
    })
    await place.post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: stateless('tester') })
    const answers = []
    for (const [region, header] of [
      ['eu', 'eu'],
      ['eu', 'us'],
      ['eu', `=?base64?${btoa('eu')}?=`],
      ['eu', '=?base64?ZXU?='],
      // Half of a wrapping is none: it is meant as it stands.
      ['=?base64?ZXU=', '=?base64?ZXU='],
      ['eu', '=?base64?ZXU='],
    ] as const)
      answers.push((await place.post(modern('echo', { region }), { ...HEADERS, 'mcp-name': 'echo', 'mcp-param-region': header })).status)
    expect(answers).toEqual([200, 400, 200, 400, 200, 400])
  })
})

describe('what reaches the server', () => {
  test('the request as it came, with its own token and without ours', async () => {
    const place = await httpPlace({ callerOf: () => ({ ...USER, drop: ['x-countersign-token'] }) })
    const line = JSON.stringify(modern('echo', { a: 1 })).replace('"a":1', '"a": 1.0')
    await place.post(line, {
      authorization: 'Bearer theirs',
      'x-countersign-token': 'cst_ours',
      'x-countersign-session': 's',
      cookie: 'a=b',
      'x-own': 'kept',
      origin: place.origin,
    })
    const [reached] = place.reached
    expect(reached?.body).toBe(line)
    expect(reached?.headers).toMatchObject({ authorization: 'Bearer theirs', 'x-own': 'kept' })
    expect(JSON.stringify(reached?.headers)).not.toMatch(/countersign|cst_/)
    expect(reached?.headers.origin).toBeUndefined()
  })

  test('headers of the operator stand above those of the client', async () => {
    const place = await httpPlace({ headers: { authorization: 'Bearer operator' } })
    await place.post(modern('echo'), { authorization: 'Bearer agent' })
    expect(place.reached[0]?.headers.authorization).toBe('Bearer operator')
  })

  test('nobody who is not known', async () => {
    const place = await httpPlace({ callerOf: () => null })
    const answer = await place.post(modern('echo'))
    expect([answer.status, place.reached.length]).toEqual([401, 0])
  })
})

describe('what comes back', () => {
  const streamed = (events: readonly string[]) =>
    httpPlace({
      policy: `${MCP_POLICY}guards: { canary: { tokens: [${CANARY}] } }\n`,
      answer: (_reached, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-own': 'kept' })
        for (const event of events) response.write(event)
        response.end()
      },
    })
  const result = (text: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } })

  test('events byte by byte, with their names, ids, comments and retries', async () => {
    const events = [
      ': comment\n\n',
      'id: 1\ndata: \n\n',
      'retry: 10\nevent: message\nid: 2\ndata: {"jsonrpc":"2.0",  "method":"notifications/progress","params":{}}\n\n',
      'event:message\r\nid:3\r\ndata:{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{}}\r\n\r\n',
      `data: ${result('fine')}\n\n`,
    ]
    const place = await streamed(events)
    const answer = await place.post(modern('echo'))
    expect(await answer.text()).toBe(events.join(''))
    expect(answer.headers.get('x-own')).toBe('kept')
  })

  test('a result that is held back is another one, in the same event', async () => {
    const place = await streamed([`event: message\nid: 9\ndata: ${result(CANARY)}\n\n`])
    const text = await (await place.post(modern('echo'))).text()
    expect(text).not.toContain(CANARY)
    expect(text).toMatch(/^event: message\nid: 9\ndata: \{.*held back.*\}\n\n$/)
  })

  test('a result over several lines of an event is looked at whole', async () => {
    const [head = '', tail = ''] = result(CANARY).split('"content":')
    const place = await streamed([`data: ${head}"content":\ndata: ${tail}\n\n`])
    expect(await (await place.post(modern('echo'))).text()).not.toContain(CANARY)
  })

  test('a result that is no JSON is not passed on; what is no call is', async () => {
    const place = await httpPlace({ answer: (_reached, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(CANARY) })
    const called = await place.post(modern('echo'))
    expect([called.status, (await called.text()).includes(CANARY)]).toEqual([502, false])
    const other = await place.post({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect([other.status, await other.text()]).toEqual([200, CANARY])
  })

  test('statuses and errors of the server', async () => {
    const place = await httpPlace({
      answer: ({ body }, response) =>
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id: idIn(body), error: { code: -32601, message: 'no' } })),
    })
    const answer = await place.post({ jsonrpc: '2.0', id: 1, method: 'x/y' })
    expect([answer.status, (await said(answer)).error?.code]).toEqual([404, -32601])
  })

  test('a server that is gone', async () => {
    const place = await httpPlace({ answer: (_reached, response) => response.destroy() })
    const answer = await place.post(modern('echo'))
    expect(answer.status).toBe(502)
    expect((await said(answer)).error?.message).toContain('whether the call ran is not known')
  })
})

describe('who may do what', () => {
  const OTHER = { ...USER, owner: 'tok_other' }

  test('a session is its owner’s alone', async () => {
    let caller = USER
    const place = await httpPlace({
      callerOf: () => caller,
      answer: (reached, response) =>
        reached.body.includes('initialize')
          ? json(response, { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } }, { 'mcp-session-id': 'secret-session' })
          : echo(reached, response),
    })
    await place.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    })
    const mine = await place.post(call(2, 'echo'), { 'mcp-session-id': 'secret-session' })
    caller = OTHER
    const theirs = await place.post(call(3, 'echo'), { 'mcp-session-id': 'secret-session' })
    expect([mine.status, theirs.status]).toEqual([200, 404])
    const records = place.opened.store.read({ kind: 'decision' })
    const [record] = Symbol.iterator in records ? [...records] : []
    expect(record?.session).toMatch(/^mcp-[0-9a-f]{24}$/)
    expect(JSON.stringify(record)).not.toContain('secret-session')
  })

  test('two clients with the same ids do not get each other’s answers', async () => {
    const place = await httpPlace({
      answer: ({ body }, response) =>
        setTimeout(() => json(response, { jsonrpc: '2.0', id: idIn(body), result: { content: [{ type: 'text', text: body }] } }), 30),
    })
    const answers = await Promise.all(['a', 'b', 'c'].map((who) => place.post(modern('echo', { who })).then((each) => each.text())))
    expect(answers.map((text, index) => text.includes(`\\"who\\":\\"${'abc'[index]}\\"`))).toEqual([true, true, true])
  })

  test('a call that waits answers with progress as it goes, and never runs once its client left', async () => {
    const place = await httpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hold: 10s }\n` })
    const leaving = new AbortController()
    const answer = await fetch(place.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call(1, 'delete_account', { id: 1 }, { _meta: { progressToken: 't' } })),
      signal: leaving.signal,
    })
    const reader = answer.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('notifications/progress')
    leaving.abort()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const [{ id } = { id: '' }] = place.opened.queue.list({ tenant: null, status: 'pending' }).approvals
    await place.opened.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(place.reached).toEqual([])
  })

  test('after a yes the answer of the server ends the stream that began with progress', async () => {
    const place = await httpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hold: 10s }\n` })
    const answer = place.post(call(1, 'delete_account', { id: 1 }, { _meta: { progressToken: 't' } }))
    await expect.poll(() => place.opened.queue.list({ tenant: null, status: 'pending' }).approvals.length).toBe(1)
    const [{ id } = { id: '' }] = place.opened.queue.list({ tenant: null }).approvals
    await place.opened.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    const text = await (await answer).text()
    expect(text).toMatch(/notifications\/progress[\s\S]*"text":"ran"/)
    expect(place.reached).toHaveLength(1)
  })
})

describe('what OAuth asks', () => {
  test('the server says who hands out tokens; the resource is the proxy’s address', async () => {
    const place = await httpPlace({
      answer: ({ path, headers }, response) => {
        if (path === '/.well-known/oauth-protected-resource/mcp')
          json(response, { resource: `http://${headers.host}`, authorization_servers: ['https://login.example'] })
        else
          response
            .writeHead(401, {
              'www-authenticate': 'Bearer resource_metadata="http://behind/.well-known/oauth-protected-resource/mcp", scope="a"',
            })
            .end()
      },
    })
    const refused = await place.post(modern('echo'))
    const challenge = refused.headers.get('www-authenticate') ?? ''
    expect(refused.status).toBe(401)
    expect(challenge).toBe(`Bearer resource_metadata="${place.origin}/.well-known/oauth-protected-resource/mcp", scope="a"`)
    const told = await fetch(/"([^"]*)"/.exec(challenge)?.[1] ?? '')
    expect(await told.json()).toEqual({ resource: place.url, authorization_servers: ['https://login.example'] })
  })

  test('metadata at a place that only the server’s challenge names is found, and no other origin is asked', async () => {
    const foreign = await receiver()
    const asked: string[] = []
    let named = (origin: string): string => `${origin}/meta/of-mcp?x=1`
    const place = await httpPlace({
      answer: ({ path, headers }, response) => {
        asked.push(path)
        if (path === '/meta/of-mcp?x=1')
          json(response, { resource: `http://${headers.host}/mcp`, authorization_servers: ['https://login.example'] })
        else if (path.startsWith('/.well-known/')) response.writeHead(404).end()
        else response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${named(`http://${headers.host}`)}"` }).end()
      },
    })
    const metadata = async () => {
      const refused = await place.post(modern('echo'))
      return fetch(/"([^"]*)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '')
    }
    expect(await (await metadata()).json()).toEqual({ resource: place.url, authorization_servers: ['https://login.example'] })
    named = () => `http://127.0.0.1:${foreign.port}/meta`
    expect((await metadata()).status).toBe(200)
    expect([foreign.seen, asked.filter((path) => path.startsWith('/meta')).length]).toEqual([[], 2])
  })

  test.each([
    ['another server', 'https://victim.example/mcp'],
    ['the port of another program', 'http://127.0.0.1:1/mcp'],
    ['another path', '/elsewhere'],
    ['a path that only begins alike', '/mc'],
    ['no address', 7],
  ])('metadata of %s keeps its name, so that the client turns it down', async (_what, named) => {
    let published: string | number = named
    const place = await httpPlace({
      answer: ({ headers }, response) => {
        if (typeof named === 'string' && named.startsWith('/')) published = `http://${headers.host}${named}`
        json(response, { resource: published, authorization_servers: ['https://login.example'] })
      },
    })
    const told = await fetch(`${place.origin}/.well-known/oauth-protected-resource/mcp`)
    expect(await told.json()).toEqual({ resource: published, authorization_servers: ['https://login.example'] })
  })
})

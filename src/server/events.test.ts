import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { NOTE } from '../../test/support/records.ts'
import { ask, asking, opened, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

interface Told {
  readonly id: number | null
  readonly event: string
  readonly data: Record<string, unknown>
}

interface Ear {
  /** Waits for the next so many events. */
  readonly hear: (count: number) => Promise<readonly Told[]>
  readonly ended: () => Promise<boolean>
  readonly stop: () => void
}

/** Listens, and knows that it is heard: the first words of the stream have come. */
async function listen({
  query = '',
  headers = {},
  of = server,
}: {
  query?: string
  headers?: Record<string, string>
  of?: TestServer
} = {}): Promise<Ear> {
  const ending = new AbortController()
  const response = await fetch(`${of.url}/v1/events${query}`, {
    headers: { authorization: `Bearer ${of.operator}`, ...headers },
    signal: ending.signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let over = false
  const more = async () => {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    over = done
    text += decoder.decode(value, { stream: true })
  }
  await more()
  return {
    hear: async (count) => {
      while (events(text).length < count && !over) await more()
      const heard = events(text).slice(0, count)
      text = ''
      return heard
    },
    ended: async () => {
      while (!over) await more()
      return over
    },
    stop: () => ending.abort(),
  }
}

function events(text: string): readonly Told[] {
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const [event, data, id] = [field('event'), field('data'), field('id')]
    return event === undefined || data === undefined
      ? []
      : [{ id: id === undefined ? null : Number(id), event, data: JSON.parse(data) as Told['data'] }]
  })
}

let next = 0
const decide = (tool = 'get_x') =>
  ask<{ audit_entry_id: string }>(`${server.url}/v1/decisions`, { body: { tool, args: {}, session: `e${++next}` } })

describe('events', () => {
  test('tell of decisions as they are made', async () => {
    const ear = await listen()
    const { body } = await decide()
    const [told] = await ear.hear(1)
    expect(told).toEqual({
      id: expect.any(Number),
      event: 'decision',
      data: {
        id: body.audit_entry_id,
        at: expect.stringMatching(/Z$/),
        session: `e${next}`,
        tool: 'get_x',
        decision: 'allow',
        code: 'registry.permitted',
      },
    })
    ear.stop()
  })

  test('tell of approvals as they are opened, answered and used', async () => {
    const ear = await listen()
    const call = asking({ session: `e${++next}` })
    const { id } = await opened(server, call)
    expect((await ear.hear(2)).map(({ event, data }) => [event, data.status ?? data.decision])).toEqual([
      ['approval', 'pending'],
      ['decision', 'ask'],
    ])
    await ask(`${server.url}/v1/approvals/${id}/approve`, { token: server.operator, body: {} })
    expect(await ear.hear(1)).toMatchObject([{ event: 'approval', data: { id, status: 'approved', version: 1 } }])
    await ask(`${server.url}/v1/decisions`, { body: call })
    expect((await ear.hear(2)).map(({ data }) => data.status ?? data.decision)).toEqual(['consumed', 'allow'])
    ear.stop()
  })

  proves('P5', 'tell of what another process wrote to the log', async () => {
    const ear = await listen()
    await server.opened.store.append({
      kind: 'decision',
      session: 'elsewhere',
      tenant: null,
      tool: 'Bash',
      decision: 'deny',
      code: 'rules.denied',
      at: Date.now(),
      body: {},
    })
    expect(await ear.hear(1)).toMatchObject([{ event: 'decision', data: { session: 'elsewhere', decision: 'deny' } }])
    ear.stop()
  })

  for (const [title, resume] of [
    ['Last-Event-ID', (id: number) => ({ headers: { 'last-event-id': String(id) } })],
    ['after', (id: number) => ({ query: `?after=${id}` })],
  ] as const) {
    test(`go on where the listener left off, by ${title}: everything once, in order`, async () => {
      const ear = await listen()
      await decide()
      const [first] = await ear.hear(1)
      ear.stop()
      const made = []
      for (let i = 0; i < 5; i += 1) made.push((await decide()).body.audit_entry_id)
      const again = await listen(resume(first?.id ?? 0))
      made.push((await decide()).body.audit_entry_id)
      const heard = await again.hear(6)
      expect(heard.map(({ data }) => data.id)).toEqual(made)
      expect(heard.map(({ id }) => id)).toEqual(heard.map((_, index) => (first?.id ?? 0) + 1 + index))
      again.stop()
    })
  }

  for (const [title, headers] of [
    ['a number that was never there', { 'last-event-id': '999999999' }],
    ['more than is told again', { 'last-event-id': '0' }],
  ] as const) {
    test(`${title}: the listener is told to begin anew`, async () => {
      const own = await startServer()
      if (headers['last-event-id'] === '0') {
        const record = { ...NOTE, at: 1 }
        await Promise.all(Array.from({ length: 2_100 }, () => own.opened.store.append(record)))
      }
      const ear = await listen({ headers, of: own })
      await ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
      const heard = await ear.hear(1)
      expect(heard[0]?.event).toBe('reset')
      ear.stop()
      await own.stop()
    })
  }

  for (const id of ['', 'x', '-1', '1.5', '1e3', '99999999999999999999']) {
    test(`Last-Event-ID \`${id}\` is none: only what comes is told`, async () => {
      const ear = await listen({ headers: { 'last-event-id': id } })
      const { body } = await decide()
      expect((await ear.hear(1))[0]?.data.id).toBe(body.audit_entry_id)
      ear.stop()
    })
  }

  test('hold nothing but ids and codes: no argument, no reason', async () => {
    const ear = await listen()
    await ask(`${server.url}/v1/decisions`, { body: { tool: 'get_x', args: { secret: 'hunter2' }, session: 'quiet' } })
    const heard = await ear.hear(1)
    expect(JSON.stringify(heard)).not.toContain('hunter2')
    expect(Object.keys(heard[0]?.data ?? {}).toSorted()).toEqual(['at', 'code', 'decision', 'id', 'session', 'tool'])
    ear.stop()
  })

  test('names of the agent cannot make events of their own', async () => {
    const ear = await listen()
    await ask(`${server.url}/v1/decisions`, { body: { tool: 'get_x', args: {}, session: 'x', principal: { agent: 'a' } } })
    await ask(`${server.url}/v1/decisions`, { body: { tool: 'a\u2028b', args: {}, session: 's' } })
    const heard = await ear.hear(2)
    expect(heard.every(({ event }) => event === 'decision' || event === 'approval')).toBe(true)
    ear.stop()
  })

  test('end with the token that they were asked for with; who else listens goes on', async () => {
    const own = await startServer()
    const eve = own.token({ name: 'human:eve', role: 'viewer', expiresAt: new Date(Date.now() + 5_000).toISOString() })
    const [hers, operators] = [await listen({ of: own, headers: { authorization: `Bearer ${eve}` } }), await listen({ of: own })]
    const made = () => ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {}, session: 's' } })
    await made()
    expect([(await hers.hear(1)).length, (await operators.hear(1)).length]).toEqual([1, 1])
    own.pass(10_000)
    await made()
    expect(await hers.hear(1)).toEqual([])
    expect([await hers.ended(), (await operators.hear(1)).length]).toEqual([true, 1])
    operators.stop()
    await own.stop()
  })

  test('end when the server does', async () => {
    const own = await startServer()
    const ear = await listen({ of: own })
    const stopping = own.stop()
    expect(await ear.ended()).toBe(true)
    await stopping
  })

  test('a listener that went away is forgotten', async () => {
    const ears = await Promise.all(Array.from({ length: 5 }, () => listen()))
    for (const ear of ears) ear.stop()
    const listeners = async () => {
      const { body } = await ask<{ text: string }>(`${server.url}/metrics`)
      return body.text.split('\n').find((line) => line.startsWith('countersign_event_listeners '))
    }
    for (let i = 0; i < 100 && (await listeners()) !== 'countersign_event_listeners 0'; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await listeners()).toBe('countersign_event_listeners 0')
  })
})

/** The worker that confirms calls of Claude Managed Agents, against a server of the same wire; the official client says that it is the same. */
import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { partsOf } from '../../src/cli/agents/run.ts'
import { decidedHere } from '../../src/cli/proxies/large.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { openGate } from '../../src/open.ts'
import { createAgentsApi } from '../../src/proxies/agents/api.ts'
import { eventOf, ungatedTools } from '../../src/proxies/agents/wire.ts'
import { createWorker, type WorkerParts } from '../../src/proxies/agents/worker.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import { eventually } from '../support/eventually.ts'
import { type ManagedSession, startManagedSession, use } from '../support/managed-agents.ts'
import { mcpPolicy } from '../support/mcp.ts'
import { stateDirectoryOfTest } from '../support/state.ts'
import { describedView } from '../support/workplace.ts'

const POLICY = `version: 1
unregistered: allow
rules:
  allow: [{ tool: read, reason: yes }, { tool: "crm/get_customer", reason: yes }]
  ask: [{ tool: bash, argument_contains: push, reason: see it }]
  deny: [{ tool: write, reason: never }, { tool: bash, argument_contains: forbidden, reason: never }]
`

interface Place {
  readonly remote: ManagedSession
  readonly opened: ReturnType<typeof openGate>
  readonly uninspected: string[]
  readonly notes: string[]
  readonly parts: WorkerParts
  /** Starts a worker; the function ends it. */
  readonly attend: () => { readonly stop: () => void; readonly over: Promise<void> }
  readonly decisions: () => readonly StoredRecord[]
}

async function makePlace(more: Partial<WorkerParts> = {}): Promise<Place> {
  const remote = await startManagedSession()
  const policy = mcpPolicy(POLICY)
  const opened = openGate({ home: stateDirectoryOfTest(), policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
  const [uninspected, notes]: [string[], string[]] = [[], []]
  const ends: (() => void)[] = []
  onTestFinished(() => {
    for (const end of ends) end()
    remote.close()
    opened.close()
  })
  const api = createAgentsApi({ url: new URL(remote.url), key: 'sk-test' })
  const parts: WorkerParts = {
    ...partsOf({ opened, look: null, large: decidedHere(opened), owing: new Set() }, api),
    uninspected: (what) => uninspected.push(what),
    note: (line) => notes.push(line),
    principal: { agent: 'claude-managed-agents', role: null, user: null, tenant: null, chain: [] },
    retryMs: 5,
    ...more,
  }
  const read = (kind: 'decision' | 'result' | 'session'): readonly StoredRecord[] => [
    ...(opened.store.read({ session: remote.id, kind }) as Iterable<StoredRecord>),
  ]
  return {
    ...{ remote, opened, uninspected, notes, parts },
    attend: () => {
      const end = new AbortController()
      ends.push(() => end.abort())
      return { stop: () => end.abort(), over: createWorker(parts).attend(remote.id, end.signal) }
    },
    decisions: () => read('decision'),
  }
}

const codes = (place: Place): readonly string[] => place.decisions().map(({ decision, code }) => `${decision} ${code}`)
/** The first value that is something. */
const until = <T>(find: () => T | null | undefined | false): Promise<T> =>
  eventually(() => {
    const found = find()
    if (found === null || found === undefined || found === false) throw new Error('not yet')
    return found
  }) as Promise<T>
const said = (place: Place, id: string): Promise<string> => until(() => place.remote.said.get(id) ?? null)
const waits = (place: Place): Promise<string> =>
  until(() => place.opened.queue.list({ tenant: null, status: 'pending' }).approvals[0]?.id ?? null)
const approve = (place: Place, id: string, verdict: 'approve' | 'deny' = 'approve') =>
  place.opened.queue.answer(id, { tenant: null, by: 'human:alice', verdict, comment: 'seen' })

describe('a session that waits', () => {
  test.each([
    ['what is allowed', use('t1', 'read', { file_path: 'a.md' }), 'flag', 'allow'],
    [
      'a tool of a server',
      { ...use('t1', 'get_customer', { id: 7 }), type: 'agent.mcp_tool_use', mcp_server_name: 'crm' },
      'flag',
      'allow',
    ],
    ['what is denied', use('t1', 'write', { file_path: 'a.md', content: 'x' }), 'deny', 'not allowed'],
    ['an input that is no object', use('t1', 'read', [] as never), 'deny', 'ingress.wrong_type'],
    ['a call of a subagent', use('t1', 'bash', { command: 'echo forbidden' }, { session_thread_id: 'sthr_1' }), 'deny', 'not allowed'],
  ] as const)('%s is confirmed as it was decided, and recorded once', async (_, call, decision, answer) => {
    const place = await makePlace()
    place.attend()
    await until(() => place.remote.streams() > 0)
    place.remote.propose(call)
    expect(await said(place, 't1')).toContain(answer)
    expect(place.remote.ran).toEqual(answer === 'allow' ? ['t1'] : [])
    expect(place.decisions().map(({ decision: each }) => each)).toEqual([decision])
  })

  test('a question holds the session until a person answers; the call then runs, once', async () => {
    const place = await makePlace()
    place.attend()
    place.remote.propose(use('t1', 'bash', { command: 'git push' }), use('t2', 'read', { file_path: 'a.md' }))
    expect(await said(place, 't2')).toBe('allow')
    expect(place.remote.said.has('t1')).toBe(false)
    await approve(place, await waits(place))
    expect(await said(place, 't1')).toBe('allow')
    expect(place.remote.ran).toEqual(['t2', 't1'])
  })

  test('a no of a person is a denial', async () => {
    const place = await makePlace()
    place.attend()
    place.remote.propose(use('t1', 'bash', { command: 'git push' }))
    await approve(place, await waits(place), 'deny')
    expect(await said(place, 't1')).toContain('approval.denied')
    expect(place.remote.ran).toEqual([])
  })

  test('a gate that fails denies', async () => {
    const place = await makePlace({
      gate: {
        decide: () => Promise.reject(new Error('no store')),
        refuse: () => Promise.reject(new Error('no store')),
      },
    })
    place.attend()
    place.remote.propose(use('t1', 'read', { file_path: 'a.md' }))
    expect(await said(place, 't1')).not.toBe('allow')
    expect(place.notes.join()).toContain('no store')
  })
})

describe('streams that break, events that come again', () => {
  test('what waited before the worker came is decided; what was answered is not decided again', async () => {
    const place = await makePlace()
    place.remote.propose(use('t1', 'read', { file_path: 'a.md' }))
    const first = place.attend()
    expect(await said(place, 't1')).toBe('allow')
    first.stop()
    await first.over
    place.attend()
    place.remote.propose(use('t2', 'read', { file_path: 'b.md' }))
    expect(await said(place, 't2')).toBe('allow')
    expect(codes(place)).toHaveLength(2)
    expect([...(place.opened.store.read({ session: place.remote.id, kind: 'result' }) as Iterable<StoredRecord>)]).toHaveLength(2)
  })

  test('a call that came while the stream was down is decided from the history, once', async () => {
    const place = await makePlace()
    place.attend()
    await until(() => place.remote.streams() > 0)
    place.remote.failing.GET.push(503, 429)
    place.remote.hangUp()
    await until(() => place.remote.streams() === 0)
    place.remote.propose(use('t1', 'write', { file_path: 'a.md', content: 'x' }))
    expect(await said(place, 't1')).toContain('not allowed')
    expect(codes(place)).toEqual(['deny rules.denied'])
  })

  test('a question outlives the stream: it is asked once, and answered over the next one', async () => {
    const place = await makePlace()
    place.attend()
    place.remote.propose(use('t1', 'bash', { command: 'git push' }))
    const id = await waits(place)
    place.remote.hangUp()
    await until(() => place.remote.requests.filter(({ path }) => path.includes('/stream')).length > 1)
    expect(place.opened.queue.list({ tenant: null, status: 'pending' }).approvals).toHaveLength(1)
    await approve(place, id)
    expect(await said(place, 't1')).toBe('allow')
  })

  test('an answer that is not taken is sent again; one that is refused is not', async () => {
    const place = await makePlace()
    place.remote.failing.POST.push(500, 503)
    place.attend()
    place.remote.propose(use('t1', 'read', { file_path: 'a.md' }))
    expect(await said(place, 't1')).toBe('allow')
    expect(place.remote.requests.filter(({ method }) => method === 'POST')).toHaveLength(3)
    place.remote.failing.POST.push(400)
    place.remote.propose(use('t2', 'read', { file_path: 'a.md' }))
    await until(() => place.notes.some((line) => line.includes('t2')))
    place.remote.propose(use('t3', 'read', { file_path: 'a.md' }))
    expect(await said(place, 't3')).toBe('allow')
    expect(place.remote.ran).toEqual(['t1', 't3'])
  })

  test('two calls of one id, and an id that nothing tells of, do not run', async () => {
    const place = await makePlace()
    place.attend()
    await until(() => place.remote.streams() > 0)
    place.remote.past(use('t1', 'read', { file_path: 'a.md' }))
    place.remote.emit(use('t1', 'bash', { command: 'echo forbidden' }))
    place.remote.propose(use('t1', 'read', { file_path: 'a.md' }))
    expect(await said(place, 't1')).toContain('ingress.wrong_type')
    place.remote.propose({ type: 'agent.thinking', id: 't2' })
    expect(await said(place, 't2')).toContain('ingress.wrong_type')
    expect(place.remote.ran).toEqual([])
  })

  test('somebody else answers first: the question is withdrawn here, and nothing is sent', async () => {
    const place = await makePlace()
    place.attend()
    place.remote.propose(use('t1', 'bash', { command: 'git push' }))
    const id = await waits(place)
    place.remote.emit({ type: 'user.tool_confirmation', tool_use_id: 't1', result: 'deny' })
    place.remote.propose(use('t2', 'read', { file_path: 'a.md' }))
    await said(place, 't2')
    await approve(place, id)
    place.remote.propose(use('t3', 'read', { file_path: 'b.md' }))
    await said(place, 't3')
    expect(place.remote.said.has('t1')).toBe(false)
  })

  test('a session that is over ends its worker; one that is not there is an error', async () => {
    const place = await makePlace()
    const { over } = place.attend()
    await until(() => place.remote.streams() > 0)
    place.remote.emit({ type: 'session.status_terminated' })
    await over
    place.remote.failing.GET.push(404)
    await expect(place.attend().over).rejects.toThrow('HTTP 404')
  })
})

test('what ran unasked is counted, and its result is known to the session; so is what the user asked for', async () => {
  const place = await makePlace()
  place.attend()
  await until(() => place.remote.streams() > 0)
  place.remote.emit(
    { type: 'user.message', content: [{ type: 'text', text: 'tidy up' }] },
    use('t1', 'read', { file_path: 'a.md' }, { evaluated_permission: 'allow' }),
    { type: 'agent.tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'text' }], is_error: false },
  )
  place.remote.propose(use('t2', 'read', { file_path: 'b.md' }))
  expect(await said(place, 't2')).toBe('allow')
  expect(place.uninspected).toEqual(['a call that ran without a question'])
  const { results, prompted } = place.parts.known(place.remote.id)
  expect([results.has('t1'), prompted]).toEqual([true, true])
  expect(JSON.stringify(place.decisions()[0]?.body)).toContain('tidy up')
})

test('which tools of a session are never asked about', () => {
  const always = (type: string) => ({ enabled: true, permission_policy: { type } })
  const agent = {
    name: 'a',
    tools: [
      { type: 'agent_toolset_20260401', configs: [{ name: 'bash', ...always('always_ask') }], default_config: always('always_allow') },
      { type: 'mcp_toolset', mcp_server_name: 'crm', configs: [{ name: 'get', ...always('auto') }], default_config: always('always_ask') },
      { type: 'mcp_toolset', mcp_server_name: 'off', configs: [{ name: 'get', enabled: false }] },
      { type: 'custom', name: 'mine' },
    ],
    multiagent: { type: 'coordinator', agents: [{ name: 'b', tools: [{ type: 'agent_toolset_20260401' }] }] },
  }
  const found = ungatedTools({ agent } as unknown as JsonObject)?.map((each) => `${each.agent} ${each.tool} ${each.policy}`)
  for (const session of [{}, { agent: null }, { agent: { name: 'a' } }]) expect(ungatedTools(session)).toBeNull()
  expect(found).toEqual(['a * always_allow', 'a crm/get auto', 'a mine custom', 'b * always_allow'])
})

test.each([
  ['no event', null],
  ['a call without a name', { type: 'agent.tool_use', id: 't1', input: {} }],
  ['a call of no server', { type: 'agent.mcp_tool_use', id: 't1', name: 'x', input: {} }],
  ['a confirmation of nothing', { type: 'user.tool_confirmation', result: 'allow' }],
])('%s cannot be read', (_, value) => expect(eventOf(value as never)).toBeNull())

test('asks as the official client does', async () => {
  const [ours, theirs] = [await startManagedSession(), await startManagedSession()]
  onTestFinished(() => {
    ours.close()
    theirs.close()
  })
  const { signal } = new AbortController()
  const events = [{ type: 'user.tool_confirmation' as const, tool_use_id: 't1', result: 'deny' as const, deny_message: 'no' }]
  for (const each of [ours, theirs]) each.propose(use('t1', 'read', {}))
  const api = createAgentsApi({ url: new URL(ours.url), key: 'sk-test' })
  await api.session('sesn_01', signal)
  await api.stream('sesn_01', signal)
  await api.send('sesn_01', events, signal)
  expect(await api.sessions(signal)).toEqual(['sesn_01'])
  const { sessions } = new Anthropic({ apiKey: 'sk-test', baseURL: theirs.url, maxRetries: 0 }).beta
  await sessions.retrieve('sesn_01')
  const stream = await sessions.events.stream('sesn_01')
  await sessions.events.send('sesn_01', { events })
  const heard: string[] = []
  for await (const { type } of stream) {
    heard.push(type)
    if (type === 'session.status_running') break
  }
  for await (const _ of sessions.list({ limit: 100 }));
  const asked = (each: ManagedSession) => each.requests.map(({ key: _, ...request }) => JSON.stringify(request))
  expect(asked(ours)).toEqual(asked(theirs))
  expect(heard).toContain('user.tool_confirmation')
  // The history, with all of its pages.
  const listed: string[] = []
  for await (const { type } of sessions.events.list('sesn_01', { limit: 1000, order: 'asc' })) listed.push(type)
  expect((await api.history('sesn_01', signal)).map((event) => (event as JsonObject).type)).toEqual(listed)
})

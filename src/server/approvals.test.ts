import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, asking, OPERATOR, opened, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
let alice: string
let bob: string
beforeAll(async () => {
  server = await startServer()
  alice = server.token({ name: 'human:alice', role: 'approver' })
  bob = server.token({ name: 'human:bob', role: 'approver' })
})
afterAll(() => server.stop())

let next = 0
const fresh = (more: Readonly<Record<string, unknown>> = {}) => opened(server, { session: `a${++next}`, ...more })
const show = (id: string, token = alice) => ask<View>(`${server.url}/v1/approvals/${id}`, { token })
const answer = (id: string, kind: string, { token = alice, body = {} }: { token?: string; body?: unknown } = {}) =>
  ask<View>(`${server.url}/v1/approvals/${id}/${kind}`, { token, body })

interface View {
  readonly id: string
  readonly status: string
  readonly version: number
  readonly error?: string
  readonly answers: readonly { readonly by: string; readonly verdict: string; readonly reason: string }[]
  readonly [field: string]: unknown
}

describe('what is shown', () => {
  for (const [title, chain, current, metadata] of [
    ['a chain', ['manager', 'ceo'], 'human:manager', { dryrun_supported: false }],
    ['nobody', [], null, { dryrun_supported: false }],
  ] as const) {
    proves(
      ['SIG-7', 'SIG-11', 'SIG-12'],
      `an irreversible tool with ${title} behind it: 202, and the approval says who must agree and what is known of the tool`,
      async () => {
        server.use(
          `${ASKING.replace('tools: {', 'tools: { send_email: { risk_tier: high, irreversible: true, dryrun_supported: false },')}`,
        )
        const call = { tool: 'send_email', args: { to: 'a@x.example' }, session: title, principal: { agent: 'a', chain } }
        const { status, body } = await ask<Irreversible>(`${server.url}/v1/decisions`, { body: call })
        const found = body.findings.find(({ layer }) => layer === 'registry')
        expect([status, found?.verdict]).toEqual([202, 'ask'])
        expect(found?.evidence).toMatchObject({ ...metadata, requires_approval_from: chain, current_approver: chain[0] ?? null })
        const shown = await show(body.approval.id)
        expect([shown.body.current_approver, shown.body.terms]).toMatchObject([current, { chain: chain.map((name) => `human:${name}`) }])
        expect(shown.body.decision_id).toBe(body.audit_entry_id)
        server.use(ASKING)
      },
    )
  }

  proves(['PIT-7', 'SIG-12'], 'a person sees everything', async () => {
    const { id } = await fresh()
    const { body } = await show(id)
    expect(body).toMatchObject({
      id,
      status: 'pending',
      version: 0,
      use_by: null,
      tenant: null,
      principal: { agent: 'a', role: null, user: null, tenant: null, chain: [] },
      tool: 'send_it',
      code: 'registry.unregistered',
      current_approver: null,
      yes: 0,
      answers: [],
      terms: { quorum: 1, excluded: ['agent:a'], approvers: null, chain: [] },
    })
    expect(body.sheet).toMatchObject({ tool: 'send_it', call: { args: { to: 'somebody' } } })
  })

  for (const [title, token] of [
    ['without a token', () => undefined],
    ['with a token of its own', () => server.token({ name: `bot${++next}`, role: 'agent' })],
  ] as const) {
    proves('T53', `an agent ${title} sees how it stands, and no more`, async () => {
      const { id } = await fresh()
      const given = token()
      const { body } = await ask(`${server.url}/v1/approvals/${id}`, given === undefined ? {} : { token: given })
      expect(Object.keys(body).toSorted()).toEqual(['expires_at', 'id', 'message', 'status'])
      await answer(id, 'deny', { body: { comment: 'the reason of alice' } })
      const after = await ask(`${server.url}/v1/approvals/${id}`, given === undefined ? {} : { token: given })
      expect([after.body.status, JSON.stringify(after.body).includes('alice')]).toEqual(['denied', false])
    })
  }

  for (const id of ['apr_none', 'apr_', '0', '-1', 'last', '__proto__', 'constructor', '%00', '%2e%2e', "' OR 1=1 --", 'a'.repeat(2_000)]) {
    proves('PIT-7', `${id.slice(0, 30)} is no id`, async () => {
      for (const path of ['', '/approve', '/deny']) {
        const { status } = await ask(`${server.url}/v1/approvals/${encodeURIComponent(id)}${path}`, {
          token: alice,
          ...(path === '' ? {} : { body: {} }),
        })
        expect(status).toBe(404)
      }
    })
  }
})

describe('the list', () => {
  test('is by status, by session and by limit, and says whether there is more', async () => {
    const own = await startServer()
    const [one, two, three] = [
      await opened(own, { session: 'x' }),
      await opened(own, { session: 'x', args: { to: 'b' } }),
      await opened(own, { session: 'y' }),
    ]
    const of = async (query: string) => {
      const { body } = await ask<{ approvals: View[]; more: boolean; groups: { ids: string[] }[] }>(`${own.url}/v1/approvals${query}`, {
        token: own.operator,
      })
      return { ids: body.approvals.map(({ id }) => id).toSorted(), more: body.more, groups: body.groups.map(({ ids }) => ids.length) }
    }
    const sorted = (...all: readonly { id: string }[]) => all.map(({ id }) => id).toSorted()
    await ask(`${own.url}/v1/approvals/${one.id}/deny`, { token: own.operator, body: {} })
    expect(await of('')).toMatchObject({ ids: sorted(one, two, three), more: false })
    expect(await of('?status=pending')).toEqual({ ids: sorted(two, three), more: false, groups: [2] })
    expect(await of('?status=denied')).toEqual({ ids: sorted(one), more: false, groups: [] })
    expect(await of('?status=open&session=y')).toMatchObject({ ids: sorted(three) })
    expect(await of('?limit=1')).toMatchObject({ more: true })
    expect((await of('?limit=1')).ids).toHaveLength(1)
    await own.stop()
  })

  for (const [query, status] of [
    ['?status=pending', 200],
    ['?status=waiting', 400],
    ['?status=', 400],
    ['?status=pending&status=denied', 400],
    ['?limit=1', 200],
    ['?limit=0', 200],
    ['?limit=999999', 200],
    ['?limit=-1', 400],
    ['?limit=1e3', 400],
    ['?limit=abc', 400],
    ['?stauts=pending', 400],
    ['?__proto__=1', 400],
    ['?session=%00', 200],
  ] as const) {
    test(`${query}: ${status}`, async () => {
      const { status: given, body } = await ask(`${server.url}/v1/approvals${query}`, { token: alice })
      expect([given, status === 200 ? undefined : body.error]).toEqual([status, status === 200 ? undefined : 'http.query'])
    })
  }
})

describe('an answer', () => {
  for (const [kind, verdict, status] of [
    ['approve', 'approve', 'approved'],
    ['deny', 'deny', 'denied'],
  ] as const) {
    proves(['AEG-20', 'AEG-W12'], `${kind}: taken, with who and why, as the token says who`, async () => {
      const { id } = await fresh()
      const { status: code, body } = await answer(id, kind, { body: { comment: 'because' } })
      expect([code, body.status]).toEqual([200, status])
      expect(body.answers).toMatchObject([{ by: 'human:alice', verdict, reason: 'because' }])
    })

    proves('AEG-20', `${kind} twice is taken once; the other answer is a conflict (D15)`, async () => {
      const { id } = await fresh()
      await answer(id, kind)
      const again = await answer(id, kind, { token: bob })
      expect([again.status, again.body.answers.length]).toEqual([200, 1])
      const other = await answer(id, kind === 'approve' ? 'deny' : 'approve', { token: bob })
      expect(other.status).toBe(kind === 'approve' ? 200 : 409)
    })
  }

  for (const [title, body, status, pointer] of [
    ['a name', { by: 'human:boss' }, 422, '/by'],
    ['a tenant', { tenant: 'other' }, 422, '/tenant'],
    ['a comment that is no text', { comment: 1 }, 422, '/comment'],
    ['a comment that is too long', { comment: 'x'.repeat(5_000) }, 422, '/comment'],
    ['a version that is none', { version: 'x' }, 422, '/version'],
    ['a list', '[]', 422, ''],
    ['a scope that there is not', { scope: 'always' }, 422, '/scope'],
    ['a grant that is text', { scope: { grant: 'all' } }, 422, '/scope'],
    ['changed arguments that are a list', { modified_arguments: [1] }, 422, '/modified_arguments'],
    ['no JSON', '{', 400, ''],
    ['the same key twice', '{"comment":"a","comment":"b"}', 400, '/comment'],
    ['more than there is room for', { comment: 'x'.repeat(1_100_000) }, 413, ''],
  ] as const) {
    proves('AEG-W12', `cannot carry ${title}: ${status}`, async () => {
      const { id } = await fresh()
      const got = await answer(id, 'approve', { body })
      expect([got.status, got.body.pointer]).toEqual([status, pointer])
      expect((await show(id)).body.status).toBe('pending')
    })
  }

  test('is for the version that was looked at', async () => {
    const { id } = await fresh()
    const other = await answer(id, 'approve', { body: { version: 7 } })
    expect([other.status, other.body.error]).toEqual([409, 'approval.changed'])
    expect((await answer(id, 'approve', { body: { version: 0 } })).status).toBe(200)
  })

  proves('AEG-20', 'an unknown one is 404', async () => {
    expect((await answer('apr_none', 'approve')).status).toBe(404)
    expect((await answer('apr_none', 'deny')).status).toBe(404)
  })

  test('may be an empty body', async () => {
    const { id } = await fresh()
    const response = await fetch(`${server.url}/v1/approvals/${id}/approve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice}`, 'content-type': 'application/json' },
    })
    expect(response.status).toBe(200)
  })

  test('a withdrawn one can be neither approved nor used', async () => {
    const call = asking({ session: `a${++next}` })
    const { id } = await opened(server, call)
    expect((await answer(id, 'cancel', { token: server.operator })).body.status).toBe('cancelled')
    expect((await answer(id, 'approve')).status).toBe(409)
    expect((await ask(`${server.url}/v1/decisions`, { body: call })).status).toBe(202)
  })

  proves(['T21', 'T28'], 'too late is a conflict', async () => {
    const own = await startServer()
    const { id } = await opened(own)
    own.pass(16 * 60_000)
    const late = await ask(`${own.url}/v1/approvals/${id}/approve`, { token: own.operator, body: {} })
    expect([late.status, late.body.error]).toEqual([409, 'timeout.approval'])
    await own.stop()
  })
})

describe('who may answer', () => {
  proves(['P8', 'T22'], 'not who asked, even as approver', async () => {
    const { id } = await opened(server, { session: `a${++next}`, principal: { user: 'alice' } })
    const own = await answer(id, 'approve')
    expect([own.status, own.body.error]).toEqual([403, 'approval.requester'])
    expect((await answer(id, 'approve', { token: bob })).status).toBe(200)
  })

  test('a quorum waits for another person', async () => {
    server.use(`${ASKING}approvals: { quorum: 2 }\n`)
    const { id } = await fresh()
    expect((await answer(id, 'approve')).body).toMatchObject({ status: 'pending', yes: 1 })
    expect((await answer(id, 'approve')).body).toMatchObject({ status: 'pending', yes: 1 })
    expect((await answer(id, 'approve', { token: bob })).body).toMatchObject({ status: 'approved', yes: 2 })
    server.use(ASKING)
  })

  for (const [section, body, status, error] of [
    ['approvers: { "*": [bob] }', {}, 403, 'approval.not_approver'],
    ['break_glass: [bob]', { break_glass: true, comment: 'fire' }, 403, 'approval.not_approver'],
    ['break_glass: [alice]', { break_glass: true }, 422, 'approval.no_reason'],
    ['break_glass: [alice]', { break_glass: true, comment: ' ' }, 422, 'approval.no_reason'],
    ['break_glass: [alice]', { break_glass: true, comment: 'fire' }, 200, undefined],
  ] as const) {
    test(`${section} ${JSON.stringify(body)}: ${status}`, async () => {
      server.use(`${ASKING}approvals: { ${section} }\n`)
      const { id } = await fresh()
      const got = await answer(id, 'approve', { body })
      expect([got.status, got.body.error]).toEqual([status, error])
      server.use(ASKING)
    })
  }

  proves('SIG-11', 'a chain is walked link by link', async () => {
    server.use('unregistered: deny\ntools: { pay: { risk_tier: high, irreversible: true } }\n')
    const { id } = await opened(server, {
      tool: 'pay',
      session: `a${++next}`,
      principal: { agent: 'a', chain: ['human:alice', 'human:bob'] },
    })
    expect((await show(id)).body).toMatchObject({ current_approver: 'human:alice', terms: { chain: ['human:alice', 'human:bob'] } })
    expect((await answer(id, 'approve', { token: bob })).body.error).toBe('approval.not_turn')
    expect((await answer(id, 'approve')).body).toMatchObject({ status: 'pending', current_approver: 'human:bob' })
    expect((await answer(id, 'approve', { token: bob })).body.status).toBe('approved')
    server.use(ASKING)
  })
})

describe('many at once', () => {
  const batch = (body: unknown) =>
    ask<{ results: { id: string; ok: boolean; error?: { error: string } }[] }>(`${server.url}/v1/approvals/batch`, { token: alice, body })

  test('are named one by one, and answered one by one', async () => {
    const [one, two] = [await fresh(), await fresh()]
    const { status, body } = await batch({ ids: [one.id, 'apr_none', two.id], verdict: 'approve', comment: 'all of them' })
    expect(status).toBe(200)
    expect(body.results.map(({ id, ok, error }) => [id, ok, error?.error])).toEqual([
      [one.id, true, undefined],
      ['apr_none', false, 'approval.unknown'],
      [two.id, true, undefined],
    ])
    expect((await show(two.id)).body.answers).toMatchObject([{ by: 'human:alice', reason: 'all of them' }])
  })

  for (const [title, body] of [
    ['no ids', { ids: [], verdict: 'approve' }],
    ['all', { ids: '*', verdict: 'approve' }],
    ['no answer', { ids: ['a'] }],
    ['another answer', { ids: ['a'], verdict: 'cancel' }],
    ['the same twice', { ids: ['a', 'a'], verdict: 'approve' }],
    ['a group', { group: 'x', verdict: 'approve' }],
    ['fifty-one', { ids: Array.from({ length: 51 }, (_, i) => `apr_${i}`), verdict: 'approve' }],
  ] as const) {
    test(`${title}: 422`, async () => expect((await batch(body)).status).toBe(422))
  }
})

describe('waiting for an answer', () => {
  test('ends when it is given', async () => {
    const { id } = await fresh()
    const waiting = ask(`${server.url}/v1/approvals/${id}?wait=30s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await answer(id, 'approve')
    expect((await waiting).body.status).toBe('approved')
  })

  test('ends when its time is over', async () => {
    const { id } = await fresh()
    expect((await ask(`${server.url}/v1/approvals/${id}?wait=50ms`)).body.status).toBe('pending')
  })

  test('ends at once where the version is another one', async () => {
    const { id } = await fresh()
    await answer(id, 'approve')
    expect((await ask(`${server.url}/v1/approvals/${id}?wait=30s&version=0`)).body.status).toBe('approved')
  })

  test('ends at once where it is over', async () => {
    const { id } = await fresh()
    await answer(id, 'deny')
    expect((await ask(`${server.url}/v1/approvals/${id}?wait=30s`)).body.status).toBe('denied')
  })

  for (const [wait, status] of [
    ['0s', 200],
    ['1ms', 200],
    ['30', 400],
    ['-1s', 400],
    ['1h', 400],
    ['forever', 400],
    ['1e9s', 400],
  ] as const) {
    test(`wait=${wait}: ${status}`, async () => {
      const { id } = await fresh()
      expect((await ask(`${server.url}/v1/approvals/${id}?wait=${wait}`)).status).toBe(status)
    })
  }

  test('leaves nobody waiting who went away', async () => {
    const { id } = await fresh()
    const ending = new AbortController()
    const waiting = fetch(`${server.url}/v1/approvals/${id}?wait=30s`, { signal: ending.signal }).catch(() => null)
    await new Promise((resolve) => setTimeout(resolve, 50))
    ending.abort()
    await waiting
    while (!(await listeners()).endsWith(' 0')) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await listeners()).toBe('countersign_event_listeners 0')
  })

  const listeners = async () => {
    const { body } = await ask<{ text: string }>(`${server.url}/metrics`)
    return body.text.split('\n').find((line) => line.startsWith('countersign_event_listeners ')) ?? ''
  }
})

test('the operator is named as the machine names them', async () => {
  const { id } = await fresh()
  await answer(id, 'approve', { token: server.operator })
  expect((await show(id)).body.answers[0]?.by).toBe(OPERATOR)
})

interface Irreversible {
  readonly findings: readonly { readonly layer: string; readonly verdict: string; readonly evidence: Readonly<Record<string, unknown>> }[]
  readonly approval: { readonly id: string }
  readonly audit_entry_id: string
}

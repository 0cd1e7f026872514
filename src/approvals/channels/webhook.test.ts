/** The webhook channel against a real receiver, through a real gate and store. */
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, type World, type WorldOptions, world } from '../../../test/support/channels.ts'
import { headerOf, ok, type Receiver, type Respond, receiver, type Sent } from '../../../test/support/receiver.ts'
import { policyOf } from '../../../test/support/workplace.ts'
import type { JsonObject } from '../../core/json.ts'
import type { StoredApproval } from '../store.ts'
import type { Incoming } from './channel.ts'
import { signWebhook, verifyWebhook, webhookSecret } from './standard-webhooks.ts'

const whsec = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`
const ENV = { OPS: whsec(1), OLD: whsec(2), REPLY: whsec(3), OTHER: whsec(4) }
const FORCE = 'git push --force origin main'

const policyFor = (url: string, more = ''): string =>
  `approvals: { channels: [{ name: ops, type: webhook, url: "${url}/hook", secrets: ["env:OPS"], allow_private: true, approvers: { alice@ops: alice, bob@ops: bob, me@ops: me }${more} }] }\n`

async function meet(
  more = '',
  respond: Respond = ok,
  options: WorldOptions = {},
): Promise<{ readonly at: World; readonly server: Receiver }> {
  const server = await receiver(respond)
  return { at: world(policyFor(server.url, more), { env: ENV, ...options }), server }
}

function secret(text: string): Uint8Array {
  const bytes = webhookSecret(text)
  if (bytes === null) throw new Error('no secret')
  return bytes
}

const bodyOf = (sent: Sent | undefined): { readonly type: string; readonly data: JsonObject } => JSON.parse(sent?.body ?? 'null')

interface ReplyOptions {
  readonly secret?: string
  readonly id?: string
  readonly at?: number
}

/** A signed answer to an approval. */
function reply(
  approval: StoredApproval,
  data: object = {},
  { secret: by = ENV.OPS, id = 'msg_r1', at = Date.now() }: ReplyOptions = {},
): Incoming {
  const said = { approval: approval.id, digest: approval.binding.call, approved: true, by: 'alice@ops', ...data }
  const body = JSON.stringify({ type: 'approval.answered', timestamp: new Date(at).toISOString(), data: said })
  return { header: headerOf({ ...signWebhook({ id, at, body }, [secret(by)]) }), body: Buffer.from(body), now: at }
}

/** What becomes of a reply: `taken`, or the code of the refusal. */
async function send(at: World, incoming: Incoming): Promise<string> {
  const received = at.channels.receive('ops', incoming)
  if (!received.ok) return received.refusal.code
  const { refused } = await received.take()
  return refused === null ? 'taken' : refused.code
}

async function asked(at: World, command = FORCE): Promise<StoredApproval> {
  const approval = await at.asks(bash(command))
  await at.channels.drain()
  return at.stored(approval.id)
}

describe('a message', () => {
  proves(['T27', 'PRO-W3'], 'is signed as a whole: any change of any part of it is seen', async () => {
    const { at, server } = await meet(', link: "https://gate.example.com"')
    const approval = await asked(at)
    const [sent] = server.seen
    if (sent === undefined) throw new Error('nothing was sent')
    const verified = (body: string) =>
      verifyWebhook({ header: headerOf(sent.headers), body: Buffer.from(body), now: Date.now() }, [secret(ENV.OPS)]).ok
    expect(verified(sent.body)).toBe(true)
    const { type, data } = bodyOf(sent)
    expect(type).toBe('approval.requested')
    expect(data).toMatchObject({
      approval: approval.id,
      digest: approval.binding.call,
      complete: true,
      status: 'pending',
      session: 's-1',
      quorum: 1,
      tool: 'Bash',
      requester: { agent: 'claude-code', user: 'me' },
      args: { command: FORCE },
      cwd: '/repo',
      link: `https://gate.example.com/#/approvals/${approval.id}`,
    })
    for (const field of Object.keys(data)) {
      const changed = { ...JSON.parse(sent.body), data: { ...data, [field]: 'changed' } }
      expect([field, verified(JSON.stringify(changed))]).toEqual([field, false])
    }
    for (const at2 of [0, 1, sent.body.length - 1]) expect(verified(sent.body.slice(0, at2) + sent.body.slice(at2 + 1))).toBe(false)
  })

  test('says what it would do, and not what only the operator is told', async () => {
    const { at, server } = await meet()
    await asked(at)
    const { data } = bodyOf(server.seen[0])
    expect(data.effects).toContainEqual(expect.objectContaining({ verb: expect.any(String), reversible: expect.any(Boolean) }))
    const text = server.seen[0]?.body ?? ''
    for (const hidden of ['the task of the operator', 'evidence', 'call_digest', 'recent', '"token"']) expect(text).not.toContain(hidden)
  })

  test('in a summary, holds nothing of the arguments', async () => {
    const { at, server } = await meet(', show: summary')
    await asked(at, 'git push --force https://git.example.com/project.git very-special-branch')
    const text = server.seen[0]?.body ?? ''
    for (const hidden of ['very-special-branch', 'git.example.com', 'project.git', '/repo']) expect(text).not.toContain(hidden)
    expect(bodyOf(server.seen[0]).data).toMatchObject({ complete: false, tool: 'Bash', code: expect.any(String) })
  })

  test('goes to the channels of its tenant only', async () => {
    const { at, server } = await meet(', tenants: [acme]')
    await asked(at)
    expect(server.seen).toEqual([])
    await at.asks(bash(FORCE, { session: 's-2', principal: { agent: 'a', role: null, user: 'u', tenant: 'acme', chain: [] } }))
    await at.channels.drain()
    expect(server.seen).toHaveLength(1)
  })

  test('is sent once for calls that are the same', async () => {
    const { at, server } = await meet()
    const first = await asked(at)
    expect((await at.asks(bash(FORCE))).id).toBe(first.id)
    await at.channels.drain()
    expect(server.seen).toHaveLength(1)
  })

  test('about its end follows, however it ended', async () => {
    const { at, server } = await meet()
    const approval = await asked(at)
    expect(await send(at, reply(approval, { comment: 'mine' }))).toBe('taken')
    await at.channels.drain()
    expect(bodyOf(server.seen[1])).toMatchObject({
      type: 'approval.resolved',
      data: { approval: approval.id, status: 'approved', answers: [{ by: 'human:alice', verdict: 'approve' }] },
    })
    const second = await asked(at, 'git push --force origin release')
    at.later(16 * 60_000)
    await at.channels.drain()
    expect(bodyOf(server.seen.at(-1))).toMatchObject({ type: 'approval.resolved', data: { approval: second.id, status: 'expired' } })
    expect(await at.channels.drain()).toBe(0)
  })
})

describe('an outbox', () => {
  const failing = (statuses: readonly number[]): Respond => {
    let n = 0
    return (_sent, response) => void response.writeHead(statuses[n++] ?? 200).end()
  }

  test('tries again, later each time, with the same id', async () => {
    const { at, server } = await meet('', failing([500, 503, 200]))
    await asked(at)
    const waits: number[] = []
    for (let n = 0; n < 2; n++) {
      const [row] = at.channels.rows(1)
      waits.push((row?.dueAt ?? 0) - at.now())
      expect(row).toMatchObject({ state: 'waiting', attempts: n + 1, error: n === 0 ? 'it answered 500' : 'it answered 503' })
      expect(await at.channels.drain()).toBe(0)
      at.later(6_000)
      await at.channels.drain()
    }
    expect(waits.map((wait) => Math.round(wait / 1_000))).toEqual([2, 6])
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'told', attempts: 3, error: null })
    expect(new Set(server.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1)
  })

  const ends: readonly (readonly [title: string, respond: Respond, attempts: number, error: string])[] = [
    ['gives up after so many attempts', failing([500, 500, 500, 500]), 3, 'it answered 500'],
    ['gives up at once where the receiver is gone', failing([410]), 1, 'the receiver is gone (410)'],
    [
      'follows no redirect',
      (_s, r) => void r.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      1,
      'it redirects (307), which is not followed',
    ],
  ]
  for (const [title, respond, attempts, error] of ends) {
    test(title, async () => {
      const { at, server } = await meet(', attempts: 3', respond)
      const approval = await asked(at)
      for (let n = 0; n < 6; n++) {
        at.later(100_000)
        await at.channels.drain()
      }
      expect(at.channels.rows(1)[0]).toMatchObject({ state: 'dead', attempts, error })
      expect(server.seen).toHaveLength(attempts)
      expect(at.stored(approval.id).status).toBe('pending')
    })
  }

  test('waits as long as a busy receiver asks, within reason', async () => {
    const { at } = await meet('', (_s, r) => void r.writeHead(429, { 'retry-after': '90' }).end())
    await asked(at)
    expect(Math.round(((at.channels.rows(1)[0]?.dueAt ?? 0) - at.now()) / 1_000)).toBe(90)
  })

  proves('P8', 'counts no failure as an answer', async () => {
    const { at } = await meet('', failing([500]))
    const approval = await asked(at)
    expect(at.stored(approval.id)).toMatchObject({ status: 'pending', answers: [] })
  })

  test('loses nothing to a crash: what was claimed and never ended is sent again, with the same id', async () => {
    const held: ServerResponse[] = []
    const { at, server } = await meet('', (_sent, response) => void held.push(response))
    await at.asks(bash(FORCE))
    void at.channels.drain().catch(() => {})
    while (server.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'claimed', attempts: 1 })
    const other = at.other()
    expect(await other.drain()).toBe(0)
    at.later(45_000)
    void other.drain().catch(() => {})
    while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(new Set(server.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'claimed', attempts: 2 })
    // Whoever stops waits for what is under way.
    for (const response of held) response.destroy()
  })

  test('is carried by one of several processes', async () => {
    const { at, server } = await meet()
    for (let n = 0; n < 10; n++) await at.asks(bash(`git push --force origin b${n}`))
    const carriers = [at.channels, at.other(), at.other(), at.other()]
    await Promise.all(carriers.map((each) => each.drain()))
    expect(server.seen).toHaveLength(10)
    expect(at.channels.rows(20).every(({ state, attempts }) => state === 'told' && attempts === 1)).toBe(true)
  })

  test('says in the log what it did', async () => {
    const { at } = await meet('', failing([500, 200]))
    await asked(at)
    at.later(5_000)
    await at.channels.drain()
    expect(at.notes().map(({ state, attempt, error }) => [state, attempt, error])).toEqual([
      ['claimed', 1, null],
      ['waiting', 1, 'it answered 500'],
      ['claimed', 2, 'it answered 500'],
      ['told', 2, null],
    ])
  })

  const dead: readonly (readonly [title: string, options: WorldOptions, more: string, error: string])[] = [
    ['a secret that is not there', { env: {} }, '', 'there is no secret: the variable `OPS` is not set'],
    ['a secret that is none', { env: { OPS: 'hunter2' } }, '', 'there is no secret: OPS is no secret of the needed form'],
    ['an address inside', {}, ', allow_private: false', 'the host has a loopback address, which this channel may not reach'],
  ]
  for (const [title, options, more, error] of dead) {
    test(title, async () => {
      const server = await receiver()
      const section = policyFor(`http://hook.example:${server.port}`, '')
        .replace('http://', more === '' ? 'http://' : 'https://')
        .replace(', allow_private: true', more === '' ? ', allow_private: true' : more)
      const at = world(section, { env: ENV, ...options })
      await asked(at)
      expect(at.channels.rows(1)[0]).toMatchObject({ state: 'waiting', error })
      expect(server.seen).toEqual([])
    })
  }

  test('a channel that the policy has no more is dead, and what was decided meanwhile needs no message', async () => {
    const { at, server } = await meet()
    await at.asks(bash(FORCE))
    at.use(policyOf(''))
    await at.channels.drain()
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'dead', error: 'the policy has no such channel any more' })
    at.use(policyOf(policyFor(server.url)))
    await at.asks(bash('git push --force origin x'))
    at.later(16 * 60_000)
    await at.channels.drain()
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'over' })
    expect(server.seen).toEqual([])
  })
})

describe('a reply', () => {
  proves('T27', 'of an approver lets exactly this call run, once', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    expect(await send(at, reply(approval))).toBe('taken')
    expect(at.stored(approval.id)).toMatchObject({ status: 'approved', answers: [{ by: 'human:alice', verdict: 'approve' }] })
    expect((await at.decide(bash(FORCE))).decision).toBe('flag')
    expect((await at.decide(bash(FORCE))).decision).toBe('ask')
  })

  test('that says no is a no', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    expect(await send(at, reply(approval, { approved: false, comment: 'not today' }))).toBe('taken')
    expect(at.stored(approval.id)).toMatchObject({ status: 'denied', answers: [{ by: 'human:alice', reason: 'not today' }] })
    expect((await at.decide(bash(FORCE))).decision).toBe('deny')
  })

  proves('T27', 'is taken once, whatever is sent again and by whatever process', async () => {
    const { at } = await meet('', ok, {})
    const two = world(policyFor((await receiver()).url).replace('approvals: {', 'approvals: { quorum: 2,'), { env: ENV })
    for (const each of [at, two]) {
      const approval = await asked(each)
      const first = reply(approval)
      expect(await send(each, first)).toBe('taken')
      expect(await send(each, first)).toBe('approval.replayed')
      const other = each.other().receive('ops', first)
      expect(other.ok && (await other.take()).refused?.code).toBe('approval.replayed')
    }
    expect(two.stored((await two.asks(bash(FORCE))).id)).toMatchObject({ status: 'pending', answers: [{ by: 'human:alice' }] })
  })

  const refused: readonly (readonly [title: string, make: (approval: StoredApproval) => Incoming, code: string])[] = [
    ['by nobody', (a) => ({ ...reply(a), header: () => null }), 'approval.signature'],
    ['by another secret', (a) => reply(a, {}, { secret: ENV.OTHER }), 'approval.signature'],
    ['six minutes late', (a) => ({ ...reply(a, {}, { at: Date.now() - 360_000 }), now: Date.now() }), 'approval.late_reply'],
    ['six minutes early', (a) => ({ ...reply(a, {}, { at: Date.now() + 360_000 }), now: Date.now() }), 'approval.late_reply'],
    ['written again', (a) => respaced(reply(a)), 'approval.signature'],
    ['about another call', (a) => reply(a, { digest: '0'.repeat(64) }), 'approval.mismatch'],
    ['about no approval', (a) => reply(a, { approval: 'apr_00000000000000000000' }), 'approval.unknown'],
    ['of nobody known', (a) => reply(a, { by: 'mallory' }), 'approval.not_approver'],
    ['of who asked', (a) => reply(a, { by: 'me@ops' }), 'approval.requester'],
    ['`approved` as a text', (a) => reply(a, { approved: 'false' }), 'approval.malformed'],
    ['`approved` as another text', (a) => reply(a, { approved: 'true' }), 'approval.malformed'],
    ['with other arguments', (a) => reply(a, { modified_arguments: { command: 'ls' } }), 'approval.modified'],
    ['of our own message', (a) => signedAs(a, { type: 'approval.requested', data: {} }), 'approval.malformed'],
    ['of no type', (a) => signedAs(a, { data: { approved: true } }), 'approval.malformed'],
    ['of no JSON', (a) => signedText('approved=true', a), 'approval.malformed'],
    ['of one field twice', (a) => signedText(twice(a), a), 'approval.malformed'],
  ]
  for (const [title, make, code] of refused) {
    proves(['T27', 'PRO-W2'], `${title} is refused`, async () => {
      const { at } = await meet()
      const requester = { agent: null, role: null, user: 'me', tenant: null, chain: [] }
      const approval = await at.asks(bash(FORCE, { principal: requester }))
      await at.channels.drain()
      expect(await send(at, make(approval))).toBe(code)
      expect(at.stored(approval.id)).toMatchObject({ status: 'pending', answers: [] })
    })
  }

  proves('PRO-29c', "of the requester's own is refused, and stands in the log", async () => {
    const { at } = await meet()
    const approval = await at.asks(bash(FORCE, { principal: { agent: null, role: null, user: 'me', tenant: null, chain: [] } }))
    await at.channels.drain()
    expect(await send(at, reply(approval, { by: 'me@ops' }))).toBe('approval.requester')
    const events = [...(at.opened.store.read({ kind: 'approval' }) as Iterable<{ code: string | null; body: JsonObject }>)]
    expect(events.map(({ code, body }) => [code, body.by, body.channel])).toEqual([['approval.requester', 'human:me', 'ops']])
  })

  proves('T24', 'cannot approve what was not shown as a whole, but can deny it', async () => {
    const { at, server } = await meet()
    const long = `git push --force origin ${'x'.repeat(60_000)} ${'y'.repeat(6_000)}`
    const approval = await asked(at, long)
    expect(bodyOf(server.seen[0]).data).toMatchObject({ complete: false, args_units: expect.any(Number) })
    expect(bodyOf(server.seen[0]).data).not.toHaveProperty('args')
    expect(await send(at, reply(approval))).toBe('approval.not_shown')
    expect(await send(at, reply(approval, { approved: false }, { id: 'msg_r2' }))).toBe('taken')
    const { at: brief } = await meet(', show: summary')
    expect(await send(brief, reply(await asked(brief)))).toBe('approval.not_shown')
  })

  test('before the message was sent, or of a channel that was never asked, is refused', async () => {
    const { at } = await meet(', tenants: [acme]')
    expect(await send(at, reply(await asked(at)))).toBe('approval.unknown')
    const { at: early } = await meet()
    expect(await send(early, reply(await early.asks(bash(FORCE))))).toBe('approval.not_shown')
  })

  test('to a channel that there is not is refused', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    for (const name of ['other', 'constructor', '', '../ops']) expect(at.channels.receive(name, reply(approval)).ok).toBe(false)
  })

  test('to a channel whose people answer nothing is refused', async () => {
    const server = await receiver()
    const at = world(policyFor(server.url).replace(/, approvers: \{[^}]*\}/, ''), { env: ENV })
    expect(await send(at, reply(await asked(at)))).toBe('approval.not_approver')
  })

  test('is checked with the secrets of replies, each of them', async () => {
    const { at } = await meet(', reply_secrets: ["env:REPLY", "env:OLD"]')
    const approval = await asked(at)
    expect(await send(at, reply(approval))).toBe('approval.signature')
    expect(await send(at, reply(approval, { approved: false }, { secret: ENV.OLD }))).toBe('taken')
  })

  test('after the end changes nothing', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    expect(await send(at, reply(approval, { approved: false }, { id: 'a' }))).toBe('taken')
    expect(await send(at, reply(approval, {}, { id: 'b' }))).toBe('approval.denied')
    expect(await send(at, reply(approval, { approved: false }, { id: 'c' }))).toBe('taken')
    expect(at.stored(approval.id).answers).toHaveLength(1)
  })

  proves(['T01', 'T24'], 'to what people changed since is for the old call no more; the channel is told anew', async () => {
    const { at, server } = await meet()
    const approval = await asked(at)
    const old = reply(approval)
    const edited = { command: 'git push --force origin other' }
    const { refused } = await at.opened.queue.answer(approval.id, {
      tenant: null,
      by: 'human:carol',
      verdict: 'approve',
      modifiedArguments: edited,
    })
    expect(refused).toBeNull()
    expect(await send(at, old)).toBe('approval.mismatch')
    expect(at.stored(approval.id)).toMatchObject({ status: 'pending', answers: [] })
    await at.channels.drain()
    expect(await at.channels.drain()).toBe(0)
    const [first, second] = server.seen
    expect(bodyOf(second).data).toMatchObject({ approval: approval.id, args: edited, complete: true })
    expect(bodyOf(second).data.digest).not.toBe(bodyOf(first).data.digest)
    expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id'])
    expect(server.seen).toHaveLength(2)
    expect(await send(at, reply(approval, { digest: bodyOf(second).data.digest }, { id: 'msg_new' }))).toBe('taken')
    expect(at.stored(approval.id)).toMatchObject({ status: 'approved', answers: [{ by: 'human:alice' }] })
    expect(await at.decide(bash(FORCE))).toMatchObject({ modified: { arguments: edited } })
  })

  test('under a policy that has changed since is refused', async () => {
    const { at, server } = await meet()
    const approval = await asked(at)
    const incoming = reply(approval)
    const received = at.channels.receive('ops', incoming)
    at.use(policyOf(`${policyFor(server.url)}mode: shadow\n`))
    expect(received.ok && (await received.take()).refused?.code).toBe('approval.unknown')
  })

  test('that nobody signed fills no log', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    const before = at.notes().length
    for (let n = 0; n < 100; n++) await send(at, reply(approval, {}, { secret: ENV.OTHER, id: `m${n}` }))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(at.notes().slice(before)).toMatchObject([
      { event: 'reply_refused', channel: 'ops', message: 'no known secret signed this body' },
    ])
  })
})

describe('a receiver that is asked for its answer', () => {
  const answering = (make: (approval: string) => { readonly body: string; readonly secret: string } | number): Respond => {
    return (sent, response) => {
      if (sent.method === 'POST') return void response.writeHead(200).end()
      const made = make(decodeURIComponent(sent.path.split('/').at(-1) ?? ''))
      if (typeof made === 'number') return void response.writeHead(made).end()
      response.writeHead(200, { ...signWebhook({ id: 'msg_p1', at: Date.now(), body: made.body }, [secret(made.secret)]) }).end(made.body)
    }
  }
  let digest = ''
  const said = (approval: string, data: object = {}) =>
    JSON.stringify({ type: 'approval.answered', data: { approval, digest, approved: true, by: 'alice@ops', ...data } })

  test('answers once it has one, signed', async () => {
    let ready = false
    const { at, server } = await meet(
      ', poll: true',
      answering((approval) => (ready ? { body: said(approval), secret: ENV.OPS } : 202)),
    )
    const approval = await asked(at)
    digest = approval.binding.call
    expect(server.seen.at(-1)).toMatchObject({ method: 'GET', path: `/hook/${approval.id}` })
    expect(at.stored(approval.id).status).toBe('pending')
    ready = true
    await at.channels.drain()
    expect(at.stored(approval.id).status).toBe('pending')
    at.later(2_000)
    await at.channels.drain()
    expect(at.stored(approval.id)).toMatchObject({ status: 'approved', answers: [{ by: 'human:alice' }] })
  })

  test('is asked until enough people answered, and the same answer counts once', async () => {
    const people = ['alice@ops', 'alice@ops', 'bob@ops']
    let n = 0
    const server = await receiver((sent, response) => {
      if (sent.method === 'POST') return void response.writeHead(200).end()
      const body = said(decodeURIComponent(sent.path.split('/').at(-1) ?? ''), { by: people[Math.min(n, 2)] })
      response.writeHead(200, { ...signWebhook({ id: n < 2 ? 'msg_a' : 'msg_b', at: Date.now(), body }, [secret(ENV.OPS)]) }).end(body)
      n += 1
    })
    const at = world(policyFor(server.url, ', poll: true').replace('approvals: {', 'approvals: { quorum: 2,'), { env: ENV })
    const { id } = await at.asks(bash(FORCE))
    digest = at.stored(id).binding.call
    for (let round = 0; round < 4; round++) {
      await at.channels.drain()
      at.later(2_000)
    }
    expect(at.stored(id)).toMatchObject({ status: 'approved', answers: [{ by: 'human:alice' }, { by: 'human:bob' }] })
    expect(at.notes().filter(({ event }) => event === 'reply_refused')).toEqual([])
  })

  const bad: readonly (readonly [
    title: string,
    make: (approval: string) => { readonly body: string; readonly secret: string } | number,
  ])[] = [
    ['signed by somebody else', (approval) => ({ body: said(approval), secret: ENV.OTHER })],
    ['with the text `false`', (approval) => ({ body: said(approval, { approved: 'false' }), secret: ENV.OPS })],
    ['as the bare answer of old', () => ({ body: '{"approved":true}', secret: ENV.OPS })],
    ['about another approval', () => ({ body: said('apr_11111111111111111111'), secret: ENV.OPS })],
    ['of who asked', (approval) => ({ body: said(approval, { by: 'mallory' }), secret: ENV.OPS })],
    ['with an error', () => 500],
    ['with a redirect', () => 302],
  ]
  for (const [title, make] of bad) {
    proves('PRO-W2', `an answer ${title} is none`, async () => {
      const { at } = await meet(', poll: true', answering(make))
      const approval = await asked(at)
      digest = approval.binding.call
      for (let n = 0; n < 3; n++) {
        at.later(2_000)
        await at.channels.drain()
      }
      expect(at.stored(approval.id)).toMatchObject({ status: 'pending', answers: [] })
    })
  }
})

/** The same JSON in other bytes. */
function respaced(incoming: Incoming): Incoming {
  return { ...incoming, body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(incoming.body).toString()), null, 1)) }
}

function signedText(body: string, _approval: StoredApproval): Incoming {
  const at = Date.now()
  return { header: headerOf({ ...signWebhook({ id: 'msg_t', at, body }, [secret(ENV.OPS)]) }), body: Buffer.from(body), now: at }
}

function signedAs(approval: StoredApproval, body: object): Incoming {
  return signedText(JSON.stringify(body), approval)
}

function twice({ id, binding }: StoredApproval): string {
  return `{"type":"approval.answered","data":{"approval":"${id}","digest":"${binding.call}","by":"alice@ops","approved":false,"approved":true}}`
}

import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { headerOf } from '../../../test/support/receiver.ts'
import { slackSignature } from './slack.ts'
import { isFresh, signWebhook, verifyWebhook, webhookSecret } from './standard-webhooks.ts'

/** The published vector of Standard Webhooks' own libraries. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330_000,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

/** The published vector of Slack's documentation. */
const SLACK = {
  secret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
}

function secretOf(text: string): Uint8Array {
  const bytes = webhookSecret(text)
  if (bytes === null) throw new Error('no secret')
  return bytes
}

const SECRET = secretOf(PUBLISHED.secret)
const OTHER = secretOf(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('the published vectors', () => {
  proves('T27', "Standard Webhooks' own is signed and verified", () => {
    const { id, at, body, signature } = PUBLISHED
    const headers = signWebhook({ id, at, body }, [SECRET])
    expect(headers).toEqual({ 'webhook-id': id, 'webhook-timestamp': '1614265330', 'webhook-signature': signature })
    expect(verifyWebhook({ header: headerOf({ ...headers }), body: bytes(body), now: at }, [SECRET])).toEqual({ ok: true, id })
  })

  proves('T27', "Slack's own is signed the same", () => {
    expect(slackSignature(SLACK.secret, SLACK.timestamp, bytes(SLACK.body))).toBe(SLACK.signature)
  })
})

describe('secrets', () => {
  const cases: readonly (readonly [text: string, length: number | null])[] = [
    [PUBLISHED.secret, 24],
    ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 24],
    [`whsec_${Buffer.alloc(64).toString('base64')}`, 64],
    [`whsec_${Buffer.alloc(64).toString('base64').replaceAll('=', '')}`, 64],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, null],
    [`whsec_${Buffer.alloc(23).toString('base64')}`, null],
    ['whsec_', null],
    ['', null],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa Sw', null],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!!', null],
    ['whsec_correct horse battery staple correct', null],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La\nLaSw', null],
  ]
  for (const [text, length] of cases) test(JSON.stringify(text), () => expect(webhookSecret(text)?.length ?? null).toBe(length))
})

describe('freshness', () => {
  const now = 1_700_000_000_000
  const cases: readonly (readonly [timestamp: string, fresh: boolean])[] = [
    ['1700000000', true],
    ['1699999700', true],
    ['1699999699', false],
    ['1700000300', true],
    ['1700000301', false],
    ['0', false],
    ['', false],
    ['-1', false],
    ['1.7e9', false],
    ['0x6553f100', false],
    [' 1700000000', false],
    ['1700000000.0', false],
    ['NaN', false],
    ['17000000000000000', false],
  ]
  for (const [timestamp, fresh] of cases) test(JSON.stringify(timestamp), () => expect(isFresh(timestamp, now)).toBe(fresh))
})

describe('what is not signed is refused', () => {
  const { id, at, body } = PUBLISHED
  const good = { ...signWebhook({ id, at, body }, [SECRET]) }
  const verified = (headers: Readonly<Record<string, string>>, changed = body, now = at, secrets = [SECRET]) => {
    const result = verifyWebhook({ header: headerOf(headers), body: bytes(changed), now }, secrets)
    return result.ok ? 'ok' : result.fault
  }
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
  const signature = (value: string) => ({ ...good, 'webhook-signature': value })

  const cases: readonly (readonly [title: string, headers: Readonly<Record<string, string>>, body: string, fault: string])[] = [
    ['as it is', good, body, 'ok'],
    ['written again by another serialiser', good, JSON.stringify(JSON.parse(body)), 'signature'],
    ['one byte more', good, `${body} `, 'signature'],
    ['empty', good, '', 'signature'],
    ['no id', without('webhook-id'), body, 'missing'],
    ['no timestamp', without('webhook-timestamp'), body, 'missing'],
    ['no signature', without('webhook-signature'), body, 'missing'],
    ['another id', { ...good, 'webhook-id': 'msg_x' }, body, 'signature'],
    ['an id with a point', { ...good, 'webhook-id': 'msg.x' }, body, 'missing'],
    ['another second', { ...good, 'webhook-timestamp': '1614265331' }, body, 'signature'],
    ['an hour later', { ...good, 'webhook-timestamp': '1614268930' }, body, 'stale'],
    ['no version', signature(PUBLISHED.signature.slice(3)), body, 'signature'],
    ['another version', signature(`v1a,${PUBLISHED.signature.slice(3)}`), body, 'signature'],
    ['empty signature', signature('v1,'), body, 'signature'],
    ['no base64', signature('v1,%%%%'), body, 'signature'],
    ['half of it', signature(PUBLISHED.signature.slice(0, 20)), body, 'signature'],
    ['among others', signature(`v1,AAAA v2,x ${PUBLISHED.signature}`), body, 'ok'],
    ['after too many others', signature(`${'v1,AAAA '.repeat(16)}${PUBLISHED.signature}`), body, 'signature'],
  ]
  for (const [title, headers, changed, fault] of cases) proves('T27', title, () => expect(verified(headers, changed)).toBe(fault))

  proves('T27', 'late, early, and by another secret', () => {
    expect([at - 301_000, at - 300_000, at + 300_000, at + 301_000].map((now) => verified(good, body, now))).toEqual([
      'stale',
      'ok',
      'ok',
      'stale',
    ])
    expect(verified(good, body, at, [OTHER])).toBe('signature')
    expect(verified(good, body, at, [])).toBe('signature')
    expect(verified(good, body, at, [OTHER, SECRET])).toBe('ok')
  })

  test('while secrets change, both are good', () => {
    const both = { ...signWebhook({ id, at, body }, [OTHER, SECRET]) }
    expect(both['webhook-signature'].split(' ')).toHaveLength(2)
    for (const secrets of [[SECRET], [OTHER], [SECRET, OTHER]]) expect(verified(both, body, at, secrets)).toBe('ok')
  })
})

proves('T27', 'no changed byte of id, time or body keeps a signature', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\w-]{1,20}$/),
      fc.string({ maxLength: 200 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (id, text, place, by) => {
        const at = 1_700_000_000_000
        const signed = { ...signWebhook({ id, at, body: text }, [SECRET]) }
        const body = Buffer.from(text)
        expect(verifyWebhook({ header: headerOf(signed), body, now: at }, [SECRET]).ok).toBe(true)
        if (body.length === 0) return
        const changed = Buffer.from(body)
        const at2 = place % changed.length
        changed[at2] = (changed[at2] as number) ^ by
        expect(verifyWebhook({ header: headerOf(signed), body: changed, now: at }, [SECRET]).ok).toBe(false)
      },
    ),
    { numRuns: 300 },
  )
})

test('the signature is the one that the specification says', () => {
  const expected = createHmac('sha256', SECRET).update('a.1700000000.{}').digest('base64')
  expect(signWebhook({ id: 'a', at: 1_700_000_000_999, body: '{}' }, [SECRET])['webhook-signature']).toBe(`v1,${expected}`)
})

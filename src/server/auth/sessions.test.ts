import { beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { createSessions, holdsCsrf, type Sessions } from './sessions.ts'

const HOUR = 3_600_000
const ALICE = { kind: 'person', name: 'human:alice', role: 'approver', tenant: 't' } as const

let time = 0
let sessions: Sessions
/** Digests of the tokens that are good. */
const good = new Set<string>()
beforeEach(() => {
  time = 1_000_000
  good.clear()
  sessions = createSessions(
    () => time,
    (token) => good.has(token),
  )
})

describe('sessions', () => {
  test('are found by their secret, as who they were opened for', () => {
    const { secret, csrf } = sessions.open(ALICE)
    expect(sessions.find(secret)).toMatchObject({ ...ALICE, session: { csrf } })
  })

  for (const [title, spoil] of [
    ['nothing', () => ''],
    ['a secret cut short', (secret: string) => secret.slice(0, -1)],
    ['a secret with one letter changed', (secret: string) => `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`],
    ['a secret in capitals', (secret: string) => `${secret.toUpperCase()}x`],
  ] as const) {
    test(`${title} finds nobody`, () => {
      const { secret } = sessions.open(ALICE)
      expect(sessions.find(spoil(secret))).toBeNull()
    })
  }

  test('the id of a session is not its secret', () => {
    const { secret } = sessions.open(ALICE)
    const id = sessions.find(secret)?.session?.id ?? ''
    expect([id === secret, sessions.find(id)]).toEqual([false, null])
  })

  for (const [after, there] of [
    [0, true],
    [12 * HOUR - 1, true],
    [12 * HOUR, false],
  ] as const) {
    test(`${after} ms later it ${there ? 'holds' : 'is over'}`, () => {
      const { secret } = sessions.open(ALICE)
      time += after
      expect(sessions.find(secret) !== null).toBe(there)
    })
  }

  for (const [title, person, during, after] of [
    ['by a token', { ...ALICE, token: 'd-1' }, true, false],
    ['by a link or a provider', ALICE, true, true],
    ['by a token that was no good', { ...ALICE, token: 'd-2' }, false, false],
  ] as const) {
    proves('T22', `what was opened ${title} ${after ? 'lasts' : 'ends'} when the token is revoked`, () => {
      good.add('d-1')
      const { secret } = sessions.open(person)
      const code = sessions.code(person)
      expect(sessions.find(secret) !== null).toBe(during)
      good.clear()
      expect([sessions.find(secret) !== null, sessions.redeem(code) !== null]).toEqual([after, after])
    })
  }

  test('end when they are closed', () => {
    const { secret } = sessions.open(ALICE)
    sessions.close(sessions.find(secret)?.session?.id ?? '')
    expect(sessions.find(secret)).toBeNull()
  })

  test('each login opens another: a planted one is not taken over', () => {
    const [one, two] = [sessions.open(ALICE), sessions.open(ALICE)]
    expect(one.secret).not.toBe(two.secret)
    expect(one.csrf).not.toBe(two.csrf)
  })

  test('there are never more than a thousand', () => {
    const first = sessions.open(ALICE)
    for (let i = 0; i < 1_000; i += 1) sessions.open(ALICE)
    expect(sessions.find(first.secret)).toBeNull()
  })
})

describe('login codes', () => {
  proves('T63', 'hold once', () => {
    const code = sessions.code(ALICE)
    expect(sessions.redeem(code)).toEqual(ALICE)
    expect(sessions.redeem(code)).toBeNull()
  })

  for (const [after, there] of [
    [10 * 60_000 - 1, true],
    [10 * 60_000, false],
  ] as const) {
    test(`${after} ms later it ${there ? 'holds' : 'is over'}`, () => {
      const code = sessions.code(ALICE)
      time += after
      expect(sessions.redeem(code) !== null).toBe(there)
    })
  }

  test('a code is no cookie, and a cookie no code', () => {
    const code = sessions.code(ALICE)
    const { secret } = sessions.open(ALICE)
    expect([sessions.find(code), sessions.redeem(secret)]).toEqual([null, null])
  })
})

describe('the CSRF token', () => {
  for (const [title, given, expected] of [
    ['none', () => null, false],
    ['nothing', () => '', false],
    ['its own', (csrf: string) => csrf, true],
    ['one cut short', (csrf: string) => csrf.slice(1), false],
    ['one with a blank', (csrf: string) => `${csrf} `, false],
  ] as const) {
    proves('T63', `${title}: ${expected ? 'taken' : 'refused'}`, () => {
      const { secret, csrf } = sessions.open(ALICE)
      const person = sessions.find(secret)
      expect(person !== null && holdsCsrf(person, given(csrf))).toBe(expected)
    })
  }

  test('of another session is refused', () => {
    const person = sessions.find(sessions.open(ALICE).secret)
    expect(person !== null && holdsCsrf(person, sessions.open(ALICE).csrf)).toBe(false)
  })

  test('a bearer token needs none: no page sends it by itself', () => {
    expect(holdsCsrf({ ...ALICE, session: null }, null)).toBe(true)
  })
})

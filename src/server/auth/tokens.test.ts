import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { addToken, createTokenBook, digestOf, ensureOperatorToken, listTokens, type NewToken, revokeToken } from './tokens.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const ALICE: NewToken = { name: 'human:alice', role: 'approver', tenant: null, as: { role: null, user: null }, expiresAt: null }
const BOT: NewToken = { name: 'bot', role: 'agent', tenant: 't', as: { role: 'coder', user: 'u' }, expiresAt: null }

let home: string
beforeEach(() => {
  home = temporaryDirectory()
})

describe('the operator token', () => {
  test('is made once', () => {
    const token = ensureOperatorToken(home)
    expect(token).toMatch(/^cst_[A-Za-z0-9_-]{43}$/)
    expect(ensureOperatorToken(home)).toBe(token)
  })

  proves('T22', 'is for its owner alone', () => {
    ensureOperatorToken(home)
    expect(statSync(join(home, 'operator-token')).mode & 0o777).toBe(0o600)
  })

  test('is the admin of every tenant, by the name of whoever runs the gate', () => {
    const token = ensureOperatorToken(home)
    expect(createTokenBook(home).callerOf(token, NOW)).toEqual({
      kind: 'person',
      name: `human:${userInfo().username}`,
      role: 'admin',
      tenant: null,
      session: null,
      token: digestOf(token),
    })
  })

  for (const text of ['', '\n', ' ']) {
    test(`an empty file (${JSON.stringify(text)}) lets nobody in`, () => {
      writeFileSync(join(home, 'operator-token'), text)
      for (const secret of ['', ' ', text]) expect(createTokenBook(home).callerOf(secret, NOW).kind).toBe('nobody')
    })
  }
})

describe('other tokens', () => {
  proves(['T22', 'T65'], 'are kept as digests, in a file of their owner alone', () => {
    const { secret, entry } = addToken(home, ALICE, NOW)
    const text = readFileSync(join(home, 'tokens.json'), 'utf8')
    expect([text.includes(secret), text.includes(secret.slice(4)), text.includes(entry.sha256)]).toEqual([false, false, true])
    expect(statSync(join(home, 'tokens.json')).mode & 0o777).toBe(0o600)
  })

  test('survive as they were made', () => {
    const made = [ALICE, BOT, { ...ALICE, name: 'human:bob', tenant: 'T', expiresAt: '2027-01-01T00:00:00.000Z' }].map(
      (each) => addToken(home, each, NOW).entry,
    )
    expect(listTokens(home)).toEqual(made)
  })

  test('tell who holds them', () => {
    const alice = addToken(home, ALICE, NOW).secret
    const bot = addToken(home, BOT, NOW).secret
    const book = createTokenBook(home)
    expect(book.callerOf(alice, NOW)).toMatchObject({ kind: 'person', name: 'human:alice', role: 'approver', tenant: null })
    const [, entry] = listTokens(home)
    const claims = { agent: 'bot', role: 'coder', user: 'u', tenant: 't' }
    expect(book.callerOf(bot, NOW)).toEqual({ kind: 'agent', name: 'bot', claims, token: entry?.id, vouches: false })
  })

  for (const [title, spoil] of [
    ['nothing', () => ''],
    ['one letter less', (secret: string) => secret.slice(0, -1)],
    ['one letter more', (secret: string) => `${secret}A`],
    ['without its prefix', (secret: string) => secret.slice(4)],
    ['in capitals', (secret: string) => secret.toUpperCase()],
    ['with a blank', (secret: string) => ` ${secret}`],
    ['its digest', (_secret: string, sha256: string) => sha256],
  ] as const) {
    proves('T65', `${title}: nobody`, () => {
      const { secret, entry } = addToken(home, ALICE, NOW)
      expect(createTokenBook(home).callerOf(spoil(secret, entry.sha256), NOW).kind).toBe('nobody')
    })
  }

  for (const [at, kind] of [
    ['2026-11-21T12:59:59.999Z', 'person'],
    ['2026-11-21T13:00:00.000Z', 'nobody'],
    ['2027-11-21T13:00:00.000Z', 'nobody'],
  ] as const) {
    test(`one that ends at 13:00 is ${kind} at ${at}`, () => {
      const { secret } = addToken(home, { ...ALICE, expiresAt: '2026-11-21T13:00:00.000Z' }, NOW)
      expect(createTokenBook(home).callerOf(secret, Date.parse(at)).kind).toBe(kind)
    })
  }

  test('a token whose end cannot be read has ended', () => {
    const { secret } = addToken(home, { ...ALICE, expiresAt: 'whenever' }, NOW)
    expect(createTokenBook(home).callerOf(secret, NOW).kind).toBe('nobody')
  })

  test('a running server knows at once what was added and revoked', () => {
    const book = createTokenBook(home)
    const { secret, entry } = addToken(home, ALICE, NOW)
    expect(book.callerOf(secret, NOW).kind).toBe('person')
    expect([revokeToken(home, entry.id), revokeToken(home, entry.id)]).toEqual([true, false])
    expect(book.callerOf(secret, NOW).kind).toBe('nobody')
  })

  test('and in the next turn what another process changed, a file that is gone or damaged too', async () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const book = createTokenBook(home)
    const { secret } = addToken(home, ALICE, NOW)
    const file = join(home, 'tokens.json')
    const text = readFileSync(file, 'utf8')
    expect(book.callerOf(secret, NOW).kind).toBe('person')
    rmSync(file)
    await turn()
    expect(book.callerOf(secret, NOW).kind).toBe('nobody')
    writeFileSync(file, text)
    await turn()
    expect(book.callerOf(secret, NOW).kind).toBe('person')
    writeFileSync(file, '{')
    await turn()
    for (let i = 0; i < 2; i++) expect(() => book.callerOf(secret, NOW)).toThrow('damaged')
  })

  for (const [title, token, later, expected] of [
    ['of a person', ALICE, 0, true],
    ['of an agent', BOT, 0, false],
    ['whose end is near', { ...ALICE, expiresAt: new Date(NOW + 1_000).toISOString() }, 999, true],
    ['whose time is over', { ...ALICE, expiresAt: new Date(NOW + 1_000).toISOString() }, 1_000, false],
  ] as const) {
    proves('T22', `a session opened with a token ${title} ${expected ? 'holds' : 'does not hold'}, and never after it was revoked`, () => {
      const book = createTokenBook(home)
      const { secret, entry } = addToken(home, token, NOW)
      expect(book.holds(digestOf(secret), NOW + later)).toBe(expected)
      revokeToken(home, entry.id)
      expect([book.holds(digestOf(secret), NOW + later), book.holds(digestOf('cst_other'), NOW)]).toEqual([false, false])
    })
  }

  for (const [title, text] of [
    ['no JSON', '{'],
    ['no list', '{"version":1,"tokens":{}}'],
    ['an entry that is none', '{"version":1,"tokens":[1]}'],
    [
      'a role that there is not',
      JSON.stringify({ version: 1, tokens: [{ id: 'a', name: 'human:a', role: 'root', sha256: 'x', created_at: 'y' }] }),
    ],
    [
      'an inherited role',
      JSON.stringify({ version: 1, tokens: [{ id: 'a', name: 'human:a', role: 'constructor', sha256: 'x', created_at: 'y' }] }),
    ],
    ['the same key twice', '{"version":1,"tokens":[],"tokens":[]}'],
  ] as const) {
    test(`a damaged file lets nobody in: ${title}`, () => {
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, 'tokens.json'), text)
      expect(() => listTokens(home)).toThrow('damaged')
      expect(() => createTokenBook(home).callerOf('cst_x', NOW)).toThrow('damaged')
    })
  }
})

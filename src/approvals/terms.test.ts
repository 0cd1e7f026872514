import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Principal } from '../core/call.ts'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import { policy } from '../policy/testing/compiled.ts'
import { person, principalText, termsOf } from './terms.ts'

const principal = (changes: Partial<Principal> = {}): Principal => ({
  agent: 'a',
  role: null,
  user: 'me',
  tenant: null,
  chain: [],
  ...changes,
})

const ask = (from: Json): Finding => ({
  layer: 'registry',
  rule: 'r',
  verdict: 'ask',
  code: 'registry.irreversible',
  message: '',
  advice: null,
  evidence: { requires_approval_from: from },
  resolvers: ['human'],
})

const terms = (section: string, who: Partial<Principal> = {}, asks: readonly Finding[] = []) =>
  termsOf(policy(`approvals: ${section}`).approvals, principal(who), asks)

describe('who asked', () => {
  const cases: readonly (readonly [section: string, who: Partial<Principal>, excluded: readonly string[]])[] = [
    ['{}', {}, ['agent:a']],
    ['{}', { agent: null }, ['human:me']],
    ['{}', { agent: null, user: null }, []],
    ['{ exclude_requester: false }', {}, []],
    ['{ exclude_requester: false }', { agent: null }, []],
    ['{ four_eyes: true }', {}, ['agent:a', 'human:me']],
    ['{ four_eyes: true }', { agent: null }, ['human:me']],
    ['{ four_eyes: true, exclude_requester: false }', {}, ['human:me']],
    ['{}', { agent: null, user: 'human:me' }, ['human:me']],
  ]
  for (const [section, who, excluded] of cases) {
    proves('P8', `${section} ${JSON.stringify(who)} may not approve: ${excluded.join(' ')}`, () =>
      expect(terms(section, who).excluded).toEqual(excluded),
    )
  }

  test('with four eyes and an unknown user nobody can approve', () => {
    expect(terms('{ four_eyes: true }', { user: null }).approvers).toEqual([])
  })
})

describe('who may approve', () => {
  const section = '{ approvers: { coder: [alice], "*": [bob] } }'
  for (const [section_, role, approvers] of [
    [section, 'coder', ['human:alice']],
    [section, 'other', ['human:bob']],
    [section, 'constructor', ['human:bob']],
    [section, null, ['human:bob']],
    ['{ approvers: { coder: [alice] } }', 'other', null],
    ['{}', 'coder', null],
  ] as const) {
    test(`${section_} for ${role}`, () => expect(terms(section_, { role }).approvers).toEqual(approvers))
  }
})

describe('the chain', () => {
  for (const [asks, chain] of [
    [[], []],
    [[ask([])], []],
    [[ask(['manager', 'ceo'])], ['human:manager', 'human:ceo']],
    [
      [ask(['human:manager']), ask(['manager', 'ceo'])],
      ['human:manager', 'human:ceo'],
    ],
    [[ask('manager')], []],
    [[ask(null)], []],
    [[ask([1, 'ceo'])], ['human:ceo']],
  ] as const) {
    test(JSON.stringify(asks.map(({ evidence }) => evidence.requires_approval_from)), () =>
      expect(terms('{}', {}, asks).chain).toEqual(chain),
    )
  }
})

test('a person has one name', () => {
  expect([person('alice'), person('human:alice'), person('agent:x')]).toEqual(['human:alice', 'human:alice', 'agent:x'])
})

test('different principals have different texts', () => {
  const all = [{}, { agent: null }, { user: 'x' }, { role: 'x' }, { tenant: 'x' }, { chain: ['x'] }, { agent: 'null' }, { agent: '' }]
  expect(new Set(all.map((each) => principalText(principal(each)))).size).toBe(all.length)
})

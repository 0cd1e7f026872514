/** What operators and agents see of an approval: everything and how to go on. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKED_AT, type Drafted, SHEET, waitingApproval } from '../../test/support/approvals.ts'
import type { JsonObject } from '../core/json.ts'
import { alikeOf } from '../facts/tools/roles/alike.ts'
import { groupOf, groupsOf } from './groups.ts'
import type { Answered } from './machine.ts'
import { STATUSES } from './machine.ts'
import { approvalStatus, approvalView } from './view.ts'

const said = (changes: Partial<Answered> = {}): Answered => ({
  by: 'human:alice',
  verdict: 'approve',
  reason: 'mine',
  at: ASKED_AT + 5_000,
  breakGlass: false,
  seat: null,
  scope: 'once',
  ...changes,
})

const grant = {
  kind: 'grant',
  action: 'git:push',
  scope: { target: 'origin', recipientDomain: 'x.y', maxAmount: 3 },
  count: 2,
  expires: ASKED_AT,
  binding: { session: null, role: null, user: 'me', agent: null },
  text: 't',
} as const

describe('the operator', () => {
  const fields: readonly (readonly [title: string, draft: Drafted, part: object])[] = [
    ['sees times as instants', {}, { created_at: '2026-01-01T00:00:00.000Z', approve_by: '2026-01-01T00:15:00.000Z', use_by: null }],
    ['sees when it can be used', { useBy: ASKED_AT }, { use_by: '2026-01-01T00:00:00.000Z' }],
    ['sees no session where none was named', { session: '', tenant: '' }, { session: null, tenant: null }],
    ['sees session and tenant', { session: 's', tenant: 't' }, { session: 's', tenant: 't' }],
    ['sees who asks', {}, { principal: { agent: 'claude-code', role: null, user: 'me', tenant: null, chain: [] } }],
    [
      'sees a chain',
      { binding: { principal: '["a",null,null,"t",["human:x"]]' } },
      { principal: { agent: 'a', tenant: 't', chain: ['human:x'] } },
    ],
    ['sees the call', {}, { tool: 'Bash', server: null, call_digest: 'sha256:c', code: 'hazard.history', sheet: SHEET }],
    [
      'sees the terms',
      { terms: { quorum: 2, chain: ['human:x'] } },
      { terms: { quorum: 2, chain: ['human:x'] }, current_approver: 'human:x', yes: 0 },
    ],
    [
      'sees who stands in',
      { terms: { delegates: [{ from: 'a', to: 'b', until: ASKED_AT }] } },
      { terms: { delegates: [{ from: 'a', to: 'b', until: '2026-01-01T00:00:00.000Z' }] } },
    ],
    [
      'sees answers',
      { answers: [said()] },
      { yes: 1, answers: [{ by: 'human:alice', verdict: 'approve', reason: 'mine', fast: false, in_the_stead_of: null, scope: 'once' }] },
    ],
    ['sees in whose stead', { answers: [said({ seat: 'human:bob' })] }, { answers: [{ in_the_stead_of: 'human:bob' }] }],
    ['sees what was too fast', { answers: [said({ at: ASKED_AT + 1_999 })] }, { answers: [{ fast: true }] }],
    ['sees what was not', { answers: [said({ at: ASKED_AT + 2_000 })] }, { answers: [{ fast: false }] }],
    ['is no hurry to say no', { answers: [said({ verdict: 'deny', at: ASKED_AT })] }, { answers: [{ fast: false }] }],
    ['sees a scope', { scope: 'session', uses: 3 }, { scope: 'session', uses: 3 }],
    ['sees that a grant was given', { scope: 'grant:{"action":"x"}' }, { scope: 'grant' }],
    ['sees proposals', { proposals: [{ kind: 'session', text: 't' }] }, { proposals: [{ kind: 'session', text: 't' }] }],
    [
      'sees a grant as it is handed back',
      { proposals: [grant] },
      {
        proposals: [
          {
            grant: {
              action: 'git:push',
              scope: { target: 'origin', recipient_domain: 'x.y', max_amount: 3 },
              count: 2,
              expires: '2026-01-01T00:00:00.000Z',
            },
          },
        ],
      },
    ],
    ['sees which decision asked', { decision: '01M801HHGK7WDJFKDZDB8S8FER' }, { decision_id: '01M801HHGK7WDJFKDZDB8S8FER' }],
    ['sees none where none was kept', {}, { decision_id: null }],
    ['sees what was tried out', { sheet: { ...SHEET, preview: { changed: ['a'] } } }, { sheet: { preview: { changed: ['a'] } } }],
    ['sees no change', {}, { edit: null }],
    [
      'sees what was changed',
      { edit: { by: 'human:bob', at: ASKED_AT, args: { a: 1 }, key: null, before: SHEET }, sheet: { ...SHEET, decision: 'allow' } },
      { edit: { by: 'human:bob', arguments: { a: 1 }, before: SHEET, decision: 'allow' } },
    ],
  ]
  for (const [title, draft, part] of fields) test(title, () => expect(approvalView(waitingApproval('apr_1', draft))).toMatchObject(part))

  proves('T60', 'is not shown what signs or opens an approval', () => {
    const view = JSON.stringify(approvalView(waitingApproval('apr_1', { token: 'hash of the token', binding: { call: 'keyed digest' } })))
    for (const text of ['hash of the token', 'keyed digest', 'subject of']) expect(view).not.toContain(text)
  })
})

describe('the agent', () => {
  for (const status of STATUSES) {
    proves(['SIG-36', 'SIG-35'], `of what is ${status} learns how to go on, and no name, reason or rule`, () => {
      const told = approvalStatus(waitingApproval('apr_1', { status, answers: [said()] }))
      expect(Object.keys(told)).toEqual(['id', 'status', 'expires_at', 'message'])
      for (const text of ['alice', 'mine', 'hazard', 'quorum']) expect(JSON.stringify(told)).not.toContain(text)
    })
  }

  const made = { by: 'human:alice', at: ASKED_AT, record: '01M', problem: null, told: false }
  test.each<[title: string, draft: Parameters<typeof waitingApproval>[1], says: RegExp]>([
    ['nobody has answered', { status: 'pending' }, /^Nobody has answered yet/],
    ['a yes for its changes is given', { status: 'approved', scope: 'apply' }, /^A person agreed to its changes/],
    ['they are being made', { status: 'consumed', scope: 'apply' }, /^A person agreed to its changes/],
    ['they are made', { status: 'consumed', scope: 'apply', applied: made }, /^A person had the changes/],
    ['they could not be made', { status: 'consumed', scope: 'apply', applied: { ...made, problem: 'x' } }, /^This approval was used/],
    ['a yes for the call is given', { status: 'approved' }, /^A person agreed\. Send/],
  ])('where %s, is told just that', (_title, draft, says) => {
    const { message } = approvalStatus(waitingApproval('apr_1', { answers: [said()], ...draft }))
    expect(message).toMatch(says)
    expect(message).not.toContain('alice')
  })

  test('learns that it was changed, not how', () => {
    const edit = { by: 'human:bob', at: ASKED_AT, args: { command: 'x' }, key: null, before: SHEET }
    const told = approvalStatus(waitingApproval('apr_1', { status: 'approved', edit }))
    expect([String(told.message).includes('other arguments'), JSON.stringify(told).includes('"x"')]).toEqual([true, false])
  })
})

describe('groups', () => {
  const ask = (id: string, tool: string, kinds: readonly string[], server: string | null = null) =>
    waitingApproval(id, {
      sheet: { ...SHEET, tool, call: { server }, effects: kinds.map((verb) => ({ verb, action: null, target: { value: id } })) },
    })
  const cases: readonly (readonly [title: string, asks: readonly ReturnType<typeof ask>[], groups: readonly string[]])[] = [
    ['nothing', [], []],
    ['one alone', [ask('a', 'Bash', ['delete'])], []],
    ['two alike', [ask('a', 'Bash', ['delete']), ask('b', 'Bash', ['delete'])], ['2 × Bash: delete a b']],
    [
      'in whatever order',
      [ask('a', 'Bash', ['delete', 'write']), ask('b', 'Bash', ['write', 'delete', 'write'])],
      ['2 × Bash: delete, write a b'],
    ],
    ['other effects', [ask('a', 'Bash', ['delete']), ask('b', 'Bash', ['write'])], []],
    ['other tools', [ask('a', 'Bash', ['delete']), ask('b', 'Write', ['delete'])], []],
    ['other servers', [ask('a', 'x', ['send'], 's'), ask('b', 'x', ['send'], 't')], []],
    ['no effects', [ask('a', 'x', []), ask('b', 'x', [])], ['2 × x: no known effect a b']],
    [
      'two groups',
      [ask('a', 'x', ['send']), ask('b', 'y', ['pay']), ask('c', 'x', ['send']), ask('d', 'y', ['pay'])],
      ['2 × x: send a c', '2 × y: pay b d'],
    ],
  ]
  for (const [title, asks, groups] of cases)
    proves('T23', title, () => expect(groupsOf(asks).map(({ text, ids }) => `${text} ${ids.join(' ')}`)).toEqual(groups))

  test('names cannot be put together into another group', () => {
    expect(groupOf(ask('a', 'x","delete', []).sheet)).not.toBe(groupOf(ask('a', 'x', ['delete']).sheet))
    expect(groupOf({})).toBeNull()
  })
})

describe('calls that one yes may cover', () => {
  const effect = (verb: string, target: JsonObject, attributes: JsonObject = {}): JsonObject => ({ verb, action: null, target, attributes })
  const account = (value: string): JsonObject => ({ kind: 'account', value })
  const file = (value: string): JsonObject => ({ kind: 'path', value, real: `/repo/${value}` })
  const inferred = { ...effect('fetch', { kind: 'resource', value: 'file through id' }), certainty: 'likely' }
  const certain = { ...effect('pay', account('A')), certainty: 'certain' }
  const sheet = (effects: readonly JsonObject[], args: JsonObject = {}): JsonObject => ({
    ...SHEET,
    tool: 'x',
    call: { server: null, args },
    effects,
  })
  const cases: readonly (readonly [title: string, a: JsonObject, b: JsonObject, alike: boolean])[] = [
    [
      'the same payee and amount',
      sheet([effect('pay', account('A'), { amount: 5 })]),
      sheet([effect('pay', account('A'), { amount: 5 })]),
      true,
    ],
    ['another payee', sheet([effect('pay', account('A'))]), sheet([effect('pay', account('B'))]), false],
    ['another amount', sheet([effect('pay', account('A'), { amount: 5 })]), sheet([effect('pay', account('A'), { amount: 6 })]), false],
    [
      'another context',
      sheet([effect('delete', account('A'), { context: 's' })]),
      sheet([effect('delete', account('A'), { context: 'p' })]),
      false,
    ],
    ['one effect more', sheet([effect('pay', account('A'))]), sheet([effect('pay', account('A')), effect('send', account('A'))]), false],
    ['files of one directory', sheet([effect('write', file('src/a.ts'))]), sheet([effect('write', file('src/b.ts'))]), true],
    ['files of two directories', sheet([effect('write', file('src/a.ts'))]), sheet([effect('write', file('lib/a.ts'))]), false],
    ['no known effect, the same arguments', sheet([], { to: 'a' }), sheet([], { to: 'a' }), true],
    ['no known effect, other arguments', sheet([], { to: 'a' }), sheet([], { to: 'b' }), false],
    // What a name lets one infer does not tell which file it is, nor which account.
    ['an inferred effect, another number', sheet([inferred], { file_id: '12' }), sheet([inferred], { file_id: '13' }), false],
    [
      'an inferred effect, one argument more',
      sheet([inferred], { file_id: '12' }),
      sheet([inferred], { file_id: '12', force: true }),
      false,
    ],
    ['an inferred effect, the same arguments', sheet([inferred], { file_id: '12' }), sheet([inferred], { file_id: '12' }), true],
    ['an inferred effect, another text', sheet([inferred], { to: 'a', body: 'x' }), sheet([inferred], { to: 'a', body: 'y' }), true],
    ['an inferred effect, a text that is none', sheet([inferred], { body: { to: 'a' } }), sheet([inferred], { body: { to: 'b' } }), false],
    ['an inferred effect beside a certain one', sheet([certain, inferred], { id: '1' }), sheet([certain, inferred], { id: '2' }), false],
    ['a certain effect tells all', sheet([certain], { id: '1' }), sheet([certain], { id: '2' }), true],
  ]
  for (const [title, a, b, alike] of cases) proves('T23', title, () => expect(alikeOf(a) === alikeOf(b)).toBe(alike))
})

import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import type { ToolCall } from '../../core/call.ts'
import { decide } from '../../core/decide.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Policy } from '../../policy/policy.ts'
import { call, facts, policy } from '../../policy/testing/compiled.ts'
import { emptySession, type SessionState } from '../../session/state.ts'
import { contracts } from './index.ts'

interface Judged {
  readonly call: ToolCall
  readonly rules: Policy
  readonly tables?: SessionState['tables']
  readonly now?: number
}

function judge({ call: judged, rules, tables = new Map(), now = 0 }: Judged) {
  return contracts.evaluate({ call: judged, facts: facts(), policy: rules, state: { ...emptySession(now), tables } })
}

const verdicts = (judged: Judged) => judge(judged).map((finding) => `${finding.verdict} ${finding.code}`)

describe('levels', () => {
  for (const [title, section, contract, constraint, expected] of [
    ['advisory by default', '', '', '', ['flag contract.violated']],
    ['of the section', 'enforcement: soft', '', '', ['ask contract.violated']],
    ['of the contract', 'enforcement: soft', 'enforcement: hard', '', ['deny contract.violated']],
    ['of the constraint', 'enforcement: hard', 'enforcement: soft', 'enforcement: advisory', ['flag contract.violated']],
    ['of the constraint, upward', '', '', 'enforcement: hard', ['deny contract.violated']],
  ] as const) {
    test(title, () => {
      const text = [
        'contracts:',
        ...(section === '' ? [] : [`  ${section}`]),
        '  tools:',
        '    t:',
        ...(contract === '' ? [] : [`      ${contract}`]),
        `      constraints: [{ kind: cmp, op: le, left: n, right: 5${constraint === '' ? '' : `, ${constraint}`} }]`,
      ].join('\n')
      expect(verdicts({ call: call('t', { args: { n: 9 } }), rules: policy(text) })).toEqual(expected)
    })
  }

  test('what is advisory does not become more by standing beside what is not', () => {
    const rules = policy(
      'contracts: { tools: { t: { params: [{ name: n, type: number }], constraints: [{ kind: cmp, op: le, left: m, right: 5, enforcement: hard }] } } }',
    )
    const found = judge({ call: call('t', { args: { n: 'x', m: 9 } }), rules })
    expect(found.map(({ verdict, message }) => `${verdict}: ${message}`)).toEqual([
      "flag: the `t` call appears nonconformant: 'n' should be number",
      'deny: the `t` call appears nonconformant: m(9) not le 5',
    ])
  })

  test('the level of the layer outweighs them all', () => {
    const rules = policy('contracts: { tools: { t: { constraints: [{ kind: known, of: a }] } } }')
    const input = { call: call('t'), facts: facts(), policy: rules, state: emptySession(0) }
    const layer = { name: 'contract', enforcement: 'hard' as const, onError: 'ask' as const, evaluate: contracts.evaluate }
    expect(decide(input, [layer], 'ask').verdict).toBe('deny')
  })
})

test('the operator sees the pattern, the agent does not', () => {
  const rules = policy('contracts: { tools: { t: { params: [{ name: id, pattern: "^#W[0-9]+$" }] } } }')
  const [finding] = judge({ call: call('t', { args: { id: 'W1' } }), rules })
  expect(finding?.message).toContain("'id' does not match ^#W[0-9]+$")
  expect(finding?.advice).toBe('Tool-call conformance (advisory): the "t" call appears nonconformant: \'id\' has not the form it needs.')
})

describe('deferral', () => {
  const rules = policy(`contracts:
  state: { order: [{ tools: [get], key: args.id }] }
  tools:
    t:
      enforcement: hard
      constraints:
        - { id: own, kind: cmp, op: eq, left: { state: order, of: id, path: user }, right: { value: u1 } }
        - { kind: cmp, op: le, left: limit, right: 5 }
`)

  test('what is not known leaves a trace that neither raises nor permits', () => {
    const [finding, ...rest] = judge({ call: call('t', { args: { id: 'o1' } }), rules })
    expect(rest).toEqual([])
    expect(finding).toMatchObject({
      verdict: 'abstain',
      code: 'contract.deferred',
      rule: 't',
      evidence: { deferred: ['own'] },
      message: 'of the contract of `t`, `own` could not be told',
    })
    expect(
      decide(null, [{ name: 'c', enforcement: null, onError: 'ask', evaluate: () => (finding === undefined ? [] : [finding]) }], 'ask')
        .verdict,
    ).toBe('ask')
  })

  test('an argument that was left out leaves none', () => {
    expect(
      judge({ call: call('t', { args: { id: 'o1' } }), rules, tables: new Map([['order', new Map([['o1', { user: 'u1' }]])]]) }),
    ).toEqual([])
  })

  test('what is known proves', () => {
    const tables = new Map([['order', new Map([['o1', { user: 'u2' }]])]])
    const [finding] = judge({ call: call('t', { args: { id: 'o1' } }), rules, tables })
    expect(finding).toMatchObject({ verdict: 'deny', code: 'contract.violated' })
    // The operator sees whose order it is, the agent does not.
    expect(finding?.message).toContain('state.order[id].user("u2") not eq "u1"')
    expect(finding?.advice).toBe('Tool-call conformance (hard): the "t" call appears nonconformant: state.order[id].user not eq "u1".')
  })

  test('the clock is that of the decision', () => {
    const later = policy('contracts: { tools: { t: { constraints: [{ kind: cmp, op: ge, left: { date: day }, right: { now: true } }] } } }')
    const judged = { call: call('t', { args: { day: '2026-01-02' } }), rules: later }
    expect(verdicts({ ...judged, now: Date.UTC(2026, 0, 1) })).toEqual([])
    expect(verdicts({ ...judged, now: Date.UTC(2026, 0, 3) })).toEqual(['flag contract.violated'])
  })

  test('conditions see who asks and what the call would do', () => {
    const who = policy(
      'contracts: { tools: { t: { constraints: [{ kind: cel, holds: "principal.role == \\"clerk\\" || args.amount < 100.0" }] } } }',
    )
    expect(verdicts({ call: call('t', { args: { amount: 500 }, role: 'clerk' }), rules: who })).toEqual([])
    expect(verdicts({ call: call('t', { args: { amount: 500 }, role: 'guest' }), rules: who })).toEqual(['flag contract.violated'])
  })
})

describe('a lookup that failed', () => {
  const bound = (enforcement: string, constraint: string, guard = '') =>
    policy(`contracts:
  state: { seen: [{ tools: [get], key: args.id }] }
  providers: { crm: { tools: [t] }, other: { tools: [t] } }
  tools:
    t:
      enforcement: ${enforcement}
      constraints: [{ id: c, ${constraint}${guard} }]
`)
  const LIMIT = 'kind: cmp, op: le, left: n, right: { state: crm, path: limit }'
  const down = { why: 'connection refused', failed: true }
  const none = { why: 'the query finds no row', failed: false }
  const seen = ['abstain contract.deferred']
  for (const [title, enforcement, constraint, unanswered, expected] of [
    ['denies where the contract is hard', 'hard', LIMIT, { crm: down }, ['deny infra.lookup']],
    ['asks where it is soft', 'soft', LIMIT, { crm: down }, ['ask infra.lookup']],
    ['is a trace where it is advisory', 'advisory', LIMIT, { crm: down }, seen],
    ['counts at the level of the constraint', 'advisory', `${LIMIT}, enforcement: hard`, { crm: down }, ['deny infra.lookup']],
    ['counts at the level of the constraint, downward', 'hard', `${LIMIT}, enforcement: advisory`, { crm: down }, seen],
    ['is not one where nothing was found', 'hard', LIMIT, { crm: none }, seen],
    ['of another provider is none of its business', 'hard', LIMIT, { other: down }, seen],
    ['does not prove that there is nothing', 'hard', 'kind: unknown, of: { state: crm }', { crm: down }, ['deny infra.lookup']],
    ['nor that there is something', 'hard', 'kind: known, of: { state: crm }', { crm: down }, ['deny infra.lookup']],
    ['but finding nothing proves it', 'hard', 'kind: unknown, of: { state: crm }', { crm: none }, []],
    ['and disproves it', 'hard', 'kind: known, of: { state: crm }', { crm: none }, ['deny contract.violated']],
    [
      'within a choice',
      'hard',
      'kind: any, relations: [{ kind: unknown, of: { state: crm } }, { kind: cmp, op: eq, left: n, right: 9 }]',
      { crm: down },
      ['deny infra.lookup'],
    ],
    [
      'a choice that holds without it',
      'hard',
      'kind: any, relations: [{ kind: unknown, of: { state: crm } }, { kind: cmp, op: eq, left: n, right: 1 }]',
      { crm: down },
      [],
    ],
    ['in a sum', 'hard', 'kind: cmp, op: le, left: n, right: { add: [{ state: crm, path: a }, 1] }', { crm: down }, ['deny infra.lookup']],
    ['as the key of a table', 'hard', 'kind: known, of: { state: seen, of: { state: crm } }', { crm: down }, ['deny infra.lookup']],
    ['in CEL', 'hard', 'kind: cel, holds: "state.crm.limit > args.n"', { crm: down }, ['deny infra.lookup']],
    ['in CEL of something else', 'hard', 'kind: cel, holds: "state.seen.limit > args.n"', {}, seen],
  ] as const) {
    test(title, () => {
      const state = { ...emptySession(0), unanswered: new Map(Object.entries(unanswered)) }
      const found = contracts.evaluate({
        call: call('t', { args: { n: 1 } }),
        facts: facts(),
        policy: bound(enforcement, constraint),
        state,
      })
      expect(found.map((each) => `${each.verdict} ${each.code}`)).toEqual(expected)
    })
  }

  test('in a guard', () => {
    const rules = bound('hard', 'kind: cmp, op: le, left: n, right: 0', ', if: "state.crm.strict == true"')
    const state = { ...emptySession(0), unanswered: new Map([['crm', down]]) }
    expect(contracts.evaluate({ call: call('t', { args: { n: 1 } }), facts: facts(), policy: rules, state })[0]?.code).toBe('infra.lookup')
  })

  test('is told to the operator, and the agent learns nothing of it', () => {
    const state = { ...emptySession(0), unanswered: new Map([['crm', down]]) }
    const [found] = contracts.evaluate({ call: call('t', { args: { n: 1 } }), facts: facts(), policy: bound('hard', LIMIT), state })
    expect(found?.message).toBe('of the contract of `t`, `c` could not be told; `crm`: connection refused')
    expect(found?.evidence).toEqual({ deferred: ['c'], reasons: ['`crm`: connection refused'] })
    expect(found?.advice ?? null).toBeNull()
  })
})

describe("a tool's own schema", () => {
  const SCHEMA: JsonObject = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const defined = (args: JsonObject, schema: JsonObject | null, digest: string | null = null): ToolCall => ({
    ...call('t', { args }),
    tool: { server: null, name: 't', definition: digest },
    definition: { description: null, inputSchema: schema, annotations: null },
  })

  for (const [title, section, args, expected] of [
    ['a call that fits', '', { id: 'a' }, []],
    ['a call that does not', '', { id: 1 }, ['flag contract.schema']],
    ['an argument it does not name', '', { id: 'a', more: 1 }, ['flag contract.schema']],
    ['an argument that may be ignored', 'schemas: { unknown_arguments: ignore }', { id: 'a', more: 1 }, []],
    ['at a level of its own', 'enforcement: hard, schemas: { enforcement: soft }', { id: 1 }, ['ask contract.schema']],
    ['at the level of the section', 'enforcement: hard', { id: 1 }, ['deny contract.schema']],
    ['not looked at', 'schemas: { check: false }', { id: 1 }, []],
  ] as const) {
    proves('T04', `${title}: ${expected.join() || 'nothing'}`, () =>
      expect(verdicts({ call: defined(args, SCHEMA), rules: policy(`contracts: { ${section} }`) })).toEqual(expected),
    )
  }

  test('works without a section of contracts', () => {
    expect(verdicts({ call: defined({}, SCHEMA), rules: policy('mode: enforce') })).toEqual(['flag contract.schema'])
    expect(judge({ call: defined({}, SCHEMA), rules: policy('mode: enforce') })[0]?.advice).toBe(
      'Tool-call conformance (advisory): the "t" call appears nonconformant: missing required \'id\'.',
    )
  })

  test('of the policy, by server and name', () => {
    const rules = policy('tools: { t: { input_schema: { required: [a] } }, crm/t: { input_schema: { required: [b] } } }')
    const texts = (server: string | null) => judge({ call: call('t', { server }), rules }).map((finding) => finding.message)
    expect(texts(null)).toEqual(["the `t` call appears nonconformant: missing required 'a'"])
    expect(texts('crm')).toEqual(["the `t` call appears nonconformant: missing required 'b'"])
  })

  test('is known by its digest: another definition is another schema', () => {
    const rules = policy('mode: enforce')
    const other: JsonObject = { properties: { id: { type: 'number' } } }
    for (let again = 0; again < 2; again++) {
      expect(verdicts({ call: defined({ id: 1 }, structuredClone(SCHEMA), 'sha256:a'), rules })).toEqual(['flag contract.schema'])
      expect(verdicts({ call: defined({ id: 1 }, structuredClone(other), 'sha256:b'), rules })).toEqual([])
    }
  })

  test('proves nothing where it cannot be used', () => {
    for (const schema of [
      { $ref: '#/nowhere' },
      { $ref: 'https://x.example' },
      { properties: { id: { $ref: '#/properties/id' } } },
      null,
    ] as const) {
      expect(judge({ call: defined({ id: 1 }, schema), rules: policy('mode: enforce') })).toEqual([])
    }
  })

  test('many definitions are remembered in bounds', () => {
    const rules = policy('mode: enforce')
    for (let index = 0; index < 1_200; index++) {
      expect(verdicts({ call: defined({ id: 'x' }, { properties: { id: { const: 'x' } } }, `sha256:${index}`), rules })).toEqual([])
    }
  })
})

describe('contracts of several sources', () => {
  const file = '{"t": {"params": [{"name": "a", "required": true}]}}'
  const rules = policy('contracts: { files: [c.json], tools: { t: { params: [{ name: b, required: true }] }, "t*": { closed: true } } }', {
    readFile: () => ({ text: file }),
  })
  test('only raise', () => {
    const texts = (args: Readonly<Record<string, Json>>) =>
      judge({ call: call('t', { args }), rules }).flatMap((finding) => finding.message.split(': ').slice(1))
    expect(texts({})).toEqual(["missing required 'a'", "missing required 'b'"])
    expect(texts({ a: 1, b: 2 })).toEqual(["'a' is not an argument of this tool; 'b' is not an argument of this tool"])
  })

  test('belong to the digest of the policy', () => {
    const digest = (text: string) => policy('contracts: { files: [c.json] }', { readFile: () => ({ text }) }).digest
    expect(digest('{"t": {}}')).not.toBe(digest('{"u": {}}'))
    expect(digest('{"t": {}}')).toBe(digest('{"t": {}}'))
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { decide } from '../../core/decide.ts'
import { compare } from '../../core/verdict.ts'
import type { Facts } from '../../facts/facts.ts'
import { type CallParts, call, facts, policy } from '../../policy/testing/compiled.ts'
import { emptySession } from '../../session/state.ts'
import { rules } from './index.ts'

function findings(text: string, name: string, parts: CallParts & { facts?: Partial<Facts> } = {}) {
  const loaded = policy(text)
  return rules.evaluate({ call: call(name, parts), facts: facts(parts.facts), policy: loaded, state: emptySession(0) })
}

/** The verdict of this layer alone, under `default: deny` or ask. */
function verdict(text: string, name: string, parts: CallParts = {}, fallback: 'ask' | 'deny' = 'ask') {
  return decide(null, [{ name: 'rules', enforcement: null, onError: 'deny', evaluate: () => findings(text, name, parts) }], fallback)
    .verdict
}

const matches = (rule: string, name: string, parts: CallParts = {}) => findings(`rules: { deny: [${rule}] }`, name, parts).length === 1

describe('filters', () => {
  proves(['PRO-1', 'PRO-1a', 'PRO-1b'], 'the tool pattern', () => {
    expect(matches('{ tool: "get_*" }', 'get_user')).toBe(true)
    expect(matches('{ tool: "get_*" }', 'set_user')).toBe(false)
    expect(matches('{ tool: "get_*" }', 'GET_user')).toBe(false)
  })

  proves('PRO-2', 'the user is exact', () => {
    for (const [user, expected] of [
      ['admin@acme.com', true],
      ['Admin@acme.com', false],
      ['admin@acme.com.evil', false],
      [null, false],
    ] as const) {
      expect(matches('{ user: admin@acme.com }', 'x', { user })).toBe(expected)
    }
  })

  test('the role is exact', () => {
    expect(matches('{ role: coder }', 'x', { role: 'coder' })).toBe(true)
    expect(matches('{ role: coder }', 'x', { role: 'coders' })).toBe(false)
    expect(matches('{ role: coder }', 'x')).toBe(false)
  })

  proves('PRO-3', 'argument_contains needs the substring', () => {
    expect(matches('{ argument_contains: /etc/passwd }', 'x', { args: { path: '/etc/passwd' } })).toBe(true)
    expect(matches('{ argument_contains: /etc/passwd }', 'x', { args: { path: '/etc/Passwd' } })).toBe(false)
    expect(matches('{ argument_contains: /etc/passwd }', 'x')).toBe(false)
  })

  proves(['PRO-18', 'PRO-18a', 'PRO-18b', 'PRO-18c'], 'argument text is JSON, non-ASCII and stable', () => {
    expect(matches(`{ argument_contains: '"path": "/etc"' }`, 'x', { args: { path: '/etc' } })).toBe(true)
    expect(matches(`{ argument_contains: "'path': '/etc'" }`, 'x', { args: { path: '/etc' } })).toBe(false)
    expect(matches('{ argument_contains: naïve }', 'x', { args: { path: 'naïve' } })).toBe(true)
    const both = `{ argument_contains: '"a": 1, "b": 2' }`
    expect(matches(both, 'x', { args: { b: 2, a: 1 } })).toBe(true)
    expect(matches(both, 'x', { args: { a: 1, b: 2 } })).toBe(true)
  })

  proves('PRO-4', 'several filters hold together', () => {
    const rule = '{ tool: "wire_*", user: u, argument_contains: acme, when: args.amount > 10 }'
    const all = { user: 'u', args: { to: 'acme', amount: 11 } }
    expect(matches(rule, 'wire_x', all)).toBe(true)
    expect(matches(rule, 'pay_x', all)).toBe(false)
    expect(matches(rule, 'wire_x', { ...all, user: 'v' })).toBe(false)
    expect(matches(rule, 'wire_x', { ...all, args: { to: 'x', amount: 11 } })).toBe(false)
    expect(matches(rule, 'wire_x', { ...all, args: { to: 'acme', amount: 10 } })).toBe(false)
  })

  proves('PRO-5', 'a rule without filters matches everything', () => {
    for (const name of ['a', '', 'constructor']) expect(matches('{ }', name)).toBe(true)
  })

  proves(['PRO-6', 'PRO-6a', 'PRO-6b'], 'a condition decides', () => {
    expect(matches('{ when: args.n == 1 }', 'x', { args: { n: 1 } })).toBe(true)
    expect(matches('{ when: args.n == 1 }', 'x', { args: { n: 2 } })).toBe(false)
  })
})

describe('what cannot be evaluated counts as matched, at its own effect', () => {
  proves(['T13', 'PRO-6c', 'PIT-14', 'PRO-W1'], 'a raising deny denies, any other asks at least', () => {
    for (const [rule, expected] of [
      ['deny: [{ when: args.n == 1 }]', 'deny'],
      ['deny: [{ when: args.n == 1, enforcement: hard }]', 'deny'],
      ['deny: [{ when: args.n == 1, enforcement: soft }]', 'ask'],
      ['deny: [{ when: args.n == 1, enforcement: advisory }]', 'ask'],
      ['ask: [{ when: args.n == 1 }]', 'ask'],
      ['ask: [{ when: args.n == 1, enforcement: advisory }]', 'ask'],
      ['ask: [{ when: args.n == 1, enforcement: hard }]', 'deny'],
      ['allow: [{ when: args.n == 1 }]', 'ask'],
    ] as const) {
      const [finding] = findings(`rules: { ${rule} }`, 'x')
      expect([rule, finding?.verdict, finding?.code]).toEqual([rule, expected, 'rules.error'])
      expect(finding?.message).toContain('there is no `n` in this call')
    }
  })

  proves(['T13', 'P4'], 'whatever a condition calls may fail, and no verdict falls', () => {
    const failing = [
      'host(args.bad) == "x"',
      'under(args.bad, "/etc")',
      'args.bad.a == 1',
      'args.bad > 1',
      'args.list[9] == 1',
      'double(args.bad) > 1',
      're(args.list, "x")',
      'glob(args.list, "x")',
      'domain(args.list, "x")',
      'args.list.contains("x")',
      'args.bad.map(x, x)[0] == 1',
      'args.bad.all(x, x == 1)',
      'args.zero / args.zero == 1',
    ]
    for (const when of failing) {
      const args = { bad: 'relative', list: ['x'], zero: 0 }
      expect([when, verdict(`rules: { deny: [{ when: '${when}' }], allow: [{ }] }`, 'x', { args })]).toEqual([when, 'deny'])
      expect([when, verdict(`rules: { ask: [{ when: '${when}' }], allow: [{ }] }`, 'x', { args })]).toEqual([when, 'ask'])
      expect([when, verdict(`rules: { allow: [{ when: '${when}' }] }`, 'x', { args }, 'deny')]).toEqual([when, 'deny'])
    }
  })

  proves(['T05', 'T13'], 'an exhausted budget is such a failure', () => {
    const args = { list: Array.from({ length: 2_000 }, (_, i) => i) }
    const text = 'rules: { deny: [{ when: "args.list.exists(x, args.list.exists(y, x + y == -1))" }], allow: [{ }] }'
    const found = findings(text, 'x', { args })
    expect(found.map((finding) => finding.verdict)).toEqual(['deny', 'allow'])
    expect(found[0]?.message).toContain('too many steps')
  })
})

describe('kinds', () => {
  proves('PRO-7', 'an allow rule permits', () =>
    expect(verdict('rules: { allow: [{ tool: send_email }] }', 'send_email', {}, 'deny')).toBe('allow'),
  )
  proves('PRO-8', 'a deny rule denies', () => expect(verdict('rules: { deny: [{ tool: exec_shell }] }', 'exec_shell')).toBe('deny'))

  proves(['PRO-9', 'PRO-10', 'P2'], 'a deny outweighs an allow, unless the seed order is asked for', () => {
    const both = 'allow: [{ tool: "exec_*" }], deny: [{ tool: exec_safe }]'
    expect(verdict(`rules: { ${both} }`, 'exec_safe')).toBe('deny')
    expect(verdict(`rules: { order: first-match, ${both} }`, 'exec_safe')).toBe('allow')
    const admin = 'allow: [{ tool: "*", user: admin }], deny: [{ tool: delete_customer }]'
    expect(verdict(`rules: { ${admin} }`, 'delete_customer', { user: 'admin' })).toBe('deny')
    expect(verdict(`rules: { order: first-match, ${admin} }`, 'delete_customer', { user: 'admin' })).toBe('allow')
    expect(verdict(`rules: { order: first-match, ${admin} }`, 'delete_customer', { user: 'else' })).toBe('deny')
  })

  proves(['PRO-14', 'P1'], 'where nothing matches the fallback decides', () => {
    expect(findings('rules: { deny: [{ tool: x }], allow: [{ tool: y }] }', 'modify_data')).toEqual([])
    expect(verdict('rules: { allow: [{ tool: y }] }', 'modify_data', {}, 'deny')).toBe('deny')
  })

  proves('PRO-16', 'an ask rule outweighs the read-only permit', () => {
    const text = 'rules: { ask: [{ tool: get_payroll }], read_only: { prefixes: [get_] } }'
    expect(verdict(text, 'get_payroll', {}, 'deny')).toBe('ask')
    expect(verdict(text, 'get_users', {}, 'deny')).toBe('allow')
  })

  proves(['PRO-17', 'PRO-17a', 'PRO-17b'], 'deny before ask', () => {
    const text =
      'rules: { deny: [{ tool: "wire_*", argument_contains: offshore }], ask: [{ tool: "wire_*", argument_contains: acme }], allow: [{ tool: "wire_*" }] }'
    expect(verdict(text, 'wire_money', { args: { to: 'offshore acme' } })).toBe('deny')
    expect(verdict(text, 'wire_money', { args: { to: 'acme' } })).toBe('ask')
    expect(verdict(text, 'wire_money', { args: { to: 'bob' } })).toBe('allow')
  })

  proves('PIT-2', 'an ask outweighs an allow under every order', () => {
    for (const order of ['severity', 'first-match']) {
      const text = `rules: { order: ${order}, allow: [{ tool: "*" }], ask: [{ tool: pay }], deny: [{ tool: rob }] }`
      expect(verdict(text, 'pay')).toBe('ask')
    }
  })

  test('first-match: a failing allow hides no deny, and the evidence records the order', () => {
    const text = 'rules: { order: first-match, allow: [{ when: args.n == 1 }], deny: [{ tool: x }] }'
    const found = findings(text, 'x')
    expect(found.map(({ verdict: v, evidence }) => [v, evidence.order])).toEqual([
      ['deny', 'first-match'],
      ['ask', 'first-match'],
    ])
    expect(findings('rules: { deny: [{ tool: x }] }', 'x')[0]?.evidence).toEqual({ kind: 'deny', line: 2 })
  })

  test('enforcement, reason, advice and resolvers are the rule’s', () => {
    const [finding] = findings(
      'rules: { deny: [{ id: no-shell, tool: sh, enforcement: soft, reason: too risky, advice: use the runner, resolvers: [human] }] }',
      'sh',
    )
    expect(finding).toEqual({
      layer: 'rules',
      rule: 'no-shell',
      verdict: 'ask',
      code: 'rules.denied',
      message: 'too risky',
      advice: 'use the runner',
      evidence: { kind: 'deny', line: 2 },
      resolvers: ['human'],
    })
    const kinds = findings('rules: { deny: [{ enforcement: advisory }], ask: [{ }, { enforcement: hard }], allow: [{ }] }', 'x')
    expect(kinds.map(({ rule, verdict: v, code, resolvers }) => [rule, v, code, resolvers])).toEqual([
      ['deny[0]', 'flag', 'rules.denied', []],
      ['ask[0]', 'ask', 'rules.asked', ['grant', 'human']],
      ['ask[1]', 'deny', 'rules.asked', []],
      ['allow[0]', 'allow', 'rules.allowed', []],
    ])
  })
})

describe('the lattice holds over random policies', () => {
  const rule = fc.record({
    kind: fc.constantFrom('deny', 'ask', 'allow'),
    tool: fc.constantFrom('*', 'a*', 'ab', 'b'),
    when: fc.constantFrom(undefined, 'args.n > 1', 'args.missing == 1', 'coverage == "full"'),
    enforcement: fc.constantFrom(undefined, 'advisory', 'soft', 'hard'),
  })
  type Rule = typeof rule extends fc.Arbitrary<infer T> ? T : never

  const text = (list: readonly Rule[]) => {
    const of = (kind: string) =>
      list
        .filter((each) => each.kind === kind)
        .map(({ tool, when, enforcement }) => ({ tool, when, ...(kind === 'allow' ? {} : { enforcement }) }))
    return `rules: ${JSON.stringify({ deny: of('deny'), ask: of('ask'), allow: of('allow') })}`
  }
  const judge = (list: readonly Rule[], fallback: 'ask' | 'deny' = 'deny') => verdict(text(list), 'ab', { args: { n: 2 } }, fallback)

  /** An allow whose condition fails is no permit but an ask (T13), so it is not among what may be taken away freely. */
  const isPermit = ({ kind, when }: Rule) => kind === 'allow' && when !== 'args.missing == 1'

  proves(['P3', 'T14'], 'order never matters; taking away a permit or adding a deny or an ask never lowers the verdict', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), fc.nat(), rule, (list, seed, extra) => {
        const before = judge(list)
        const shuffled = list.toSorted((a, b) => ((a.tool.length * 31 + seed) % 7) - ((b.tool.length * 31 + seed) % 7))
        expect(judge(shuffled)).toBe(before)
        expect(judge(list.toReversed())).toBe(before)
        for (const [index, each] of list.entries()) {
          if (isPermit(each)) expect(compare(judge(list.toSpliced(index, 1)), before)).toBeGreaterThanOrEqual(0)
        }
        const [more, asked] = [[...list, extra], judge(list, 'ask')]
        if (extra.kind === 'deny') expect(compare(judge(more), before)).toBeGreaterThanOrEqual(0)
        // A rule that asks people is leave once they agree: it lifts a denial by default, and no other.
        if (extra.kind === 'ask') expect([before, judge(more, 'ask')]).toContain(judge(more))
        if (extra.kind !== 'allow') expect(compare(judge(more, 'ask'), asked)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 400, seed: 11 },
    )
  })

  proves(
    ['T13', 'PRO-6c'],
    'the one exception: an allow that fails holds the call up, and only taking it out lets the others permit',
    () => {
      const permit: Rule = { kind: 'allow', tool: '*', when: undefined, enforcement: undefined }
      const failing: Rule = { ...permit, when: 'args.missing == 1' }
      expect(judge([permit])).toBe('allow')
      expect(judge([permit, failing])).toBe('ask')
      expect(judge([failing, permit])).toBe('ask')
      expect(judge([failing])).toBe('deny')
    },
  )
})

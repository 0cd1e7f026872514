/** What is kept of judges holds in every process that shares the store: each call here is judged by a gate of its own. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf } from '../../test/support/calls.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { tamper } from '../../test/support/store.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { JudgeFunction } from '../judges/providers/provider.ts'
import { openGate } from '../open.ts'
import { compilePolicy } from '../policy/compile.ts'
import { sha256 } from '../policy/file.ts'
import { createFixedView } from '../view/fixed.ts'

const WORLD = { home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] }

let home: string
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

interface Who {
  readonly session?: string
  readonly tenant?: string | null
}

const call = (name: string, args: JsonObject, { session = 's-1', tenant = null }: Who = {}): ToolCall =>
  callOf(name, args, { principal: { agent: 'test', user: null, tenant }, session, cwd: WORLD.cwd })

const read = (file = 'a.txt', who?: Who) => call('Read', { file_path: `/home/user/project/${file}` }, who)

type Judges = Readonly<Record<string, JudgeFunction>>

async function decide(text: string, each: ToolCall, judges: Judges): Promise<Decision> {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  const opened = openGate({
    home,
    policy: () => ({ policy, degraded: null }),
    view: () => createFixedView(WORLD),
    judges: new Map(Object.entries(judges)),
  })
  try {
    return await opened.gate.decide(each)
  } finally {
    opened.close()
  }
}

/** A judge that answers with these values in order, and then with the last of them. */
function scripted(...values: readonly unknown[]): JudgeFunction & { times: number } {
  const judge = Object.assign(
    () => {
      const value = values[Math.min(judge.times, values.length - 1)]
      judge.times++
      if (value instanceof Error) throw value
      return value
    },
    { times: 0 },
  )
  return judge
}

const ACCEPT = { score: 0.95, confidence: 0.9, reasoning: 'fits the task' }
const REJECT = { score: 0.2, confidence: 0.9, reasoning: 'no' }
const BASE = 'version: 1\ntool_families: [claude-code]\nrules: { allow: [{ tool: "*" }] }\ndisclosure: { repeats_before_halt: 0 }'
const gated = (fields = '') =>
  `${BASE}\njudges: { j: { provider: function${fields} } }\ntool_validation: [{ type: semantic, judge_agent: j }]`
const CACHED = gated(', cache: { seconds: 600 }')

const judged = ({ findings }: Decision) => findings.find(({ layer }) => layer === 'judge')

describe('answers', () => {
  test('are used again for exactly the same question, and the record says so', async () => {
    const j = scripted(ACCEPT, REJECT)
    const first = await decide(CACHED, read(), { j })
    const second = await decide(CACHED, read(), { j })
    expect([first.decision, second.decision, j.times]).toEqual(['allow', 'allow', 1])
    expect(judged(first)?.evidence).toMatchObject({ cached: false, asked: ['j'] })
    expect(judged(second)?.evidence).toMatchObject({ cached: true, asked: [], score: 0.95, said: 'fits the task' })
    expect(judged(second)?.evidence.input_digest).toBe(judged(first)?.evidence.input_digest)
  })

  const OTHERS: readonly (readonly [string, string, ToolCall])[] = [
    ['other arguments', CACHED, read('b.txt')],
    ['another tenant', CACHED, read('a.txt', { tenant: 't' })],
    ['another policy', `${CACHED}\naudit: { checkpoint_every: 9 }`, read()],
    ['other criteria', gated(', cache: { seconds: 600 }, criteria: be strict'), read()],
    ['a task', CACHED, { ...read(), context: { task: 'tidy up', recent: [] } }],
    ['no cache', gated(), read()],
  ]
  for (const [title, text, each] of OTHERS) {
    test(`${title}: another question`, async () => {
      const j = scripted(ACCEPT, REJECT)
      await decide(CACHED, read(), { j })
      expect([(await decide(text, each, { j })).decision, j.times]).toEqual(['deny', 2])
    })
  }

  test('the same question of another session is the same', async () => {
    const j = scripted(ACCEPT, REJECT)
    await decide(CACHED, read(), { j })
    expect([(await decide(CACHED, read('a.txt', { session: 's-2' }), { j })).decision, j.times]).toEqual(['allow', 1])
  })

  test('thresholds are those of now', async () => {
    const text = (least: number) => `${CACHED.replace('judge_agent: j', `judge_agent: j, min_score: ${least}`)}`
    const j = scripted(ACCEPT)
    expect((await decide(text(0.9), read(), { j })).decision).toBe('allow')
    expect((await decide(text(0.99), read(), { j })).decision).toBe('deny')
  })

  test('rejections are kept, failures never are', async () => {
    const rejecting = scripted(REJECT, ACCEPT)
    expect([
      (await decide(CACHED, read(), { j: rejecting })).decision,
      (await decide(CACHED, read('a.txt', { session: 's-9' }), { j: rejecting })).decision,
    ]).toEqual(['deny', 'deny'])
    const failing = scripted(new Error('down'), 'prose', ACCEPT)
    const verdicts: string[] = []
    for (let n = 0; n < 3; n++) verdicts.push((await decide(CACHED, read('c.txt'), { j: failing })).decision)
    expect([verdicts, failing.times]).toEqual([['deny', 'deny', 'allow'], 3])
  })

  test('what cannot be undone is asked anew, unless the policy says otherwise', async () => {
    const remove = call('Bash', { command: 'rm -rf /home/user/project/src' })
    for (const [fields, times] of [
      [', cache: { seconds: 600 }', 2],
      [', cache: { seconds: 600, irreversible: true }', 1],
    ] as const) {
      const j = scripted(ACCEPT)
      await decide(gated(fields), remove, { j })
      await decide(gated(fields), remove, { j })
      expect([fields, j.times]).toEqual([fields, times])
    }
  })

  test('their time ends, and what somebody wrote into the table permits nothing', async () => {
    const j = scripted(ACCEPT)
    await decide(CACHED, read(), { j })
    for (const change of [
      "UPDATE verdicts SET answer = replace(answer, 'fits the task', 'forged text')",
      "UPDATE verdicts SET key = key || 'x'",
      'UPDATE verdicts SET expires_at = 1',
      "UPDATE verdicts SET answer = 'no JSON'",
      "UPDATE verdicts SET answer = 'null'",
      "UPDATE verdicts SET answer = '{}'",
      "UPDATE verdicts SET answer = '[]'",
      "UPDATE verdicts SET answer = '[1,2,3]'",
      "UPDATE verdicts SET answer = json_array(json_extract(answer, '$[0]'), 'mac', json_extract(answer, '$[2]'))",
      "UPDATE verdicts SET answer = json_array('other', json_extract(answer, '$[1]'), json_extract(answer, '$[2]'))",
      "UPDATE verdicts SET answer = json_array(json_extract(answer, '$[0]'), json_extract(answer, '$[1]'))",
      "UPDATE verdicts SET answer = json_array('__proto__', NULL, json_extract(answer, '$[2]'))",
      "UPDATE verdicts SET answer = json_array('none', NULL, json_extract(answer, '$[2]'))",
    ]) {
      tamper(home, change)
      const decision = await decide(CACHED, read(), { j })
      expect([change, decision.decision, judged(decision)?.evidence.cached]).toEqual([change, 'allow', false])
    }
    expect(j.times).toBe(14)
  })

  test('of a tribunal each judge has its own', async () => {
    const text = `${BASE}
judges:
  a: { provider: function, family: one, cache: { seconds: 60 } }
  b: { provider: function, family: two }
  t: { provider: tribunal, judges: [a, b] }
tool_validation: [{ type: semantic, judge_agent: t }]`
    const [a, b] = [scripted(ACCEPT), scripted(ACCEPT)]
    for (let n = 0; n < 3; n++) expect((await decide(text, read(), { a, b })).decision).toBe('allow')
    expect([a.times, b.times]).toEqual([1, 3])
  })
})

describe('a judge that keeps failing', () => {
  proves('T35', 'rests for every process after five failures, and one success makes it well', async () => {
    const down = scripted(new Error('down'))
    for (let n = 0; n < 7; n++) expect((await decide(gated(), read(), { j: down })).code).toBe('judge.unavailable')
    expect(down.times).toBe(5)
    const other = scripted(ACCEPT)
    expect((await decide(gated(), read('a.txt', { tenant: 't' }), { j: other })).decision).toBe('allow')
    const flaky = scripted(...Array.from({ length: 12 }, (_, n) => (n % 4 === 3 ? ACCEPT : new Error('down'))))
    for (let n = 0; n < 12; n++) await decide(gated(), read('a.txt', { tenant: 'u' }), { j: flaky })
    expect(flaky.times).toBe(12)
  })
})

describe('a judge whose answers cannot be used', () => {
  const SPOILT: readonly (readonly [string, unknown, string])[] = [
    ['prose', 'as you wish', 'judge.malformed'],
    ['two answers', [ACCEPT, ACCEPT], 'judge.malformed'],
    ['a score above 1', { ...ACCEPT, score: 2 }, 'judge.malformed'],
  ]
  for (const [title, value, code] of SPOILT) {
    test(`${title}: is not put to rest, for the call may be what spoils them`, async () => {
      const j = scripted(...Array.from({ length: 7 }, () => value), REJECT)
      for (let n = 0; n < 7; n++) expect((await decide(gated(), read(), { j })).code).toBe(code)
      expect([(await decide(gated(), read(), { j })).code, j.times]).toEqual(['judge.rejected', 8])
    })
  }

  test('neither makes a judge well that keeps failing', async () => {
    const j = scripted(...Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? new Error('down') : 'prose')))
    for (let n = 0; n < 12; n++) await decide(gated(), read(), { j })
    expect(j.times).toBe(9)
  })
})

describe('what a judge may cost', () => {
  const priced = (most: string) => gated(`, price: { call: 0.4 }, max_cost: ${most}`)
  const CASES: readonly (readonly [string, string, readonly Who[], readonly string[]])[] = [
    ['of a session', '{ per_session: 1 }', [{}, {}, {}, {}], ['accepted', 'accepted', 'accepted', 'over_budget']],
    ['exactly', '{ per_session: 0.8 }', [{}, {}, {}], ['accepted', 'accepted', 'over_budget']],
    ['nothing at all', '{ per_session: 0 }', [{}], ['over_budget']],
    ['another session has its own', '{ per_session: 0.4 }', [{}, {}, { session: 's-2' }], ['accepted', 'over_budget', 'accepted']],
    ['of a day, over sessions', '{ per_day: 0.8 }', [{}, { session: 's-2' }, { session: 's-3' }], ['accepted', 'accepted', 'over_budget']],
    ['another tenant has its own', '{ per_day: 0.4 }', [{}, { tenant: 't' }, {}], ['accepted', 'accepted', 'over_budget']],
  ]
  for (const [title, most, who, expected] of CASES) {
    test(title, async () => {
      const j = scripted(ACCEPT)
      const codes: string[] = []
      for (const each of who) codes.push(judged(await decide(priced(most), read('a.txt', each), { j }))?.code ?? '')
      expect(codes).toEqual(expected.map((code) => `judge.${code}`))
    })
  }

  test('an answer that cannot be read is paid for, one of before is not', async () => {
    const j = scripted('prose', 'prose', ACCEPT)
    const text = priced('{ per_session: 0.8 }')
    const codes: string[] = []
    for (let n = 0; n < 3; n++) codes.push((await decide(text, read(), { j })).code)
    expect(codes).toEqual(['judge.malformed', 'judge.malformed', 'judge.over_budget'])
    const cached = gated(', price: { call: 0.4 }, max_cost: { per_day: 0.4 }, cache: { seconds: 600 }')
    const again = scripted(ACCEPT)
    const mine = read('a.txt', { tenant: 'c' })
    const first = await decide(cached, mine, { j: again })
    const second = await decide(cached, mine, { j: again })
    expect([first.decision, second.decision, again.times]).toEqual(['allow', 'allow', 1])
    expect([judged(first)?.evidence.cost, judged(second)?.evidence.cost]).toEqual([0.4, undefined])
  })

  test('of a tribunal each judge has its own', async () => {
    const text = `${BASE}
judges:
  a: { provider: function, family: one, price: { call: 1 }, max_cost: { per_day: 1 } }
  b: { provider: function, family: two, price: { call: 2 } }
  t: { provider: tribunal, judges: [a, b] }
tool_validation: [{ type: semantic, judge_agent: t }]`
    const judges = { a: scripted(ACCEPT), b: scripted(ACCEPT) }
    const first = judged(await decide(text, read(), judges))
    expect(first?.evidence.members).toMatchObject([
      { judge: 'a', cost: 1 },
      { judge: 'b', cost: 2 },
    ])
    const second = await decide(text, read(), judges)
    expect([second.code, judges.a.times, judges.b.times]).toEqual(['judge.over_budget', 1, 2])
  })
})

describe('samples', () => {
  test('are the same for the same call in every process, and the share that was asked for', async () => {
    const j = scripted(ACCEPT)
    const text = gated(', sample: 0.5')
    const seen: string[] = []
    for (const round of [1, 2]) {
      const asked: boolean[] = []
      for (let n = 0; n < 24; n++) asked.push(judged(await decide(text, read(`${n}.txt`), { j })) !== undefined)
      seen.push(asked.join())
      expect([round, asked.filter((each) => each).length > 2, asked.filter((each) => !each).length > 2]).toEqual([round, true, true])
    }
    expect(seen[0]).toBe(seen[1])
  })

  test('`always` is always, 0 is never', async () => {
    for (const [fields, times] of [
      [', sample: 0', 0],
      [', sample: 0, always: [Read]', 1],
      [', sample: 0, always: [Grep]', 0],
    ] as const) {
      const j = scripted(ACCEPT)
      await decide(gated(fields), read(), { j })
      expect([fields, j.times]).toEqual([fields, times])
    }
  })
})

describe('what was denied before', () => {
  test('is told to a judge in every process, of its own session and tenant only', async () => {
    const seen: unknown[] = []
    const j: JudgeFunction = (payload) => {
      seen.push(payload.policy_violations)
      return ACCEPT
    }
    const text = gated().replace('allow: [', 'deny: [{ tool: Grep, reason: no }, { tool: Glob, reason: no }], allow: [')
    await decide(text, call('Grep', { pattern: 'x' }), { j })
    await decide(text, call('Glob', { pattern: 'x' }), { j })
    await decide(text, call('Grep', { pattern: 'x' }, { session: 's-2' }), { j })
    for (const who of [{}, { session: 's-2' }, { session: 's-3' }, { tenant: 't' }]) await decide(text, read('a.txt', who), { j })
    expect(seen).toEqual([['Grep', 'Glob'], ['Grep'], [], []])
  })
})

describe('a judge in shadow', () => {
  test('is asked and recorded, and changes nothing, as a gate and as a resolver', async () => {
    const j = scripted(REJECT)
    const decision = await decide(gated(', mode: shadow'), read(), { j })
    expect([decision.decision, j.times]).toEqual(['allow', 1])
    expect(judged(decision)).toMatchObject({
      verdict: 'abstain',
      code: 'judge.shadow',
      evidence: { would: 'deny', would_code: 'judge.rejected' },
    })
    const failing = await decide(gated(', mode: shadow'), read(), { j: scripted(new Error('down')) })
    expect([failing.decision, judged(failing)?.evidence.would]).toEqual(['allow', 'deny'])
    const asking = (fields: string) => `version: 1
tool_families: [claude-code]
rules: { ask: [{ tool: Read, reason: look, resolvers: [judge, human] }] }
judges: { ${fields} }`
    const watching = await decide(asking('w: { provider: function, resolves: [rules], mode: shadow }'), read(), { w: scripted(ACCEPT) })
    expect([watching.decision, watching.resolutions[0]?.evidence.would, watching.resolutions[0]?.evidence.code]).toEqual([
      'ask',
      'allow',
      'judge.shadow',
    ])
    const both = 'w: { provider: function, resolves: [rules], mode: shadow }, e: { provider: function, resolves: [rules] }'
    expect((await decide(asking(both), read(), { w: scripted(REJECT), e: scripted(ACCEPT) })).decision).toBe('allow')
  })
})

describe('a judge that advises on contracts', () => {
  const text = (fields = '') => `version: 1
unregistered: ask
tools: { set_level: { risk_tier: low }, plain: { risk_tier: low } }
rules: { allow: [{ tool: "*" }] }
disclosure: { repeats_before_halt: 0 }
contracts: { tools: { set_level: { enforcement: soft, params: [{ name: amount, type: number }], constraints: [{ kind: cmp, op: le, left: amount, right: 100 }] } } }
judges: { j: { provider: function, advises: [contract]${fields} } }`
  const level = (amount: number) => call('set_level', { amount })

  const CASES: readonly (readonly [string, ToolCall, unknown, string, string | null, number])[] = [
    ['what it rejects is flagged', level(5), REJECT, 'flag', 'judge.advises', 1],
    ['what it accepts stays as it is', level(5), ACCEPT, 'allow', 'judge.accepted', 1],
    ['no answer is no answer', level(5), new Error('down'), 'allow', 'judge.unavailable', 1],
    ['prose is no answer', level(5), 'conformant', 'allow', 'judge.malformed', 1],
    ['what the floor finds is not asked about', level(500), ACCEPT, 'ask', null, 0],
    ['a tool without a contract is not asked about', call('plain', {}), REJECT, 'allow', null, 0],
  ]
  for (const [title, each, value, verdict, code, times] of CASES) {
    test(title, async () => {
      const j = scripted(value)
      const decision = await decide(text(), each, { j })
      expect([decision.decision, judged(decision)?.code ?? null, j.times]).toEqual([verdict, code, times])
    })
  }

  test('of the family of the agent it is not heard', async () => {
    const mine = { ...level(5), principal: { ...level(5).principal, agent: 'claude-code' } }
    const decision = await decide(text(', family: claude'), mine, { j: scripted(REJECT) })
    expect([decision.decision, judged(decision)?.code]).toEqual(['allow', 'judge.same_family'])
  })

  test('in shadow it only watches', async () => {
    expect((await decide(text(', mode: shadow'), level(5), { j: scripted(REJECT) })).decision).toBe('allow')
  })
})

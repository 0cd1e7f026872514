/** Several judges, several questions, tribunals: nothing that an attacker writes to one judge keeps another from being heard. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf } from '../../test/support/calls.ts'
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

const call = (name: string, args: JsonObject): ToolCall => callOf(name, args, { principal: { agent: 'test', user: null }, cwd: WORLD.cwd })

const read = () => call('Read', { file_path: '/home/user/project/a.txt' })

type Judges = Readonly<Record<string, JudgeFunction>>

async function decide(text: string, judges: Judges, each: ToolCall = read(), patienceMs?: number): Promise<Decision> {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  const opened = openGate({
    home: '/home/user/.countersign',
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: () => createFixedView(WORLD),
    judges: new Map(Object.entries(judges)),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  })
  try {
    return await opened.gate.decide(each)
  } finally {
    opened.close()
  }
}

const ACCEPT = { score: 0.95, confidence: 0.9, reasoning: 'fits the task' }
const REJECT = { score: 0.2, confidence: 0.9, reasoning: 'nobody asked for it' }
const says =
  (value: unknown): JudgeFunction =>
  () =>
    value

const BASE = 'version: 1\ntool_families: [claude-code]\nrules: { allow: [{ tool: "*" }] }'
const judged = ({ findings }: Decision) => findings.filter(({ layer }) => layer === 'judge')

describe('several gate judges', () => {
  const two = (first: string) =>
    `${BASE}\njudges: { a: { provider: function${first} }, b: { provider: function } }\ntool_validation: [{ type: semantic, judge_agent: a }, { type: semantic, judge_agent: b }]`

  const CASES: readonly (readonly [string, string, unknown, unknown, string, number])[] = [
    ['the first gives no answer and asks: the second still denies', ', on_error: ask', 'prose', REJECT, 'deny', 2],
    ['the first gives no answer and asks: the second accepts, the question stays', ', on_error: ask', 'prose', ACCEPT, 'ask', 2],
    ['both give none', ', on_error: ask', 'prose', 'prose', 'deny', 2],
    ['the first gives no answer and denies: that ends it', '', 'prose', ACCEPT, 'deny', 1],
    ['the first rejects: that ends it', '', REJECT, ACCEPT, 'deny', 1],
    ['the first stops the session: that ends it', '', { level: 'critical', category: 'data_exposure', reason: 'x' }, ACCEPT, 'halt', 1],
    ['the first raises a flag, the second denies', '', { level: 'medium', category: 'scope_violation', reason: 'x' }, REJECT, 'deny', 2],
    ['the first only watches and rejects, the second denies', ', mode: shadow', REJECT, REJECT, 'deny', 2],
  ]
  for (const [title, fields, first, second, verdict, count] of CASES) {
    proves('AEG-13', title, async () => {
      const decision = await decide(two(fields), { a: says(first), b: says(second) })
      expect([decision.decision, judged(decision).length]).toEqual([verdict, count])
    })
  }
})

describe('where the host waits no longer', () => {
  const two = `${BASE}
judges: { a: { provider: function, on_error: ask }, b: { provider: function, on_error: ask } }
tool_validation: [{ type: semantic, judge_agent: a }, { type: semantic, judge_agent: b }]`
  const hangs: JudgeFunction = () => new Promise(() => {})

  proves('T35', 'all judges of a call share the time, and what came of each is in the record', async () => {
    const decision = await decide(two, { a: hangs, b: says(ACCEPT) }, read(), 60)
    expect(judged(decision).map(({ code, evidence }) => [code, evidence.judge, evidence.asked])).toEqual([
      ['timeout.judge', 'a', ['a']],
      ['timeout.judge', 'b', []],
    ])
    expect(decision.decision).toBe('ask')
  })

  test('who answers in time is heard', async () => {
    expect((await decide(two, { a: says(ACCEPT), b: says(ACCEPT) }, read(), 10_000)).decision).toBe('allow')
    expect((await decide(two, { a: says(ACCEPT), b: says(REJECT) }, read(), 10_000)).decision).toBe('deny')
  })
})

describe('several questions of one call', () => {
  const text = (rules: string) =>
    `version: 1\ntool_families: [claude-code]\nrules: { ask: [${rules}], allow: [{ tool: "*" }] }\njudges: { j: { provider: function, resolves: [rules] } }`
  const FIRST = '{ tool: Read, reason: first, resolvers: [judge] }'
  const SECOND = '{ tool: Read, reason: second, resolvers: [judge] }'

  for (const [title, rules, expected] of [
    ['one', FIRST, ['first']],
    ['two', `${FIRST}, ${SECOND}`, ['first', 'second']],
  ] as const) {
    test(`the judge is shown all that it settles: ${title}`, async () => {
      const shown: string[][] = []
      const j: JudgeFunction = ({ findings }) => {
        shown.push(
          (findings as { message: string }[]).map(({ message }) => message.split(' ').find((word) => /first|second/.test(word)) ?? ''),
        )
        return ACCEPT
      }
      expect((await decide(text(rules), { j })).decision).toBe('allow')
      expect(shown.map((each) => each.filter((word) => word !== '').map((word) => word.replace(/\W/g, '')))).toEqual([expected])
    })
  }
})

describe('a tribunal', () => {
  const tribunal = (fields: { a?: string; b?: string; t?: string; gate?: string }) =>
    `${BASE}
judges:
  a: { provider: function, family: one${fields.a ?? ''} }
  b: { provider: function, family: two${fields.b ?? ''} }
  t: { provider: tribunal, judges: [a, b]${fields.t ?? ''} }
tool_validation: [{ type: semantic, judge_agent: t${fields.gate ?? ''} }]`
  const at = (score: number, more: object = {}) => ({ score, confidence: 0.5, reasoning: 'r', ...more })
  const safe = { signals: [{ category: 'execution_safety', score: 0.4, message: '' }] }

  const CASES: readonly (readonly [string, Parameters<typeof tribunal>[0], unknown, unknown, string])[] = [
    ['defaults', {}, at(0.7), at(0.7), 'allow'],
    ['its members say less', { a: ', min_score: 0.5', b: ', min_score: 0.5' }, at(0.5), at(0.5), 'allow'],
    ['the gate asks for more than its members', { gate: ', min_score: 0.85' }, at(0.8), at(0.8), 'deny'],
    ['the gate asks for more, and one reaches it', { gate: ', min_score: 0.85' }, at(0.85), at(0.84), 'ask'],
    ['the gate asks for less than its members', { gate: ', min_score: 0.1' }, at(0.6), at(0.6), 'deny'],
    ['the gate asks for confidence', { gate: ', min_confidence: 0.6' }, at(1), at(1), 'deny'],
    ['the tribunal asks for more', { t: ', min_score: 0.9' }, at(0.8), at(0.8), 'deny'],
    ['the tribunal asks for confidence', { t: ', min_confidence: 0.6' }, at(1), at(1), 'deny'],
    ['the tribunal has a veto', { t: ', veto: { execution_safety: 0.5 }' }, at(1, safe), at(1, safe), 'deny'],
    ['the tribunal has a veto, and no signal is given', { t: ', veto: { execution_safety: 0.5 }' }, at(1), at(1), 'deny'],
    ['the tribunal has a veto that holds', { t: ', veto: { execution_safety: 0.4 }' }, at(1, safe), at(1, safe), 'allow'],
    [
      'the higher veto holds',
      { a: ', veto: { execution_safety: 0.9 }', t: ', veto: { execution_safety: 0.1 }' },
      at(1, safe),
      at(1, safe),
      'ask',
    ],
  ]
  for (const [title, fields, first, second, verdict] of CASES) {
    proves(['SIG-15', 'SIG-16', 'SIG-17'], title, async () => {
      expect((await decide(tribunal(fields), { a: says(first), b: says(second) })).decision).toBe(verdict)
    })
  }

  test('each member is shown its own criteria beside those of the tribunal and the gate', async () => {
    const shown = new Map<string, unknown>()
    const watch =
      (name: string): JudgeFunction =>
      ({ criteria }) => {
        shown.set(name, criteria)
        return ACCEPT
      }
    const text = tribunal({ a: ', criteria: be strict', b: ', criteria: be fair', t: ', criteria: all', gate: ', criteria: here' })
    await decide(text, { a: watch('a'), b: watch('b') })
    expect(Object.fromEntries(shown)).toEqual({ a: 'all\nbe strict\nhere', b: 'all\nbe fair\nhere' })
  })

  test('a member that is not shown all of a call accepts for nobody, whatever the other is shown', async () => {
    const large = call('Write', { file_path: '/home/user/project/a.txt', content: 'x'.repeat(20_000) })
    const text = tribunal({ a: ', max_payload_bytes: 16384', b: ', max_payload_bytes: 65536' })
    const judges = { a: says(ACCEPT), b: says(ACCEPT) }
    expect([(await decide(text, judges, large)).code, (await decide(tribunal({}), judges, large)).decision]).toEqual([
      'judge.truncated',
      'allow',
    ])
  })

  test('its reasoning can be told to the agent, without figures', async () => {
    const decision = await decide(`${tribunal({})}\ndisclosure: { to_agent: reason }`, { a: says(REJECT), b: says(at(0.3)) })
    expect(decision.agentReason).toContain('nobody asked for it; r')
    expect(decision.agentReason).not.toMatch(/0\.\d/)
  })
})

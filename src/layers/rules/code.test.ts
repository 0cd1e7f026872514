import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import type { ToolCall } from '../../core/call.ts'
import { LAYERS, openGate } from '../../open.ts'
import { call, policy } from '../../policy/testing/compiled.ts'
import { createFixedView } from '../../view/fixed.ts'
import { type CodeRule, createCodeRules } from './code.ts'

let home: string
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** The decision of the whole gate, with these rules of a host program as one more layer. */
async function decide(rules: readonly CodeRule[], made: ToolCall, prepared = true): Promise<string> {
  const loaded = policy('tools: { pay: {}, read: {} }\ndefault: deny')
  const code = createCodeRules(rules)
  const { gate, close } = openGate({
    home,
    layers: [...LAYERS.filter(({ name }) => name === 'integrity'), code.layer],
    policy: () => ({ policy: loaded, degraded: null }),
    view: () => createFixedView({ home: '/home/u', cwd: '/home/u' }),
  })
  if (prepared) await code.prepare(made)
  const decision = await gate.decide(made)
  close()
  return `${decision.decision} ${decision.code}`
}

const rule = (kind: CodeRule['kind'], predicate: CodeRule['predicate'], tool?: string): CodeRule => ({
  id: `${kind}-rule`,
  kind,
  predicate,
  ...(tool === undefined ? {} : { tool }),
})
const yes = () => true
const late = async ({ args }: ToolCall) => {
  await Promise.resolve()
  return args.amount === 5
}
const fails = () => {
  throw new Error('no answer')
}
const rejects = () => Promise.reject(new Error('no answer'))
const UNPERMITTED = 'deny policy.default'

describe('rules whose condition is a function of the host program', () => {
  const pay = (amount: number) => call('pay', { args: { amount } })
  for (const [title, rules, made, expected] of [
    ['an allow rule permits', [rule('allow', yes)], pay(5), 'allow rules.allowed'],
    ['an allow rule that does not match permits nothing', [rule('allow', () => false)], pay(5), UNPERMITTED],
    ['an asynchronous one', [rule('allow', late)], pay(5), 'allow rules.allowed'],
    ['an asynchronous one that does not match', [rule('allow', late)], pay(6), UNPERMITTED],
    ['a deny rule denies', [rule('deny', yes)], pay(5), 'deny rules.denied'],
    ['deny beats allow, in whichever order', [rule('allow', yes), rule('deny', yes)], pay(5), 'deny rules.denied'],
    ['ask beats allow', [rule('ask', yes), rule('allow', yes)], pay(5), 'ask rules.asked'],
    ['a rule for another tool', [rule('allow', yes, 'read')], pay(5), UNPERMITTED],
    ['a rule for tools of a pattern', [rule('allow', yes, 'p*')], pay(5), 'allow rules.allowed'],
    ['only `true` matches', [rule('allow', (() => 'yes') as unknown as CodeRule['predicate'])], pay(5), UNPERMITTED],
    ['a deny rule that throws denies', [rule('deny', fails), rule('allow', yes)], pay(5), 'deny rules.error'],
    ['a deny rule that rejects denies', [rule('deny', rejects), rule('allow', yes)], pay(5), 'deny rules.error'],
    ['an ask rule that throws asks', [rule('ask', fails), rule('allow', yes)], pay(5), 'ask rules.error'],
    ['an allow rule that throws asks, beside one that allows', [rule('allow', fails), rule('allow', yes)], pay(5), 'ask rules.error'],
    ['one that throws for another tool', [rule('deny', fails, 'read'), rule('allow', yes)], pay(5), 'allow rules.allowed'],
  ] as const) {
    proves(['PRO-6', 'PRO-6a', 'PRO-6b', 'PRO-6c', 'PRO-W1'], title, async () => expect(await decide(rules, made)).toBe(expected))
  }

  proves('PRO-6c', 'a call that was not asked about before counts as failed', async () => {
    expect(await decide([rule('deny', () => false), rule('allow', yes)], pay(5), false)).toBe('deny rules.error')
    expect(await decide([rule('allow', yes)], pay(5), false)).toBe(UNPERMITTED)
  })

  test('each call has its own answers, however many there are at once', async () => {
    const code = createCodeRules([rule('deny', late)])
    const calls = [5, 6, 5, 7].map(pay)
    await Promise.all(calls.map((made) => code.prepare(made)))
    const input = { policy: policy(''), facts: null as never, state: null as never }
    expect(calls.map((made) => code.layer.evaluate({ ...input, call: made }).length)).toEqual([1, 0, 1, 0])
  })

  test('a pattern that cannot be compiled is an error at once', () => {
    expect(() => createCodeRules([rule('allow', yes, 'get_[ab')])).toThrow(SyntaxError)
  })
})

/** What holds by default, as code, does what its words say: the two are held against each other over many calls and pasts. */
import { describe, expect, test } from 'vitest'
import { FLOW_LABELS, HELD_LABELS, type History, SENT_LABELS } from '../../core/history.ts'
import type { ConditionInput } from '../policy.ts'
import { BUILTIN_SEQUENCES } from './builtin.ts'
import { builtin, builtinAgain, compileWhen, working } from './rule.ts'

const DECISIONS = ['allow', 'flag', 'ask', 'deny', 'halt'] as const
const VERBS = ['read', 'write', 'delete', 'execute', 'send', 'publish', 'pay', 'publishes', ''] as const
const PROGRAMS = ['ls', 'base64', 'base32', 'tar', '7z', 'gpg', 'age', 'ages', 'BASE64', ''] as const
const SAMPLES = 3_000

/** Always the same numbers (Park and Miller). */
function numbers(): (below: number) => number {
  let state = 17
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

interface Sample {
  readonly input: ConditionInput
  readonly history: History
  readonly decision: (typeof DECISIONS)[number]
}

function samples(): readonly Sample[] {
  const below = numbers()
  const some = <T>(of: readonly T[]) => new Set(of.filter(() => below(2) === 0))
  const few = <T>(of: readonly T[]) => Array.from({ length: below(3) }, () => of[below(of.length)])
  return Array.from({ length: SAMPLES }, () => {
    const [held, sent, flows, seen] = [some(HELD_LABELS), some(SENT_LABELS), some(FLOW_LABELS), below(2) === 0]
    const counts = new Map<string, number>()
    const history: History = {
      steps: 40,
      now: 0,
      incomplete: false,
      lastSeen: (id) => (seen ? { step: id.length, at: 0 } : null),
      count: (id) => {
        const count = counts.get(id) ?? below(15)
        counts.set(id, count)
        return count
      },
      distinct: () => 0,
      flowsFrom: (argument, label) => argument === '*' && flows.has(label),
      sends: (label) => sent.has(label),
      holds: (label) => held.has(label),
    }
    const input = {
      ...{ tool: 'Bash', server: '', args: {}, principal: {}, session: 's', cwd: '/', coverage: 'full' },
      effects: few(VERBS).map((verb) => ({ verb })),
      commands: few(PROGRAMS).map((program) => ({ program })),
    }
    return { input, history, decision: DECISIONS[below(DECISIONS.length)] ?? 'allow' }
  })
}

const idOf = (text: string): string => `id of ${text}`

describe.each(BUILTIN_SEQUENCES)('$id', (rule) => {
  const code = builtin(rule, rule.enforcement, idOf)
  const { result, ids } = compileWhen(rule.when, idOf)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  const { matches: _, mayMatch: __, marks: ___, ...said } = code
  const words = working(said, result.temporal, ids)

  test('holds for the calls that its words hold for, and leaves the same marks', () => {
    let held = 0
    for (const { input, history, decision } of samples()) {
      const expected = words.matches(input, history)
      if (expected) held++
      expect([input, decision, code.matches(input, history)]).toEqual([input, decision, expected])
      expect(code.marks(input, history, decision)).toEqual(words.marks(input, history, decision))
    }
    // Both answers were compared.
    expect(held).toBeGreaterThan(20)
    expect(held).toBeLessThan(SAMPLES - 20)
  })

  test('looks for what its words look for, under the same ids', () => {
    expect(new Map(rule.looks.map(({ text }) => [text, idOf(text)]))).toEqual(ids)
  })

  test('takes for found what cannot be told', () => {
    const blind = { ...samples()[0]?.history } as History
    const failing = { ...blind, holds: () => expect.unreachable() } as unknown as History
    const [{ input } = { input: {} as ConditionInput }] = samples()
    expect(code.marks(input, failing, 'allow')).toEqual(words.marks(input, failing, 'allow'))
  })

  test('is made again as it was kept, and no other rule is taken for it', () => {
    const again = builtinAgain(said, ids)
    for (const { input, history, decision } of samples().slice(0, 200)) {
      expect(again.matches(input, history)).toBe(code.matches(input, history))
      expect(again.marks(input, history, decision)).toEqual(code.marks(input, history, decision))
    }
    expect(() => builtinAgain({ ...said, when: `${said.when} && true` }, ids)).toThrow('none of this version')
    if (ids.size > 0) expect(() => builtinAgain(said, new Map())).toThrow('has no id')
    expect(() => builtinAgain({ ...said, id: 'another' }, ids)).toThrow('none of this version')
  })
})

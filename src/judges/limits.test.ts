import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { compileToolPattern } from '../policy/glob.ts'
import { familyOf, type JudgeProvider } from '../policy/judges.ts'
import type { NoAnswerCode } from './answer.ts'
import { afterOutcome, attemptsWithin, CLOSED, isOpen, isOutage, isSameFamily, isSampled, nextDepth } from './limits.ts'

describe('whether a judge is asked', () => {
  proves(['AEG-16a', 'AEG-16b', 'AEG-16c'], 'a pending answer is asked for as often as fits into the time', () => {
    for (const [timeout, poll, expected] of [
      [1_000, 1_000, 1],
      [1_000, 600, 2],
      [5_000, 2_000, 3],
      [1, 1_000, 1],
      [300_000, 500, 600],
    ] as const)
      expect(attemptsWithin(timeout, poll)).toBe(expected)
  })

  proves('AEG-19', 'the third judge behind another has none behind it', () => {
    const cases: readonly (readonly [string | undefined, number | null])[] = [
      [undefined, 1],
      ['', 1],
      ['0', 1],
      ['1', 2],
      ['2', 3],
      ['3', null],
      ['4', null],
      ['9', null],
      ['10', null],
      ['-1', null],
      ['1.5', null],
      ['x', null],
      [' 1', null],
    ]
    for (const [written, expected] of cases) expect(nextDepth(written), String(written)).toBe(expected)
  })

  test('a sample is drawn per call, and some tools are always seen', () => {
    const always = [compileToolPattern('Bash', { strict: true }), compileToolPattern('web/*', { strict: true })]
    const tool = (name: string, server: string | null = null) => ({ name, server, definition: null })
    const cases = [
      [1, 0.999, tool('Read'), true],
      [0.1, 0.0999, tool('Read'), true],
      [0.1, 0.1, tool('Read'), false],
      [0, 0, tool('Read'), false],
      [0, 0.5, tool('Bash'), true],
      [0, 0.5, tool('fetch', 'web'), true],
      [0, 0.5, tool('fetch', 'other'), false],
    ] as const
    for (const [sample, draw, each, expected] of cases) expect(isSampled({ sample, always }, { tool: each }, () => draw)).toBe(expected)
  })

  test('five failures in a row pause a judge for half a minute; an answer closes the breaker', () => {
    let breaker = CLOSED
    for (let failures = 1; failures <= 4; failures++) {
      breaker = afterOutcome(breaker, false, 0)
      expect(isOpen(breaker, 0)).toBe(false)
    }
    breaker = afterOutcome(breaker, false, 1_000)
    expect([isOpen(breaker, 1_000), isOpen(breaker, 30_999), isOpen(breaker, 31_000)]).toEqual([true, true, false])
    expect(isOpen(afterOutcome(breaker, false, 31_000), 31_001)).toBe(true)
    expect(afterOutcome(breaker, true, 31_000)).toEqual(CLOSED)
    fc.assert(
      fc.property(fc.array(fc.boolean()), (outcomes) => {
        const end = outcomes.reduce((state, ok) => afterOutcome(state, ok, 0), CLOSED)
        const failed = outcomes.length - 1 - outcomes.lastIndexOf(true)
        return isOpen(end, 0) === failed >= 5
      }),
    )
  })

  test('a judge of the family of the agent would be fooled with it', () => {
    const families: readonly (readonly [string | null, string | null])[] = [
      ['claude-code', 'claude'],
      ['claude-sonnet-4', 'claude'],
      ['anthropic/claude-opus', 'claude'],
      ['codex', 'gpt'],
      ['gpt-5', 'gpt'],
      ['o3-mini', 'gpt'],
      ['o3', 'gpt'],
      ['gemini-cli', 'gemini'],
      ['gemma3:27b', 'gemini'],
      ['llama3.3', 'llama'],
      ['mistral-large', 'mistral'],
      ['qwen3', 'qwen'],
      ['deepseek-r1', 'deepseek'],
      ['grok-4', 'grok'],
      ['something', null],
      ['foo3', null],
      [null, null],
    ]
    for (const [name, expected] of families) expect(familyOf(name), String(name)).toBe(expected)
    const judge = (model: string | null, family: string | null = null, allowSameFamily = false) => {
      return { model, family, allowSameFamily, provider: 'http' as const, url: null }
    }
    const at = (provider: JudgeProvider, url: string | null) => ({ ...judge('next'), provider, url })
    const cases = [
      [judge('claude-sonnet-4'), 'claude-code', true],
      [judge('claude-sonnet-4', null, true), 'claude-code', false],
      [judge('gpt-5'), 'claude-code', false],
      [judge('house-model', 'claude'), 'claude-code', true],
      [judge('house-model'), 'claude-code', false],
      [judge('claude-sonnet-4'), null, false],
      [judge('claude-sonnet-4'), 'unknown agent', false],
      [judge(null), null, false],
      [judge('opus'), 'claude-code', true],
      [at('anthropic', null), 'claude-code', true],
      [at('anthropic', 'https://models.example'), 'claude-code', false],
      [at('openai', null), 'codex', true],
      [at('openai', 'http://localhost:11434/v1'), 'codex', false],
      [at('google', null), 'gemini-cli', true],
      [at('http', null), 'codex', false],
    ] as const
    for (const [each, agent, expected] of cases) expect(isSameFamily(each, agent)).toBe(expected)
  })
})

describe('what puts a judge to rest', () => {
  const CASES: readonly (readonly [NoAnswerCode, boolean])[] = [
    ['judge.unavailable', true],
    ['timeout.judge', true],
    ['judge.malformed', false],
    ['judge.refused', false],
    ['judge.over_budget', false],
    ['judge.same_family', false],
    ['judge.depth', false],
    ['judge.sandbox', false],
    ['judge.steps', false],
  ]
  for (const [code, expected] of CASES)
    test(`${code}: ${expected ? 'an outage' : 'what a call or the policy can cause'}`, () => expect(isOutage(code)).toBe(expected))

  for (const name of ['constructor', '__proto__', 'toString', ''])
    test(`\`${name}\` is no outage`, () => expect(isOutage(name)).toBe(false))
})

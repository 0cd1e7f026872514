/** Price, cost and headers of judges: what they compile to, and what is refused because it would do nothing or could give secrets away. */
import { describe, expect, test } from 'vitest'
import type { JudgePolicy } from '../judges.ts'
import { errorsOf, policy } from '../testing/compiled.ts'

const MODEL = 'provider: anthropic, model: claude-x'
const judge = (fields: string) => `version: 1\njudges: { j: { ${fields} } }`
const one = (fields: string): JudgePolicy => {
  const found = policy(judge(fields)).judges.named.get('j')
  if (found === undefined) throw new Error('no judge')
  return found
}

describe('what a judge costs', () => {
  const none = { perSession: null, perDay: null }
  const CASES: readonly (readonly [string, JudgePolicy['price'], JudgePolicy['maxCost']])[] = [
    [MODEL, null, none],
    [`${MODEL}, price: { input: 3, output: 15 }`, { input: 3, output: 15, call: 0 }, none],
    [`${MODEL}, price: { output: 0.5 }`, { input: 0, output: 0.5, call: 0 }, none],
    [`${MODEL}, price: {}`, { input: 0, output: 0, call: 0 }, none],
    [`${MODEL}, price: { input: 3 }, max_cost: { per_day: 2.5 }`, { input: 3, output: 0, call: 0 }, { perSession: null, perDay: 2.5 }],
    [`${MODEL}, price: { call: 0.01 }, max_cost: { per_session: 0 }`, { input: 0, output: 0, call: 0.01 }, { perSession: 0, perDay: null }],
    ['provider: function, price: { call: 1 }', { input: 0, output: 0, call: 1 }, none],
    [
      'provider: command, command: [/bin/j], price: { call: 1 }, max_cost: { per_session: 3, per_day: 9 }',
      { input: 0, output: 0, call: 1 },
      { perSession: 3, perDay: 9 },
    ],
    ['provider: http, url: "https://j.example", price: { call: 1 }', { input: 0, output: 0, call: 1 }, none],
    [
      "provider: ai-sdk, model: m, module: { name: '@ai-sdk/groq', export: groq }, price: { input: 1 }",
      { input: 1, output: 0, call: 0 },
      none,
    ],
  ]
  for (const [fields, price, maxCost] of CASES) {
    test(fields, () => expect([one(fields).price, one(fields).maxCost]).toEqual([price, maxCost]))
  }
})

describe('what a model is sent', () => {
  const CASES: readonly (readonly [string, number | null])[] = [
    [MODEL, null],
    [`${MODEL}, temperature: 0`, 0],
    [`${MODEL}, temperature: 0.1`, 0.1],
    [`${MODEL}, temperature: 2`, 2],
  ]
  for (const [fields, expected] of CASES) test(fields, () => expect(one(fields).temperature).toBe(expected))

  const HEADERS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    [MODEL, []],
    [`${MODEL}, headers_env: {}`, []],
    [`${MODEL}, headers_env: { X-Org: COUNTERSIGN_JUDGE_ORG }`, [['x-org', 'COUNTERSIGN_JUDGE_ORG']]],
    [
      `${MODEL}, headers_env: { x-a: COUNTERSIGN_JUDGE_A, x-b: COUNTERSIGN_JUDGE_A }`,
      [
        ['x-a', 'COUNTERSIGN_JUDGE_A'],
        ['x-b', 'COUNTERSIGN_JUDGE_A'],
      ],
    ],
    [
      'provider: http, url: "https://j.example", headers_env: { authorization: COUNTERSIGN_JUDGE_KEY_2 }',
      [['authorization', 'COUNTERSIGN_JUDGE_KEY_2']],
    ],
  ]
  for (const [fields, expected] of HEADERS) test(fields, () => expect([...one(fields).headersEnv]).toEqual(expected))
})

describe('what is refused', () => {
  const CASES: readonly (readonly [string, string])[] = [
    [`${MODEL}, price: 3`, 'policy.wrong_type'],
    [`${MODEL}, price: { input: -1 }`, 'is not from 0'],
    [`${MODEL}, price: { input: .inf }`, 'is not from 0'],
    [`${MODEL}, price: { input: .nan }`, 'is not from 0'],
    [`${MODEL}, price: { input: "3" }`, 'policy.wrong_type'],
    [`${MODEL}, price: { tokens: 3 }`, 'policy.unknown_field'],
    [`${MODEL}, price: { input: 3 }, max_cost: 5`, 'policy.wrong_type'],
    [`${MODEL}, price: { input: 3 }, max_cost: { per_week: 5 }`, 'policy.unknown_field'],
    [`${MODEL}, price: { input: 3 }, max_cost: { per_day: -5 }`, 'is not from 0'],
    [`${MODEL}, max_cost: { per_day: 5 }`, '`max_cost` does nothing'],
    [`${MODEL}, price: {}, max_cost: { per_day: 5 }`, '`max_cost` does nothing'],
    ['provider: function, price: { input: 3 }', '`price` does nothing'],
    ['provider: embedded, price: { output: 3 }', '`price` does nothing'],
    ['provider: http, url: "https://j.example", price: { input: 1, call: 1 }', '`price` does nothing'],
    ['provider: function, temperature: 1', '`temperature` does nothing'],
    [`${MODEL}, temperature: 3`, 'is not from 0 to 2'],
    [`${MODEL}, temperature: -0.1`, 'is not from 0 to 2'],
    [`${MODEL}, temperature: warm`, 'policy.wrong_type'],
    ['provider: function, headers_env: { x-a: COUNTERSIGN_JUDGE_A }', '`headers_env` does nothing'],
    ['provider: command, command: [/bin/j], headers_env: { x-a: COUNTERSIGN_JUDGE_A }', '`headers_env` does nothing'],
    ['provider: embedded, headers_env: { x-a: COUNTERSIGN_JUDGE_A }', '`headers_env` does nothing'],
    [`${MODEL}, headers_env: { a: B }`, 'no variable for headers of judges'],
    [`${MODEL}, headers_env: { x-a: AWS_SECRET_ACCESS_KEY }`, 'no variable for headers of judges'],
    [`${MODEL}, headers_env: { x-a: GITHUB_TOKEN }`, 'no variable for headers of judges'],
    [`${MODEL}, headers_env: { x-a: COUNTERSIGN_JUDGE_ }`, 'no variable for headers of judges'],
    [`${MODEL}, headers_env: { x-a: countersign_judge_a }`, 'no variable for headers of judges'],
    [`${MODEL}, headers_env: { x-a: "COUNTERSIGN_JUDGE_A\\nX" }`, 'no variable for headers of judges'],
    [`${MODEL}, headers_env: { host: COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { Content-Length: COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { Transfer-Encoding: COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { cookie: COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { countersign-judge-depth: COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { "x a": COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { "x\\r\\ny": COUNTERSIGN_JUDGE_A }`, 'no header that a policy may set'],
    [`${MODEL}, headers_env: { X-A: COUNTERSIGN_JUDGE_A, x-a: COUNTERSIGN_JUDGE_B }`, 'is written twice'],
  ]
  for (const [fields, expected] of CASES) test(`${fields}: ${expected}`, () => expect(errorsOf(judge(fields))).toContain(expected))

  const TRIBUNAL: readonly (readonly [string, string])[] = [
    ['price: { call: 1 }', '`price` does nothing'],
    ['max_cost: { per_day: 1 }', '`max_cost` does nothing'],
    ['max_payload_bytes: 20000', '`max_payload_bytes` does nothing'],
    ['headers_env: { x-a: COUNTERSIGN_JUDGE_A }', '`headers_env` does nothing'],
    ['temperature: 1', '`temperature` does nothing'],
    ['stream: true', '`stream` does nothing'],
    ['cache: {}', '`cache` does nothing'],
  ]
  for (const [fields, expected] of TRIBUNAL) {
    test(`a tribunal with ${fields}`, () => {
      const text = `version: 1\njudges: { a: { provider: function, family: x }, b: { provider: function, family: y }, t: { provider: tribunal, judges: [a, b], ${fields} } }`
      expect(errorsOf(text)).toContain(expected)
    })
  }
})

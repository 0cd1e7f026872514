import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { errorsOf, policy } from '../testing/compiled.ts'

const JUDGE = 'judges: { j: { provider: function } }'

describe('judges', () => {
  proves('AEG-10', 'what is left out is .7, 0 and 300 seconds', () => {
    const { named, gates } = policy(`${JUDGE}\ntool_validation: [{ type: semantic, judge_agent: j }]`).judges
    expect(named.get('j')).toMatchObject({
      minScore: 0.7,
      minConfidence: 0,
      timeoutMs: 300_000,
      onError: null,
      permits: 'reversible',
      sample: 1,
    })
    expect(gates).toEqual([{ judge: 'j', criteria: null, minScore: null, minConfidence: null, timeoutMs: null }])
  })

  test('the form of AEGIS loads as it is', () => {
    const { judges, warnings } = policy(
      'tool_validation: [{ type: semantic, judge_agent: security-judge, criteria: safe, min_score: 0.85, min_confidence: 0.1, timeout_seconds: 60 }]',
    )
    expect(judges.gates).toEqual([{ judge: 'security-judge', criteria: 'safe', minScore: 0.85, minConfidence: 0.1, timeoutMs: 60_000 }])
    expect(warnings.map(({ code }) => code)).toContain('lint.judge_unknown')
    expect(policy('').judges).toEqual({ named: new Map(), gates: [], advisers: [], skip: [] })
  })

  proves(['AEG-15', 'SIG-20'], 'what would not be enforced, or could not be reached, is an error', () => {
    const gate = (fields: string) => `version: 1\n${JUDGE}\ntool_validation: [{ ${fields} }]`
    const judge = (fields: string) => `version: 1\njudges:\n  j: { ${fields} }`
    const cases: readonly (readonly [string, string])[] = [
      [gate('type: multi_judge, judges: [a, b], consensus: majority'), 'policy.not_enforced'],
      [gate('type: exit_code, expected: 0'), 'policy.not_enforced'],
      [gate('type: json_schema, schema: {}'), 'policy.not_enforced'],
      [gate('type: regex, pattern: x'), 'policy.not_enforced'],
      [gate('type: semantic'), '`judge_agent` is missing'],
      [gate('judge_agent: j'), '`type` is missing'],
      [gate('type: semantic, judge_agent: k'), 'there is no judge `k`'],
      [gate('type: semantic, judge_agent: j, min_score: 1.2'), 'not from 0 to 1'],
      [gate('type: semantic, judge_agent: j, min_confidence: -0.1'), 'not from 0 to 1'],
      [gate('type: semantic, judge_agent: j, timeout_seconds: 0'), 'policy.wrong_type'],
      [gate('type: semantic, judge_agent: j, retries: 3'), 'policy.unknown_field'],
      [judge('model: x'), '`provider` is missing'],
      [judge('provider: psychic'), 'policy.wrong_value'],
      [judge('provider: http'), 'needs `url`'],
      [judge('provider: anthropic'), 'needs `model`'],
      [judge('provider: openai'), 'needs `model`'],
      [judge('provider: command'), 'needs `command`'],
      [judge('provider: command, command: [judge]'), 'no absolute path'],
      [judge('provider: command, command: [./judge]'), 'no absolute path'],
      [judge('provider: http, url: "http://judge.example.com/"'), 'no address of a judge'],
      [judge('provider: http, url: "ftp://localhost/"'), 'no address of a judge'],
      [judge('provider: http, url: "https://user:pass@judge.example.com/"'), 'no address of a judge'],
      [judge('provider: http, url: "http://127.0.0.1.example.com/"'), 'no address of a judge'],
      [judge('provider: http, url: judge'), 'no address of a judge'],
      [judge('provider: function, on_error: allow'), 'policy.wrong_value'],
      [judge('provider: function, tools: [read_file]'), 'policy.not_enforced'],
      [judge('provider: function, system_prompt: "say yes"'), 'policy.unknown_field'],
      [judge('provider: function, resolves: [hazards]'), 'there is no layer `hazards`'],
      [judge('provider: function, resolves: [integrity]'), 'policy.wrong_value'],
      [judge('provider: function, always: ["[a"]'), 'policy.pattern'],
      [judge('provider: function, veto: { safety: 2 }'), 'not from 0 to 1'],
      [judge('provider: function, sample: 1.5'), 'not from 0 to 1'],
      [judge('provider: tribunal'), 'needs exactly two'],
      [judge('provider: tribunal, judges: [a, b]'), 'must be judges of this policy'],
      [`${judge('provider: function')}\n  t: { provider: tribunal, judges: [j, j] }`, 'exactly two different'],
      [`${judge('provider: function')}\n  t: { provider: tribunal, judges: [j] }`, 'exactly two different'],
      [`${judge('provider: function')}\n  t: { provider: tribunal, judges: [j, t] }`, 'no tribunals'],
      [`version: 1\n${JUDGE}\nskip_judge: ["[a"]`, 'policy.pattern'],
      [`version: 1\n${JUDGE}\nskip_judge: [{ server: x }]`, '`tool` is missing'],
    ]
    for (const [text, expected] of cases) expect(errorsOf(text), text).toContain(expected)
  })

  test('a tribunal is of two families', () => {
    const of = (a: string, b: string, more = '') =>
      errorsOf(`version: 1\njudges:\n  a: { ${a} }\n  b: { ${b} }\n  t: { provider: tribunal, judges: [a, b]${more} }`)
    expect(of('provider: anthropic, model: claude-x', 'provider: openai, model: gpt-x')).toBe('no errors')
    expect(of('provider: openai, model: gpt-x', 'provider: openai, model: gpt-x')).toContain('one family')
    expect(of('provider: anthropic, model: claude-x', 'provider: anthropic, model: claude-y')).toContain('one family')
    expect(of('provider: openai, model: gpt-x', 'provider: openai, model: gpt-x', ', allow_same_family: true')).toBe('no errors')
    expect(of('provider: function', 'provider: function')).toBe('no errors')
  })

  test('addresses: TLS, or this machine', () => {
    for (const url of ['https://judge.example.com/v1', 'http://localhost:11434/v1', 'http://127.0.0.1:8080/', 'http://[::1]:9/']) {
      expect(policy(`judges: { j: { provider: http, url: "${url}" } }`).judges.named.get('j')?.url).toBe(url)
    }
  })
})

describe('skip_judge', () => {
  proves('AEG-W4', 'a bare name is a tool of the host, a server is named, and tools that change things are pointed at', () => {
    const skips = (text: string) => policy(`${JUDGE}\nskip_judge: ${text}`)
    const matches = (text: string, server: string | null, name: string) =>
      skips(text).judges.skip.some((each) => each.matches(server, name))
    const cases: readonly (readonly [string, string | null, string, boolean])[] = [
      ['[Read, Grep]', null, 'Read', true],
      ['[Read]', 'evil', 'Read', false],
      ['[Read]', null, 'ReadAll', false],
      ['[Read]', null, 'read', false],
      ['["fs/*"]', 'fs', 'read', true],
      ['["fs/*"]', 'fsx', 'read', false],
      ['["fs/read"]', 'fs', 'read', true],
      ['["fs/read"]', 'other', 'fs/read', false],
      ['[{ tool: read, server: fs }]', 'fs', 'read', true],
      ['[{ tool: read, server: fs }]', null, 'read', false],
    ]
    for (const [text, server, name, expected] of cases) expect(matches(text, server, name), `${text} ${server}/${name}`).toBe(expected)
    const warned = (text: string) => skips(text).warnings.filter(({ code }) => code === 'lint.skip_judge').length
    expect([warned('[Read]'), warned('[Bash]'), warned('[{ tool: Read, changes: true }]')]).toEqual([0, 1, 1])
    expect(skips('[{ tool: Bash, changes: true }]').judges.skip[0]?.changes).toBe(true)
    expect(skips('[Bash]').judges.skip[0]?.changes).toBe(false)
  })
})

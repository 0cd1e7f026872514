import { describe, expect, test } from 'vitest'
import { policy } from '../../policy/testing/compiled.ts'
import { judgeChecks } from './doctor-judges.ts'

const tell = (text: string, problem: string | null = null, keys: readonly string[] = []): readonly string[] => {
  const here = { env: (name: string) => (keys.includes(name) ? 'sk' : undefined), sandbox: { problem: () => problem } }
  return judgeChecks(policy(text), here).map(({ name, state, detail }) => `${state} ${name}: ${detail}`)
}

const judge = (fields: string) => `judges: { j: { ${fields} } }`
const CLAUDE = 'provider: anthropic, model: claude-x'

describe('what doctor says of judges', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    [judge('provider: function'), []],
    [judge(CLAUDE), ['warn judge j: its key is not in `ANTHROPIC_API_KEY`, so it cannot answer']],
    [judge('provider: google, model: gemini-x'), ['warn judge j: its key is not in `GEMINI_API_KEY`, so it cannot answer']],
    [judge('provider: openai, model: gpt-x'), ['warn judge j: its key is not in `OPENAI_API_KEY`, so it cannot answer']],
    [judge('provider: openai, model: llama3, url: "http://localhost:11434/v1"'), []],
    [judge(`${CLAUDE}, api_key_env: MINE`), ['warn judge j: its key is not in `MINE`, so it cannot answer']],
    [judge(`${CLAUDE}, url: "https://models.example"`), []],
    [
      judge(`${CLAUDE}, url: "https://models.example", headers_env: { X-Org: COUNTERSIGN_JUDGE_ORG }`),
      ['warn judge j: the header `x-org` is not in `COUNTERSIGN_JUDGE_ORG`, so it cannot answer'],
    ],
    [judge('provider: command, command: [/nonexistent/judge]'), ['warn judge j: `/nonexistent/judge` is not there, so it cannot answer']],
    ['disclosure: { repeats_before_halt: 0 }', ['warn sessions: an agent may come back with what was denied as often as it likes']],
  ]
  for (const [text, expected] of cases) test(text || 'no judges', () => expect(tell(text)).toEqual(expected))

  test('a key that is there is not told of', () => {
    expect(tell(judge(CLAUDE), null, ['ANTHROPIC_API_KEY'])).toEqual([])
  })

  test('judges with tools need a sandbox and what the policy names', () => {
    const text = judge(`${CLAUDE}, tools: { allow: [grep], programs: [/nonexistent/bin], mounts: [/nonexistent/work] }`)
    expect(tell(text, null, ['ANTHROPIC_API_KEY'])).toEqual([
      'warn judge j: `/nonexistent/bin` is not there, so it cannot answer',
      'warn judge j: `/nonexistent/work` is not there, so it cannot answer',
      'ok sandbox: bubblewrap holds; judges can use their tools',
    ])
    expect(tell(judge(`${CLAUDE}, tools: [grep]`), 'bubblewrap is not installed', ['ANTHROPIC_API_KEY'])).toEqual([
      'warn sandbox: judges with tools cannot answer: bubblewrap is not installed',
    ])
  })
})

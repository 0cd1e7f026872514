/** The same rules for everybody: allow and deny by tool and user, and calls that meet at least one of them. */
import type { ToolCall } from '../src/core/call.ts'

export interface Rule {
  readonly effect: 'allow' | 'deny'
  readonly tool: string
  readonly user: string
}

export interface Question {
  readonly tool: string
  readonly user: string
  readonly expected: 'allow' | 'deny'
}

/** So many rules over at most 500 tools: of every user's rules a third deny, and some pairs have both (deny wins). */
export function makeRules(count: number): readonly Rule[] {
  const tools = Math.min(500, count)
  return Array.from(
    { length: count },
    (_, i): Rule => ({
      effect: i % 3 === 0 ? 'deny' : 'allow',
      tool: `tool_${i % tools}`,
      user: `user_${Math.floor(i / tools) % 16}`,
    }),
  )
}

/** One question per rule, spread over all of them, at most 1,000; what is right is told by the plainest reading. */
export function makeQuestions(rules: readonly Rule[]): readonly Question[] {
  const step = Math.max(1, Math.floor(rules.length / 1000))
  return rules
    .filter((_, i) => i % step === 0)
    .map(({ tool, user }) => {
      const matching = rules.filter((rule) => rule.tool === tool && rule.user === user)
      return { tool, user, expected: matching.some(({ effect }) => effect === 'deny') ? 'deny' : 'allow' }
    })
}

/** The rules as a policy file. */
export function policyText(rules: readonly Rule[]): string {
  const section = (effect: Rule['effect']) =>
    rules.filter((rule) => rule.effect === effect).map(({ tool, user }) => `    - { tool: ${tool}, user: ${user}, reason: bench }`)
  const tools = [...new Set(rules.map(({ tool }) => tool))].map((tool) => `  ${tool}: { risk_tier: low }`)
  return [
    'version: 1',
    'default: deny',
    'tools:',
    ...tools,
    'rules:',
    '  deny:',
    ...section('deny'),
    '  allow:',
    ...section('allow'),
    '',
  ].join('\n')
}

/** A call as a host would send it, after ingress. */
export function callOf(tool: string, user: string, args: ToolCall['args'] = { id: 17, note: 'the quick brown fox' }): ToolCall {
  return {
    tool: { server: null, name: tool, definition: null },
    args,
    principal: { agent: 'bench', role: null, user, tenant: null, chain: [] },
    session: 's-1',
    cwd: '/home/user/project',
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

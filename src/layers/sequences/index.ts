/**
 * Rules over time and flow: what calls of a session add up to. Where the past is not known, because the call names no session or its
 * memory was lost, a rule of the policy counts as matched wherever it may (PIT-20); what holds by default is then left out.
 */
import type { Finding } from '../../core/finding.ts'
import type { History } from '../../core/history.ts'
import { enforced, join } from '../../core/verdict.ts'
import type { ConditionInput } from '../../policy/policy.ts'
import { ruleInput } from '../../policy/reading/input.ts'
import type { SequenceRule } from '../../policy/sequences/model.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

export const sequences: Layer = {
  name: 'sequences',
  onError: 'ask',
  evaluate: ({ call, facts, policy, history = null }): readonly Finding[] => {
    const rules = policy.sequences.filter(({ tool }) => tool === null || tool.matches(call.tool.server, call.tool.name))
    if (rules.length === 0) return []
    const input = ruleInput(call, facts).condition
    return rules.flatMap((rule) => evaluateRule(rule, input, history) ?? [])
  },
}

function evaluateRule(rule: SequenceRule, input: ConditionInput, history: History | null): Finding | null {
  try {
    if (history !== null && rule.matches(input, history)) return found(rule, 'sequences.matched', rule.reason)
    const unknown = rule.place !== null && (history === null || history.incomplete) && rule.mayMatch(input)
    return unknown ? found(rule, 'sequences.unknown', history === null ? NO_SESSION : LOST) : null
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown reason'
    return found(rule, 'sequences.error', `the rule \`${rule.id}\` cannot be evaluated on this call: ${detail}`)
  }
}

const NO_SESSION = 'the call names no session, so nothing is known of what came before'
const LOST = 'a part of what came before in this session is not known'

type SequenceCode = 'sequences.matched' | 'sequences.unknown' | 'sequences.error'

function found(rule: SequenceRule, code: SequenceCode, text: string): Finding {
  const { id, enforcement, resolvers, advice, place } = rule
  const level = enforced(enforcement)
  const verdict = code === 'sequences.error' ? join(level, 'ask') : level
  const message = text === '' ? `matched the rule over time \`${id}\`` : text
  return finding({
    layer: 'sequences',
    rule: id,
    verdict,
    code,
    message,
    advice,
    evidence: place === null ? {} : { line: place.line },
    resolvers,
  })
}

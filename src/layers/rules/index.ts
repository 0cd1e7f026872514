/**
 * Promptise's rules: every matching deny, ask and allow rule is reported and the lattice joins them, so order never matters.
 * A rule that cannot be evaluated counts as matched at its own effect, at least an ask (T13, PRO-6c).
 */
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import { enforced, join, type Verdict } from '../../core/verdict.ts'
import type { CompiledRule, RuleInput } from '../../policy/policy.ts'
import { ruleInput } from '../../policy/reading/input.ts'
import { finding } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'
import { readOnlyPermit } from './read-only.ts'

export const rules: Layer = {
  name: 'rules',
  onError: 'deny',
  evaluate: (input: LayerInput): readonly Finding[] => {
    const { call, facts, policy } = input
    const candidates = policy.rules.forTool(call.tool.server, call.tool.name)
    const findings = candidates.length === 0 ? [] : evaluateRules(candidates, { input: ruleInput(call, facts), order: policy.rules.order })
    const firstOnly = policy.rules.order === 'first-match' && findings.length > 0
    const permit = firstOnly ? null : readOnlyPermit(input)
    return permit === null ? findings : [...findings, permit]
  },
}

interface Evaluation {
  readonly input: RuleInput
  readonly order: 'severity' | 'first-match'
}

/**
 * Under `first-match` an allow rule that matches hides the denies, as Promptise <= 1.2.1 did; an ask is never hidden (PIT-2).
 * A rule that fails has not matched, so a failing allow hides nothing.
 */
function evaluateRules(candidates: readonly CompiledRule[], evaluation: Evaluation): readonly Finding[] {
  const found: Record<CompiledRule['kind'], Finding[]> = { deny: [], ask: [], allow: [] }
  for (const rule of candidates) {
    const finding = evaluateRule(rule, evaluation)
    if (finding !== null) found[rule.kind].push(finding)
  }
  const { deny, ask, allow } = found
  if (evaluation.order === 'severity') return [...deny, ...ask, ...allow]
  const permits = [...ask, ...allow]
  return permits.some((each) => each.verdict === 'allow') ? permits : [...deny, ...permits]
}

function evaluateRule(rule: CompiledRule, { input, order }: Evaluation): Finding | null {
  try {
    return rule.matches(input) ? matched(rule, evidenceOf(rule, order)) : null
  } catch (error) {
    return failed(rule, { evidence: evidenceOf(rule, order), error })
  }
}

function evidenceOf(rule: CompiledRule, order: Evaluation['order']): JsonObject {
  return { kind: rule.kind, line: rule.place.line, ...(order === 'first-match' ? { order } : {}) }
}

/** What a match of the rule is worth, by where it is bound. */
function verdictOf(rule: CompiledRule): Verdict {
  if (rule.kind === 'allow') return 'allow'
  return rule.enforcement === null ? rule.kind : enforced(rule.enforcement)
}

const CODES = { deny: 'rules.denied', ask: 'rules.asked', allow: 'rules.allowed' } as const

function matched(rule: CompiledRule, evidence: JsonObject): Finding {
  const message = rule.reason === '' ? `matched ${rule.kind} rule \`${rule.id}\`` : rule.reason
  const { id, advice, resolvers } = rule
  return finding({ layer: 'rules', rule: id, verdict: verdictOf(rule), code: CODES[rule.kind], message, advice, evidence, resolvers })
}

function failed(rule: CompiledRule, { evidence, error }: { evidence: JsonObject; error: unknown }): Finding {
  const detail = error instanceof Error ? error.message : 'unknown reason'
  return finding({
    layer: 'rules',
    rule: rule.id,
    verdict: join(verdictOf(rule), 'ask'),
    code: 'rules.error',
    message: `the ${rule.kind} rule \`${rule.id}\` cannot be evaluated on this call: ${detail}`,
    advice: rule.advice,
    evidence: { ...evidence, error: detail },
    resolvers: rule.resolvers,
  })
}

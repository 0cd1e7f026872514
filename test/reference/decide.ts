/**
 * The decision procedure once more, from the prose of the documents alone: registry, allowlist, rules, default, join. It
 * imports nothing from src but types, so that the gate and this can only agree by both being right.
 */
import type { Outcome } from '../../src/core/verdict.ts'

export interface ReferenceTool {
  readonly tier: 0 | 1 | 2 | 3
  readonly irreversible: boolean
}

export interface ReferenceRule {
  readonly kind: 'deny' | 'ask' | 'allow'
  /** A name, with at most one `*` at its end. */
  readonly tool: string | null
  readonly user: string | null
  readonly contains: string | null
  readonly enforcement: 'advisory' | 'soft' | 'hard' | null
}

export interface ReferencePolicy {
  readonly default: 'ask' | 'deny'
  readonly unregistered: 'deny' | 'ask' | 'allow'
  readonly tools: ReadonlyMap<string, ReferenceTool>
  readonly max: 0 | 1 | 2 | 3
  readonly threshold: 0 | 1 | 2 | 3
  readonly allowCritical: boolean
  readonly allowlist: readonly string[] | null
  readonly order: 'severity' | 'first-match'
  readonly rules: readonly ReferenceRule[]
}

export interface ReferenceCall {
  readonly tool: string
  readonly user: string | null
  readonly argsText: string
}

type Verdict = 'allow' | 'flag' | 'ask' | 'deny'
const ORDER: readonly Verdict[] = ['allow', 'flag', 'ask', 'deny']

/** The verdict of a call under a policy. */
export function referenceDecide(policy: ReferencePolicy, call: ReferenceCall): Outcome {
  const verdicts = [...registry(policy, call), ...allowlist(policy, call), ...rules(policy, call)]
  // Where people are asked for leave, their yes is the permit.
  if (!verdicts.includes('allow')) verdicts.push(asksForLeave(policy, call) ? 'ask' : policy.default)
  return ORDER[Math.max(...verdicts.map((verdict) => ORDER.indexOf(verdict)))] ?? 'deny'
}

/** The registry asks, or a rule that is written to ask; a denial that is bound to ask does not. */
function asksForLeave(policy: ReferencePolicy, call: ReferenceCall): boolean {
  const asking = policy.rules.filter((rule) => rule.kind === 'ask' && matches(rule, call))
  return registry(policy, call).includes('ask') || asking.some((rule) => verdictOf(rule) === 'ask')
}

function registry(policy: ReferencePolicy, call: ReferenceCall): Verdict[] {
  const tool = policy.tools.get(call.tool)
  if (tool === undefined) {
    if (policy.unregistered === 'deny') return ['deny']
    return policy.unregistered === 'ask' ? ['ask'] : ['allow', 'flag']
  }
  if (tool.tier === 3 && !policy.allowCritical) return ['deny']
  if (tool.tier > policy.max) return ['deny']
  if (tool.irreversible && tool.tier >= policy.threshold) return ['ask']
  return ['allow']
}

function allowlist(policy: ReferencePolicy, call: ReferenceCall): Verdict[] {
  return policy.allowlist === null || policy.allowlist.includes(call.tool) ? [] : ['deny']
}

function rules(policy: ReferencePolicy, call: ReferenceCall): Verdict[] {
  const matching = policy.rules.filter((rule) => matches(rule, call))
  // The seed's order: a matching allow rule hides the denies; it never hides an ask.
  const permitted = policy.order === 'first-match' && matching.some((rule) => rule.kind === 'allow')
  return matching.filter((rule) => !(permitted && rule.kind === 'deny')).map(verdictOf)
}

function matches(rule: ReferenceRule, call: ReferenceCall): boolean {
  return (
    (rule.tool === null || (rule.tool.endsWith('*') ? call.tool.startsWith(rule.tool.slice(0, -1)) : call.tool === rule.tool)) &&
    (rule.user === null || rule.user === call.user) &&
    (rule.contains === null || call.argsText.includes(rule.contains))
  )
}

function verdictOf(rule: ReferenceRule): Verdict {
  if (rule.kind === 'allow') return 'allow'
  switch (rule.enforcement) {
    case 'advisory':
      return 'flag'
    case 'soft':
      return 'ask'
    case 'hard':
      return 'deny'
    case null:
      return rule.kind
  }
}

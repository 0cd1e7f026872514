import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { explainEffect } from '../facts/explain/explain.ts'

/** A decision in words: what would happen, what speaks against it, who may still let it run. One line per fact. */
export function explainDecision(decision: Decision, call: ToolCall): readonly string[] {
  return [
    `${decision.decision}: ${decision.reason} (${decision.code})`,
    `policy ${decision.policySource.path ?? 'shipped default'} ${decision.policyDigest.slice(0, 19)}${decision.policySource.degraded === null ? '' : `, degraded: ${decision.policySource.degraded}`}`,
    'what the call would do:',
    ...(decision.effects.length === 0
      ? ['  nothing that can be seen']
      : decision.effects.map((effect) => `  ${explainEffect(effect, call.args, call.cwd)}`)),
    'what the layers found:',
    ...decision.findings.map((finding, index) => {
      const mark = decision.determining.includes(index) ? '*' : ' '
      const resolvers = finding.resolvers.length === 0 ? '' : `; may be resolved by ${finding.resolvers.join(', ')}`
      return `${mark} ${finding.verdict} from ${finding.layer}/${finding.rule}: ${finding.message}${resolvers}`
    }),
    ...decision.resolutions.map(
      (resolution) => `resolved by ${resolution.by} ${resolution.id}: ${resolution.verdict}, ${resolution.reason}`,
    ),
    `recorded as ${decision.auditEntryId ?? 'nothing: the log could not be written'}`,
  ]
}

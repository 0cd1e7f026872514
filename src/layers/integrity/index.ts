/**
 * Integrity: what must hold before any policy is asked. The gate protects itself from the agent it gates (P9, T40), by
 * every route because it looks at effects, not tools; canary tokens never leave; hidden characters are shown for what
 * they are (T07); a tool is what it was when it was pinned (T11). Structural: no policy lowers it.
 */
import type { Finding } from '../../core/finding.ts'
import type { Layer, LayerInput } from '../layer.ts'
import { answeringFindings } from './answering.ts'
import { canaryFindings } from './canary.ts'
import { definitionFindings, pinsTool } from './definition.ts'
import { hiddenFindings } from './hidden.ts'
import { protectionFindings } from './protection.ts'
import { addressFindings } from './ssrf.ts'

export const integrity: Layer = {
  name: 'integrity',
  onError: 'deny',
  evaluate: (input: LayerInput): readonly Finding[] => [
    ...protectionFindings(input.facts),
    ...answeringFindings(input.facts, input.policy, input.call.args),
    ...canaryFindings(input.facts),
    ...definitionFindings(input),
    ...characterFindings(input),
  ],
}

/** Of the guards those that a policy states itself: what is left of integrity where it is only to raise. */
export const statedGuards: Layer = {
  name: 'integrity',
  onError: 'deny',
  evaluate: (input: LayerInput): readonly Finding[] => [...(pinsTool(input) ? definitionFindings(input) : []), ...characterFindings(input)],
}

function characterFindings({ facts, policy }: LayerInput): readonly Finding[] {
  return [
    ...(policy.guards.ssrf.strict ? addressFindings(facts, policy.guards.ssrf.allowHosts) : []),
    ...(policy.guards.unicode.enabled ? hiddenFindings(facts) : []),
  ]
}

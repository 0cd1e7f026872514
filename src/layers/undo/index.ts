/** What cannot be taken back, by nobody and nothing, is asked about first, where the policy has an `undo` section. */
import type { Finding } from '../../core/finding.ts'
import { isFinal, wayBack, waysOf } from '../../undo/catalogue.ts'
import { finding, spanJson } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'

export const undo: Layer = {
  name: 'undo',
  onError: 'ask',
  evaluate: ({ facts, policy }: LayerInput): readonly Finding[] => {
    const ways = waysOf(policy)
    if (ways === null || policy.undo?.requireWayBack !== true) return []
    const final = facts.effects.find((effect) => isFinal(effect) && wayBack(effect, ways) === null)
    if (final === undefined) return []
    const { verb, action, target, span } = final
    return [
      finding({
        layer: 'undo',
        rule: 'no-way-back',
        verdict: 'ask',
        code: 'undo.no_way_back',
        message: `${action ?? verb} of \`${target.value}\` cannot be undone, and nothing here takes it back`,
        evidence: { verb, action, target: target.value, span: spanJson(span) },
      }),
    ]
  },
}

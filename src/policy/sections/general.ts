/** Version, mode, default and the binding of whole layers. */

import { isScalar } from 'yaml'
import { ENFORCEMENTS } from '../../core/verdict.ts'
import type { LayerBinding } from '../policy.ts'
import { described, type Field, mapOf, oneOf, rangeOf, wrongType } from '../reading/fields.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'

const version: Field<1> = {
  expects: 'the number `1`',
  schema: { const: 1, description: 'Version of the policy format.' },
  read: (node, reader, key) => {
    if (!isScalar(node) || typeof node.value !== 'number') return wrongType(version, node, { reader, key })
    if (node.value === 1) return 1
    const message = `version ${node.value} of the policy format is not known`
    return reader.fail({ code: 'policy.version', message, help: 'this release reads `version: 1`', at: rangeOf(node, key) })
  },
}

const binding = record({
  enforcement: described(oneOf(ENFORCEMENTS), 'Every violation of the layer counts as this.'),
  on_error: described(oneOf(['ask', 'deny']), 'What a failure of the layer counts as.'),
})

export const general = section({
  fields: (vocabulary) => ({
    version,
    mode: described(oneOf(['enforce', 'shadow']), '`shadow` records what would have been decided and lets everything run.'),
    default: described(oneOf(['ask', 'deny']), 'What a call gets that nothing permits.'),
    layers: described(
      mapOf(binding, (name) => {
        if (vocabulary.layers.includes(name)) return null
        return { code: 'policy.unknown_field', message: `there is no layer \`${name}\``, help: suggestion(name, vocabulary.layers) }
      }),
      'Level and fail mode of whole layers.',
    ),
  }),
  compile: (values) => ({
    version: 1 as const,
    mode: values.mode ?? ('enforce' as const),
    // INVARIANT: a constant, never inferred from which rules there are (T14).
    default: values.default ?? ('ask' as const),
    layers: new Map<string, LayerBinding>(
      [...(values.layers ?? [])].map(([name, bound]) => [
        name,
        { enforcement: bound.enforcement ?? null, onError: bound.on_error ?? null },
      ]),
    ),
  }),
})

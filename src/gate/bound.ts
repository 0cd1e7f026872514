/** Layers with the level and the fail mode that a policy binds them at. */
import type { BoundLayer } from '../core/decide.ts'
import type { Layer, LayerInput } from '../layers/layer.ts'
import type { Policy } from '../policy/policy.ts'

/** Self-protection is structural: no policy binds it to a weaker level (T40, P9). */
const STRUCTURAL: ReadonlySet<string> = new Set(['integrity'])

type Bound = readonly BoundLayer<LayerInput>[]

/** Neither layers nor a compiled policy ever change, so they are bound once. */
const BOUND = new WeakMap<readonly Layer[], WeakMap<Policy, Bound>>()

export function bound(layers: readonly Layer[], policy: Policy): Bound {
  const known = BOUND.get(layers)?.get(policy)
  if (known !== undefined) return known
  const made = bind(layers, policy)
  BOUND.set(layers, (BOUND.get(layers) ?? new WeakMap<Policy, Bound>()).set(policy, made))
  return made
}

function bind(layers: readonly Layer[], policy: Policy): Bound {
  return layers.map((layer) => {
    const binding = STRUCTURAL.has(layer.name) ? undefined : policy.layers.get(layer.name)
    return {
      name: layer.name,
      enforcement: binding?.enforcement ?? null,
      onError: binding?.onError ?? layer.onError,
      evaluate: layer.evaluate,
    }
  })
}

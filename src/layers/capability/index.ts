/**
 * The capability gate: what goes out of the house needs a live grant of its own, whichever tool or program does it. Every
 * gated effect of a call is looked at, not the first (ROS-W1), and what could not be told may be one of them.
 */
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Effect } from '../../facts/effect.ts'
import { gatedBy } from '../../grants/actions.ts'
import { actsOf } from '../../grants/acts.ts'
import { type Allocation, allocate, type Wanted } from '../../grants/allocate.ts'
import { finding, spanJson } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'

export const capability: Layer = {
  name: 'capability',
  onError: 'deny',
  evaluate: ({ call, facts, policy, state }: LayerInput): readonly Finding[] => {
    const { gate } = policy.capabilities
    if (gate.size === 0) return []
    if (!facts.effects.some(({ action }) => action !== null && gatedBy(gate, action) !== null)) return []
    const acts = new Map<number, Wanted>()
    for (const act of actsOf(facts, call.args)) {
      if (act.effect.action !== null && gatedBy(gate, act.effect.action) !== null) acts.set(act.index, act)
    }
    const { agent, role, user, tenant } = call.principal
    const asking = { now: state.now, session: call.session, role, user, agent, tenant }
    const wanted = [...acts.values()]
    const grants = state.grants(wanted.map(({ effect }) => effect))
    return allocate(wanted, grants, asking).map((allocation) => judged(allocation, facts.effects[allocation.effect] as Effect))
  },
}

function judged({ effect: index, grant, obstacle }: Allocation, effect: Effect): Finding {
  const action = effect.action ?? effect.verb
  const evidence: JsonObject = { action, effect: index, target: effect.target.value, span: spanJson(effect.span) }
  const base = { layer: 'capability', rule: action }
  if (grant === null) {
    const message = `${action} of \`${effect.target.value}\` needs a grant${obstacle === null ? '; there is none' : `; ${obstacle}`}`
    return finding({ ...base, verdict: 'deny', code: 'capability.not_granted', message, evidence: { ...evidence, obstacle } })
  }
  const message = `${action} of \`${effect.target.value}\` is covered by grant ${grant.id}`
  return finding({ ...base, verdict: 'allow', code: 'capability.granted', message, evidence: { ...evidence, grant: grant.id } })
}

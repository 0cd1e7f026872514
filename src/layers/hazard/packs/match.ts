/** Words that the packs are written in: predicates over one effect. */
import type { Verb } from '../../../core/effect.ts'
import { type Json, own } from '../../../core/json.ts'
import type { Effect } from '../../../facts/effect.ts'

export function verb(effect: Effect, ...verbs: readonly Verb[]): boolean {
  return verbs.includes(effect.verb)
}

export function action(effect: Effect, ...actions: readonly string[]): boolean {
  return effect.action !== null && actions.includes(effect.action)
}

/** The family of an action: `git` of `git:push`. */
export function family(effect: Effect, ...families: readonly string[]): boolean {
  if (effect.action === null) return false
  const colon = effect.action.indexOf(':')
  return families.includes(colon === -1 ? effect.action : effect.action.slice(0, colon))
}

export function attribute(effect: Effect, name: string): Json | undefined {
  return own(effect.attributes, name)
}

/** True where the attribute is literally `true`. */
export function has(effect: Effect, name: string): boolean {
  return attribute(effect, name) === true
}

/** Clusters that kind, k3d and minikube run in containers of this machine, by the names they give their contexts. */
const LOCAL_CONTEXT = /^(?:(?:kind|k3d)-[\w.-]{1,80}|minikube)$/
const LOCAL_ENDPOINT = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?\/?$/i

/** An emulated cloud or a cluster on this machine, as the call itself says; not what runs programs there. */
export function onThisMachine(effect: Effect): boolean {
  if (family(effect, 'cloud')) return LOCAL_ENDPOINT.test(String(attribute(effect, 'endpoint') ?? ''))
  if (!LOCAL_CONTEXT.test(String(attribute(effect, 'context') ?? ''))) return false
  return family(effect, 'helm') || action(effect, 'k8s:apply', 'k8s:delete', 'k8s:scale', 'k8s:rollout')
}

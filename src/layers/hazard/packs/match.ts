/** Words that the packs are written in: predicates over one effect. */
import type { Verb } from '../../../core/effect.ts'
import { type Json, own } from '../../../core/json.ts'
import type { Effect } from '../../../facts/effect.ts'
import type { Facts } from '../../../facts/facts.ts'

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

/** Something that a file of the project does, which neither the call nor an earlier one of the session brought. */
export function byProject(effect: Effect): boolean {
  return typeof attribute(effect, 'project_file') === 'string'
}

/** Deletes a directory that a call of the session made, or what is in it; nobody moved anything there. */
export function madeInSession(effect: Effect): boolean {
  return has(effect, 'made_in_session')
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

/** Deletes more than one thing at once. */
export function sweeping(effect: Effect): boolean {
  return has(effect, 'recursive') || has(effect, 'mass')
}

/** Code, or anything else that can do harm, that is only known when it runs. */
export function isOpaqueCode(effect: Effect): boolean {
  return action(effect, 'code:dynamic') || (verb(effect, 'opaque') && attribute(effect, 'severity') !== 'low')
}

/** Deletes much, or what an input of the code or another machine names, and where is only known when it runs. */
export function deletesUnknown(effect: Effect): boolean {
  const { reversible, target } = effect
  return (
    effect.verb === 'delete' &&
    !reversible &&
    target.scope === 'unknown' &&
    target.kind !== 'database' &&
    (sweeping(effect) || has(effect, 'given'))
  )
}

/** A container that gets nothing of the machine but the workspace; of one that the project starts, as far as that is known. */
export const staysInside = (effect: Effect): boolean =>
  has(effect, 'contained') || (attribute(effect, 'contained') === 'untold' && byProject(effect))

/** A command inside of a container deletes, or cannot be told, while the workspace is mounted there. */
export const undoesInside = ({ effects }: Facts): boolean =>
  effects.some((effect) => action(effect, 'container:mount') && effect.verb === 'write') &&
  effects.some(
    (effect) =>
      attribute(effect, 'container') !== undefined && (effect.verb === 'delete' || (effect.verb === 'opaque' && !byProject(effect))),
  )

/** An address whose host is known, whatever follows it. */
const HOST_KNOWN = /^[a-z][a-z+.-]*:\/\/[^/?#\s]{1,253}[/?#]/i

/** The target of the effect is known, and with it what is done. */
export function isTargetKnown(effect: Effect): boolean {
  const { reason, target } = effect
  const named = target.value !== '' || action(effect, 'net:reverse-shell', 'net:bind-shell')
  const partly = reason?.includes('not known before') === true && !(target.kind === 'url' && HOST_KNOWN.test(target.value))
  return named && !partly && !has(effect, 'unresolved') && !has(effect, 'dynamic')
}

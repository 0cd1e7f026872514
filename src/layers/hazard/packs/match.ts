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

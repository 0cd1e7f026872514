/** Which hazard rules an effect can meet, by its verb and action, so that of a hundred rules only a handful are asked. */
import type { Verb } from '../../core/effect.ts'
import type { Enforcement } from '../../core/verdict.ts'
import type { Effect } from '../../facts/effect.ts'
import type { HazardRule } from './rule.ts'

export interface ActiveRule {
  readonly rule: HazardRule
  readonly level: Enforcement
  /** Its place among the active rules; findings come in this order. */
  readonly place: number
}

/** Every rule whose verbs and actions admit the effect, in the order of the rules. */
export type RulesFor = (effect: Effect) => readonly ActiveRule[]

/** Actions may be named by tools and policies, so the memory of them is bounded. */
const MAX_REMEMBERED = 4_096

type ByAction = Map<string | null, readonly ActiveRule[]>

export function indexRules(rules: readonly ActiveRule[]): RulesFor {
  const byVerb = new Map<Verb, ByAction>()
  let remembered = 0
  return ({ verb, action }) => {
    const known = byVerb.get(verb)?.get(action)
    if (known !== undefined) return known
    if (remembered >= MAX_REMEMBERED) {
      byVerb.clear()
      remembered = 0
    }
    const found = rules.filter(({ rule }) => admits(rule, verb, action))
    byVerb.set(verb, (byVerb.get(verb) ?? (new Map() as ByAction)).set(action, found))
    remembered += 1
    return found
  }
}

/** True where a rule is about effects of this verb and this action at all. */
export function admits({ verbs, actions }: HazardRule, verb: Verb, action: string | null): boolean {
  if (verbs !== undefined && !verbs.includes(verb)) return false
  if (actions === undefined) return true
  return action !== null && (actions.includes(action) || actions.includes(familyOf(action)))
}

function familyOf(action: string): string {
  const colon = action.indexOf(':')
  return colon === -1 ? action : action.slice(0, colon)
}

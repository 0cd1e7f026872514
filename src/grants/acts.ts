/**
 * The effects of a call as grants look at them. What a policy declares of a tool stands beside what the analysis found, so that one
 * act may be two effects, the second without amount, currency or payee: both count as the one that says more, and one use lets both
 * through. What no effect tells is said of each, so that a yes to less does not cover it. Pure.
 */
import type { Effect } from '../core/effect.ts'
import type { JsonObject } from '../core/json.ts'
import { isIdentifiedByAction, unreportedArguments } from './identity.ts'
import { settled } from './settled.ts'

/** The effect that stands for one of the call's, with its place in the call. */
export interface Act {
  readonly index: number
  readonly effect: Effect
}

/** What of the facts of a call matters here. */
export interface Doing {
  readonly effects: readonly Effect[]
  /** The commands that it would run. */
  readonly commands: readonly unknown[]
  readonly tool: { readonly name: string }
}

/** For each effect of the call, in their order, the act that it belongs to. Effects of commands are acts of their own. */
export function actsOf({ effects, commands, tool }: Doing, args: JsonObject): readonly Act[] {
  const known = settled(effects)
  if (commands.length > 0)
    return known.map((effect, index) => ({ index, effect: isIdentifiedByAction(effect) ? effect : untold(effect, ['command']) }))
  const missing = unreportedArguments(args, effects)
  const own = known.map((effect, index): Act => ({ index, effect: missing.length === 0 ? effect : untold(effect, missing) }))
  return own.map((act, at) => own[known.findIndex((other, index) => index !== at && saysMore(other, known[at], tool.name))] ?? act)
}

function untold(effect: Effect, names: readonly string[]): Effect {
  return effect.action === null ? effect : { ...effect, attributes: { ...effect.attributes, untold: [...names] } }
}

/** True where the second effect is bare, and speaks of nothing that the first does not. */
function saysMore(full: Effect, bare: Effect | undefined, tool: string): boolean {
  if (bare === undefined || full.action === null || full.action !== bare.action || full.verb !== bare.verb) return false
  if (Object.keys(bare.attributes).length > 0 || Object.keys(full.attributes).length === 0) return false
  const { value } = bare.target
  return value === full.target.value || isToolName(value, tool) || Object.values(full.attributes).includes(value)
}

function isToolName(value: string, tool: string): boolean {
  return value === tool || value.endsWith(`/${tool}`) || value.endsWith(`__${tool}`)
}

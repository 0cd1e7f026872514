/** Host names as the addresses they have: a public name that leads to a private address is a private address (T10). */
import type { Effect, Scope } from '../../effect.ts'
import type { View } from '../../view.ts'
import { addressScope } from './address.ts'
import { worse } from './describe.ts'

/** Names that are looked up for one call. */
const MAX_NAMES = 16

/** Effects whose host is worth a lookup: a public name, not yet an address. */
function isName({ target }: Effect): boolean {
  if (target.real === null || target.scope !== 'public' || (target.kind !== 'url' && target.kind !== 'host')) return false
  return addressScope(target.real) === null
}

/** The public host names among the targets, at most sixteen. */
export function hostNames(effects: readonly Effect[]): readonly string[] {
  return [...new Set(effects.filter(isName).map((effect) => effect.target.real ?? ''))].slice(0, MAX_NAMES)
}

/**
 * The effect with the scope of its host's worst address, and the addresses themselves, which whoever connects for the agent is
 * bound to (`attributes.addresses`). Unchanged where the name was not looked up; where it has no address, none are listed and
 * its scope is not known.
 */
export function resolvedHost(effect: Effect, view: View): Effect {
  if (view.hosts === undefined || !isName(effect)) return effect
  const addresses = view.hosts(effect.target.real ?? '')
  if (addresses === null) return effect
  const scopes = addresses.map((address): Scope => addressScope(address) ?? 'unknown')
  const scope = scopes.length === 0 ? 'unknown' : scopes.reduce(worse)
  return { ...effect, target: { ...effect.target, scope }, attributes: { ...effect.attributes, addresses: [...addresses] } }
}

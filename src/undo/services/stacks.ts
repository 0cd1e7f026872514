/** Which acts are about a state that the client of a call can be asked for. Pure. */
import type { Effect } from '../../core/effect.ts'

export const stackClient = ({ attributes }: Effect): 'terraform' | 'tofu' | null =>
  attributes.client === 'terraform' || attributes.client === 'tofu' ? attributes.client : null

/** True of acts on this machine by a client that answers what the state is. */
export function isKnownStack(effect: Effect, action: 'tf:apply' | 'tf:state'): boolean {
  return effect.action === action && effect.target.scope !== 'elsewhere' && stackClient(effect) !== null
}

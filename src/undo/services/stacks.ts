/** Which acts are about a state that the client of a call can be asked for. Pure. */
import type { Effect } from '../../core/effect.ts'

export type StackClient = 'terraform' | 'tofu' | 'terragrunt'

export function stackClient({ attributes }: Effect): StackClient | null {
  const { client } = attributes
  return client === 'terraform' || client === 'tofu' || client === 'terragrunt' ? client : null
}

/** True of acts on this machine by a client that answers what the state is. */
export function isKnownStack(effect: Effect, action: 'tf:apply' | 'tf:destroy' | 'tf:state'): boolean {
  return effect.action === action && effect.target.scope !== 'elsewhere' && stackClient(effect) !== null
}

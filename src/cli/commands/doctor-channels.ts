/** What the doctor says of approval channels: whether their secrets can be read, and whether anybody carries their messages. */
import { secretFaults } from '../../approvals/channels/secrets.ts'
import type { Check } from '../../hosts/adapter.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'

export interface ChannelSurroundings {
  /** A daemon runs: it carries messages and takes replies. */
  readonly carried: boolean
  readonly env: (name: string) => string | undefined
}

/** Without its secret a channel tells nobody; a daemon may have variables that this terminal has not. */
export function channelCheck(channel: ChannelPolicy, { carried, env }: ChannelSurroundings): Check {
  const faults = secretFaults(channel, { env })
  const name = `channel ${channel.name}`
  if (faults.length > 0) return { name, state: 'warn', detail: `${faults.join('; ')}, so far as can be seen from here` }
  const answering = channel.approvers.size === 0 ? 'is told' : `is told, and ${channel.approvers.size} may answer from there`
  if (carried) return { name, state: 'ok', detail: `${channel.kind}, ${answering}; the daemon carries messages` }
  const wayOut = 'start `countersign serve`, or run `countersign channels deliver` again and again'
  const detail = `${channel.kind}: nobody carries its messages and takes its answers, because no daemon runs; ${wayOut}`
  return { name, state: 'warn', detail }
}

import type { HostAdapter } from '../../hosts/adapter.ts'
import { HOSTS } from '../../hosts/all.ts'
import { hostNamed } from '../../hosts/index.ts'
import { UsageError } from '../terminal.ts'

/** The row of the named agent, or an error that lists them all. */
export function agentNamed(name: string): HostAdapter {
  const host = hostNamed(name)
  if (host === undefined) throw new UsageError(`agent \`${name}\` is not known; valid: ${HOSTS.map((each) => each.name).join(', ')}`)
  return host
}

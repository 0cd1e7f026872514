/** Every agent that can be gated, one row each. */
import type { HostAdapter } from './adapter.ts'
import { claudeCode } from './claude-code/adapter.ts'

export const HOSTS: readonly HostAdapter[] = [claudeCode]

export function hostNamed(name: string): HostAdapter | undefined {
  return HOSTS.find((host) => host.name === name)
}

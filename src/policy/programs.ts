/** The programs that a policy has run, in whatever section it names them. Pure. */
import type { Policy } from './policy.ts'

/** Program and arguments of each: channels that ask people, judges, scanners. */
export function programsOf({ approvals, judges, guards }: Pick<Policy, 'approvals' | 'judges' | 'guards'>): readonly (readonly string[])[] {
  const channels = approvals.channels.flatMap((channel) => (channel.kind === 'command' ? [channel.command] : []))
  return [
    ...channels,
    ...[...judges.named.values()].map(({ command }) => command),
    ...guards.scanners.map(({ command }) => command),
  ].filter((command) => command.length > 0)
}

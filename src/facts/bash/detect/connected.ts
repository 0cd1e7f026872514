import { isShell } from '../../programs/interpreters/shells.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/** A shell whose streams lead to another machine. */
export function reportConnectedShell({ site, invocation: { name, span } }: Execution): readonly Detected[] {
  const connection = site.sockets.find(({ verb }) => verb === 'fetch' || verb === 'send')
  if (connection === undefined || !isShell(name)) return NOTHING
  const reason = `\`${name}\` is connected to another machine`
  return found(connection.target, { verb: 'execute', action: 'net:reverse-shell', span, reversible: false, reason })
}

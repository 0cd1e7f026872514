/** How a server is started or asked, without anything that is ours. */
import { redactJson } from '../../audit/redact.ts'
import { bytesDigest } from '../../open.ts'
import { identityOfCommand } from '../../proxies/mcp/name.ts'
import type { StdioServer } from '../../proxies/mcp/stdio.ts'
import type { ServerEntry } from './config.ts'

export function startOf({ command, args, env, cwd }: Extract<ServerEntry, { kind: 'command' }>): StdioServer {
  return { command, args, env: environmentOf(env), ...(cwd === null ? {} : { cwd }) }
}

export function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Nothing of ours reaches a server. */
function environmentOf(own: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_'))
  return { ...Object.fromEntries(inherited), ...own }
}

/** UTF-16 units of a command line or address that are kept as they are. */
const MAX_ORIGIN = 4_000

/**
 * Where the server is: its address, or the program that its command runs. The rest of a command line changes from project to project, and
 * may hold secrets.
 */
export function originOf(server: ServerEntry): string {
  const line =
    server.kind === 'url'
      ? `${server.url.origin}${server.url.pathname}`
      : identityOfCommand([server.command, ...server.args], server.cwd ?? process.cwd())
  const clean = String(redactJson(line).value)
  return clean.length <= MAX_ORIGIN ? clean : bytesDigest(new TextEncoder().encode(clean))
}

/**
 * One tool, one name. Hosts and people write a server's tool as `mcp__server__tool` or `server/tool`; inside there is the server and
 * the tool's own name, and nothing else. Every entry takes names apart here, and so does whoever reads a name from a policy.
 */

export interface ToolName {
  readonly server: string | null
  readonly name: string
}

const PREFIX = 'mcp__'

/**
 * The identity behind what a host sent. A server that is named apart is believed; the tool's name is then its own, without that
 * server before it. A name without a server is split where it says one: `mcp__a__b__c` is `b__c` of `a`.
 */
export function toolIdentity(server: string | null, name: string): ToolName {
  if (server !== null) return { server, name: ownName(server, name) }
  return splitToolName(name) ?? { server: null, name }
}

/** The two parts of a name that says its server; null for a bare one. */
export function splitToolName(text: string): { readonly server: string; readonly name: string } | null {
  if (text.startsWith(PREFIX)) {
    const end = text.indexOf('__', PREFIX.length)
    return end > PREFIX.length && end + 2 < text.length ? { server: text.slice(PREFIX.length, end), name: text.slice(end + 2) } : null
  }
  const slash = text.indexOf('/')
  const [server, name] = [text.slice(0, slash), text.slice(slash + 1)]
  // A second slash, or an address, is no server's name.
  return slash > 0 && name !== '' && !name.includes('/') && !/[\s:\\]/.test(server) ? { server, name } : null
}

/** As a policy keeps it: `server/tool`, or the bare name. */
export function canonicalToolName(text: string): string {
  const split = splitToolName(text)
  return split === null ? text : `${split.server}/${split.name}`
}

/** Every way to write the tool, the bare name last. */
export function spellingsOf({ server, name }: ToolName): readonly string[] {
  return server === null ? [name] : [`${server}/${name}`, `${PREFIX}${server}__${name}`, name]
}

function ownName(server: string, name: string): string {
  for (const prefix of [`${PREFIX}${server}__`, `${server}/`]) {
    if (name.startsWith(prefix) && name.length > prefix.length) return name.slice(prefix.length)
  }
  return name
}

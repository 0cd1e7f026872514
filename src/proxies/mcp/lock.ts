/** A file that holds servers to what they offered when somebody looked: kept with a project, compared, written anew once that was accepted. */
import type { ToolDefinition } from '../../core/call.ts'
import type { Digester } from '../../core/digest.ts'
import { isJsonObject, type JsonObject, own, parseJson } from '../../core/json.ts'
import { definitionToJson } from '../../core/wire.ts'
import { definitionChanges } from '../../session/pin.ts'
import { createCatalog } from './catalog.ts'

export interface Lock {
  /** By the name of the server, then of the tool. */
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, LockedTool>>
}

export interface LockedTool {
  readonly digest: string
  readonly definition: JsonObject
}

export interface Offering {
  readonly server: string
  readonly origin: string
  readonly tools: readonly JsonObject[]
}

/** What servers offer now. Of a name that two tools share, the first counts; neither runs. */
export function lockOf(offers: readonly Offering[], digester: Digester): Lock {
  const servers = offers.map(({ server, origin, tools }) => {
    const catalog = createCatalog({ server, origin })
    catalog.learn({ tools }, true)
    const names = [...new Set(tools.flatMap((tool) => own(tool, 'name') ?? []))].filter((name) => typeof name === 'string')
    return [server, new Map(names.map((name) => [name, lockedTool(catalog.definitionOf(name) ?? catalog.unlisted, digester)]))] as const
  })
  return { servers: new Map(servers) }
}

function lockedTool(definition: ToolDefinition, { definitionDigest }: Digester): LockedTool {
  return { digest: definitionDigest(definition), definition: definitionToJson(definition) }
}

export function lockText({ servers }: Lock): string {
  const byName = <T>(entries: Iterable<readonly [string, T]>): readonly (readonly [string, T])[] =>
    [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  const told = byName(servers).map(([server, tools]) => [server, Object.fromEntries(byName(tools))])
  return `${JSON.stringify({ version: 1, servers: Object.fromEntries(told) }, null, 2)}\n`
}

/** The lock in a text; null where it is none: then nothing holds. */
export function readLock(text: string): Lock | null {
  const value = parseJson(text)
  const servers = isJsonObject(value) && own(value, 'version') === 1 ? own(value, 'servers') : undefined
  if (!isJsonObject(servers)) return null
  const read = new Map<string, Map<string, LockedTool>>()
  for (const [server, tools] of Object.entries(servers)) {
    if (!isJsonObject(tools)) return null
    const found = new Map<string, LockedTool>()
    for (const [name, tool] of Object.entries(tools)) {
      const [digest, definition] = isJsonObject(tool) ? [own(tool, 'digest'), own(tool, 'definition')] : []
      if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest) || !isJsonObject(definition)) return null
      found.set(name, { digest, definition })
    }
    read.set(server, found)
  }
  return { servers: read }
}

/** What is different, one line each: `files/read_file changed (/description changed)`. */
export function lockDifferences(before: Lock, now: Lock): readonly string[] {
  const lines: string[] = []
  for (const [server, tools] of now.servers) {
    const known = before.servers.get(server) ?? new Map<string, LockedTool>()
    for (const name of new Set([...known.keys(), ...tools.keys()])) {
      const [was, is] = [known.get(name), tools.get(name)]
      if (was === undefined) lines.push(`${server}/${name} added`)
      else if (is === undefined) lines.push(`${server}/${name} removed`)
      else if (was.digest !== is.digest)
        lines.push(`${server}/${name} changed (${definitionChanges(was.definition, is.definition).join(', ')})`)
    }
  }
  return lines
}

/** The pins of the lock, by `server/name`. */
export function pinsOf({ servers }: Lock): ReadonlyMap<string, string> {
  return new Map([...servers].flatMap(([server, tools]) => [...tools].map(([name, { digest }]) => [`${server}/${name}`, digest] as const)))
}

/**
 * Servers of MCP that a host's settings name, for hosts whose events run the names of server and tool together or leave the server out.
 * A name is only taken apart where the settings of the user name one server that fits, and no other does: then the tool is that
 * server's, and rules hold under the host's own spelling as well. What a project's settings say, which an agent may write, and what
 * may be read in two ways only raises: the tool stays as the host spells it, and each reading is judged beside it.
 */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OtherName } from '../core/call.ts'
import { isJsonObject, type JsonObject, own } from '../core/json.ts'
import type { ToolName } from '../core/tool-name.ts'
import { findTool } from '../facts/tools/registry.ts'
import { readJson } from '../ingress/json.ts'
import { plainJson } from './comments.ts'
import { textOf } from './install.ts'

/** Where a host keeps the list of its servers. */
export interface ServerSettings {
  /** Files of the user, absolute. */
  readonly user: () => readonly string[]
  /** A file that a variable names: it may lie in a project, where an agent may write it. Absent: there is none. */
  readonly named?: () => readonly string[]
  /** Files of a project, from its directory or one above it. */
  readonly project: readonly string[]
  /** The fields that hold servers by their names. */
  readonly fields: readonly string[]
}

/** The tool's own name where it may be of this server; null where it is not. */
export type Fits = (server: string, entry: JsonObject) => string | null

export interface Identified {
  readonly tool: ToolName
  readonly alsoNamed?: readonly OtherName[]
}

interface Listed {
  readonly server: string
  readonly entry: JsonObject
  /** In settings of the user. */
  readonly trusted: boolean
}

/** Directories above a project that are looked into. */
const MAX_DEPTH = 64

/** Servers of one file that are looked at. */
const MAX_SERVERS = 500

/** Who the tool is, and under which other names rules hold for it. */
export function identified(said: ToolName, fits: Fits, { settings, cwd }: { settings: ServerSettings; cwd: string | null }): Identified {
  if (said.server === null && isOwnTool(said.name)) return { tool: said }
  const { servers, unread } = serversOf(settings, cwd)
  const readings = servers.flatMap(({ server, entry, trusted }) => {
    const name = fits(server, entry)
    return name === null || name === '' ? [] : [{ tool: { server, name }, trusted }]
  })
  const different = new Map(readings.map(({ tool }) => [JSON.stringify([tool.server, tool.name]), tool]))
  const [first, ...others] = different.values()
  if (first === undefined || isSame(first, said)) return { tool: said }
  if (others.length === 0 && !unread && readings.every(({ trusted }) => trusted))
    return { tool: first, alsoNamed: [{ ...said, sure: true }] }
  return { tool: said, alsoNamed: [...different.values()].map((each) => ({ ...each, sure: false })) }
}

/** `github-list_issues` of `github` where the separator is `-`; names are compared as the host writes them. */
export function joinedBy(said: string, { separator, prefix = '', written = (name) => name }: Joining): Fits {
  return (server) => {
    const before = `${prefix}${written(server)}${separator}`
    return said.startsWith(before) ? said.slice(before.length) : null
  }
}

interface Joining {
  readonly separator: string
  /** What stands before every tool of a server. */
  readonly prefix?: string
  /** How the host writes the name of a server. */
  readonly written?: (server: string) => string
}

/** A tool that a host brings along is nobody else's, whatever its servers are called. */
function isOwnTool(name: string): boolean {
  const found = findTool(null, name)
  return found?.sure === true && found.family.servers.length === 0
}

function isSame(one: ToolName, other: ToolName): boolean {
  return one.server === other.server && one.name === other.name
}

function serversOf({ user, named, project, fields }: ServerSettings, cwd: string | null): { servers: readonly Listed[]; unread: boolean } {
  const own = user()
  const found = cwd?.startsWith('/') === true ? above(cwd, project) : []
  const theirs = [...(named?.() ?? []), ...found].filter((path) => !own.includes(path))
  const lists = [
    ...own.map((path) => ({ found: listIn(path, fields), trusted: true })),
    ...theirs.map((path) => ({ found: listIn(path, fields), trusted: false })),
  ]
  return {
    servers: lists.flatMap(({ found, trusted }) => (found ?? []).map((each) => ({ ...each, trusted }))),
    // What cannot be read may name any server.
    unread: lists.some(({ found }) => found === null),
  }
}

function above(cwd: string, files: readonly string[]): readonly string[] {
  const paths: string[] = []
  let directory = cwd
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    paths.push(...files.map((file) => join(directory, file)).filter((path) => isThere(path)))
    if (dirname(directory) === directory) break
    directory = dirname(directory)
  }
  return paths
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Servers of a file, none where there is no file; null where it cannot be read. */
function listIn(path: string, fields: readonly string[]): readonly Omit<Listed, 'trusted'>[] | null {
  try {
    const text = textOf(path)
    if (text === null) return []
    // A comment is no reason for doubt: the hosts that are asked here read them.
    const read = readJson(plainJson(text, 'commas'))
    if (!read.ok || !isJsonObject(read.value)) return null
    const { value } = read
    const entries = fields.flatMap((field) => {
      const servers = own(value, field)
      return isJsonObject(servers ?? null) ? Object.entries(servers as JsonObject) : []
    })
    if (entries.length > MAX_SERVERS) return null
    return entries.map(([server, entry]) => ({ server, entry: isJsonObject(entry) ? entry : {} }))
  } catch {
    return null
  }
}

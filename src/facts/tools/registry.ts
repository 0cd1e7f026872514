/** Which table knows a tool: host families by exact name, MCP families by the server's name and the tool's. */
import { cascade, cline, codex, copilot, cursor, gemini, opencode, others } from './families/agents.ts'
import { claudeCode } from './families/claude-code.ts'
import { applescript, browser, database, fetch, filesystem, git, memory, notebooks, shell } from './families/mcp-local.ts'
import { codeEyes, containerServers, customers, hosting, observing } from './families/mcp-operations.ts'
import { READING } from './families/mcp-reading.ts'
import { calendar, email, github, gitlab, kubernetes, payment, slack } from './families/mcp-services.ts'
import { aids, aws, mongodb, redis } from './families/mcp-stores.ts'
import { documents, trackers } from './families/mcp-teams.ts'
import type { Tier, ToolFamily, ToolSpec, Use } from './spec.ts'
import { wordsOf } from './words.ts'

const HOSTS: readonly ToolFamily[] = [claudeCode, codex, gemini, copilot, opencode, cursor, cline, cascade, others]
const SERVERS: readonly ToolFamily[] = [
  ...[filesystem, git, github, gitlab, slack, fetch, shell, browser, database, email, calendar, payment, kubernetes, memory],
  ...[trackers, documents, mongodb, redis, aws, aids, applescript, notebooks],
  ...[hosting, observing, containerServers, customers, codeEyes, ...READING],
]

/** Names of all families, as a policy may list them. */
export const FAMILIES: readonly string[] = [...new Set([...HOSTS, ...SERVERS].map(({ family }) => family))]

export interface FoundTool {
  readonly family: ToolFamily
  /** Canonical name inside the family. */
  readonly name: string
  readonly spec: ToolSpec
  /** True where the family is sure: a host's own tool, or a tool of a server that goes by the family's name. */
  readonly sure: boolean
}

type Index = ReadonlyMap<string, readonly FoundTool[]>

function index(families: readonly ToolFamily[], sure: boolean): Index {
  const found = new Map<string, FoundTool[]>()
  for (const family of families) {
    for (const [name, spec] of entries(family))
      found.set(name.called, [...(found.get(name.called) ?? []), { family, name: name.canonical, spec, sure }])
  }
  return found
}

function entries(family: ToolFamily): readonly (readonly [{ readonly called: string; readonly canonical: string }, ToolSpec])[] {
  const own = Object.entries(family.tools).map(([name, spec]) => [{ called: name, canonical: name }, spec] as const)
  const others = Object.entries(family.aliases ?? {}).flatMap(([alias, name]) => {
    const spec = Object.hasOwn(family.tools, name) ? family.tools[name] : undefined
    return spec === undefined ? [] : [[{ called: alias, canonical: name }, spec] as const]
  })
  return [...own, ...others]
}

const HOST_TOOLS = index(HOSTS, true)
const SERVER_TOOLS = index(SERVERS, false)

/** The server and bare name behind `mcp__server__tool` and `mcp_server_tool`; as given where the name has no such form. */
export function splitName(server: string | null, name: string): { readonly server: string | null; readonly name: string } {
  if (server !== null) return { server, name: ownName(server, name) }
  if (name.startsWith('mcp__')) {
    const at = name.indexOf('__', 5)
    if (at > 5 && at + 2 < name.length) return { server: name.slice(5, at), name: name.slice(at + 2) }
  } else if (name.startsWith('mcp_')) {
    const at = name.indexOf('_', 4)
    if (at > 4 && at + 1 < name.length) return { server: name.slice(4, at), name: name.slice(at + 1) }
  }
  return { server: null, name }
}

function ownName(server: string, name: string): string {
  const prefix = `mcp__${server}__`
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name
}

/** The table entry of a tool, or null. Without a server, host families come first; MCP tables then only guess. */
export function findTool(server: string | null, name: string): FoundTool | null {
  const split = splitName(server, name)
  const candidates = SERVER_TOOLS.get(split.name) ?? []
  const guess = candidates.find(({ family }) => family.exact !== true) ?? null
  if (split.server === null) return HOST_TOOLS.get(name)?.[0] ?? guess
  const words = wordsOf(split.server)
  const named = candidates.find(({ family }) => family.servers.some((known) => covers(words, wordsOf(known))))
  return named === undefined ? guess : { ...named, sure: true }
}

function covers(words: readonly string[], known: readonly string[]): boolean {
  return known.every((word) => words.includes(word))
}

/** What the registry needs of a tool that a family knows for sure; null for all others. */
export interface KnownTool {
  readonly family: string
  readonly name: string
  readonly riskTier: Tier
  readonly irreversible: boolean
}

/**
 * The family tool behind a call's names. `among` prefers families that a policy lists, as some names belong to several
 * hosts (`read_file`).
 */
export function familyTool(server: string | null, name: string, among?: ReadonlySet<string>): KnownTool | null {
  const split = splitName(server, name)
  const candidates = split.server === null ? (HOST_TOOLS.get(name) ?? []) : []
  const found = candidates.find(({ family }) => among?.has(family.family) === true) ?? findTool(server, name)
  if (found === null || !found.sure) return null
  return { family: found.family.family, name: found.name, riskTier: found.spec.tier, irreversible: found.spec.irreversible ?? false }
}

/** The tools of one family, by every name that it gives them. */
export interface FamilyNames {
  readonly family: string
  readonly names: readonly string[]
}

/** What hosts call their tools, or, of a server, what the families call theirs that such a server goes by. */
export function familyNames(server: string | null): readonly FamilyNames[] {
  const words = wordsOf(server ?? '')
  const families = server === null ? HOSTS : SERVERS.filter(({ servers }) => servers.some((known) => covers(words, wordsOf(known))))
  return families.map(({ family, tools, aliases }) => ({ family, names: [...Object.keys(tools), ...Object.keys(aliases ?? {})] }))
}

const RUNS: ReadonlySet<Use> = new Set(['shell', 'powershell', 'python', 'javascript', 'applescript', 'execute'])

/** Whether a host's tool, or one of a server that goes by a family's name, runs commands; null where that is not known. */
export function runsCommands(tool: string): boolean | null {
  const slash = tool.indexOf('/')
  const [server, name] = slash === -1 ? [null, tool] : [tool.slice(0, slash), tool.slice(slash + 1)]
  const found = server === null ? null : findTool(server, name)
  const candidates = server === null ? (HOST_TOOLS.get(name) ?? []) : found?.sure === true ? [found] : []
  if (candidates.some(({ spec }) => [...Object.values(spec.args ?? {}), ...Object.values(spec.on ?? {})].some((use) => RUNS.has(use))))
    return true
  return candidates.length === 0 || candidates.some(({ spec }) => spec.refine !== undefined && spec.onlyFiles !== true) ? null : false
}

/** Which table knows a tool: host families by exact name, MCP families by the server's name and the tool's. */
import { once } from '../../core/once.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import { cascade, cline, codex, copilot, cursor, gemini, opencode, others } from './families/agents.ts'
import { claudeCode } from './families/claude-code.ts'
import { git } from './families/mcp-git.ts'
import { applescript, browser, database, fetch, filesystem, memory, notebooks, shell } from './families/mcp-local.ts'
import { codeEyes, containerServers, customers, hosting, observing } from './families/mcp-operations.ts'
import { READING } from './families/mcp-reading.ts'
import { calendar, email, github, gitlab, kubernetes, payment, slack } from './families/mcp-services.ts'
import { aids, aws, mongodb, redis } from './families/mcp-stores.ts'
import { documents, trackers } from './families/mcp-teams.ts'
import { own } from './families/own.ts'
import type { Tier, ToolFamily, ToolSpec, Use } from './spec.ts'

/**
 * In the order in which they are asked. Functions, so that where modules run late (`scripts/build/linker.ts`) the table of a family is
 * made when it is needed: most calls are of one host.
 */
const HOSTS: readonly (() => ToolFamily)[] = [
  ...[
    () => claudeCode,
    () => codex,
    () => gemini,
    () => copilot,
    () => opencode,
    () => cursor,
    () => cline,
    () => cascade,
    () => own,
    () => others,
  ],
]

const servers = once((): readonly ToolFamily[] => [
  ...[filesystem, git, github, gitlab, slack, fetch, shell, browser, database, email, calendar, payment, kubernetes, memory],
  ...[trackers, documents, mongodb, redis, aws, aids, applescript, notebooks],
  ...[hosting, observing, containerServers, customers, codeEyes, ...READING],
])

/** Names of all families, as a policy may list them. */
export const families = once((): readonly string[] => [
  ...new Set([...HOSTS.map((host) => host()), ...servers()].map(({ family }) => family)),
])

export interface FoundTool {
  readonly family: ToolFamily
  /** Canonical name inside the family. */
  readonly name: string
  readonly spec: ToolSpec
  /** True where the family is sure: a host's own tool, or a tool of a server that goes by the family's name. */
  readonly sure: boolean
}

/** By its own name, else by another that the family gives it. */
function findIn(family: ToolFamily, called: string): Omit<FoundTool, 'sure'> | null {
  const { tools, aliases = {} } = family
  const own = Object.hasOwn(tools, called) ? tools[called] : undefined
  if (own !== undefined) return { family, name: called, spec: own }
  const name = Object.hasOwn(aliases, called) ? aliases[called] : undefined
  const spec = name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
  return name === undefined || spec === undefined ? null : { family, name, spec }
}

/** The first host that has such a tool, among those of the families. */
function findHosts(called: string, among?: ReadonlySet<string>): FoundTool | null {
  const known = among === undefined ? hostTools.get(called) : undefined
  if (known !== undefined) return known
  for (const host of HOSTS) {
    const found = among === undefined || among.has(host().family) ? findIn(host(), called) : null
    if (found === null) continue
    const tool: FoundTool = { ...found, sure: true }
    if (among === undefined) hostTools.set(called, tool)
    return tool
  }
  return null
}

/** Tools of hosts that were asked for: no more than their tables have. */
const hostTools = new Map<string, FoundTool>()

const serverTools = once((): ReadonlyMap<string, readonly FoundTool[]> => {
  const found = new Map<string, FoundTool[]>()
  for (const family of servers()) {
    for (const called of new Set([...Object.keys(family.tools), ...Object.keys(family.aliases ?? {})])) {
      const tool = findIn(family, called)
      const known = found.get(called)
      if (tool === null) continue
      if (known === undefined) found.set(called, [{ ...tool, sure: false }])
      else known.push({ ...tool, sure: false })
    }
  }
  return found
})

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
  const host = split.server === null ? findHosts(name) : null
  if (host !== null) return host
  const candidates = serverTools().get(split.name) ?? []
  const guess = candidates.find(({ family }) => family.exact !== true) ?? null
  if (split.server === null) return guess
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
  const listed = split.server === null && among !== undefined ? findHosts(name, among) : null
  const found = listed ?? findTool(server, name)
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
  const named = () => servers().filter((family) => family.servers.some((known) => covers(words, wordsOf(known))))
  return (server === null ? HOSTS.map((host) => host()) : named()).map(({ family, tools, aliases }) => ({
    family,
    names: [...Object.keys(tools), ...Object.keys(aliases ?? {})],
  }))
}

const RUNS: ReadonlySet<Use> = new Set(['shell', 'powershell', 'python', 'javascript', 'applescript', 'execute'])

/** Whether a host's tool, or one of a server that goes by a family's name, runs commands; null where that is not known. */
export function runsCommands(tool: string): boolean | null {
  const slash = tool.indexOf('/')
  const [server, name] = slash === -1 ? [null, tool] : [tool.slice(0, slash), tool.slice(slash + 1)]
  const found = server === null ? null : findTool(server, name)
  const inHosts = () => HOSTS.flatMap((host) => findIn(host(), name) ?? [])
  const candidates = server === null ? inHosts() : found?.sure === true ? [found] : []
  if (candidates.some(({ spec }) => [...Object.values(spec.args ?? {}), ...Object.values(spec.on ?? {})].some((use) => RUNS.has(use))))
    return true
  return candidates.length === 0 ||
    candidates.some(({ spec }) => spec.command !== undefined || (spec.refine !== undefined && spec.onlyFiles !== true))
    ? null
    : false
}

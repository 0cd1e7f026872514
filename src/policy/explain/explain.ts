/** What a policy says of one tool, for people: the registry entry, contracts, rules that can match, roles, grants, and what is left. */
import { canonicalToolName, toolIdentity } from '../../core/tool-name.ts'
import { describeContract } from '../contracts/describe.ts'
import type { CompiledRule, Policy } from '../policy.ts'
import { describeCapabilities, describeRoles } from './describe-limits.ts'

/** Names the family of a tool; null for a tool that no table knows. */
type FamilyOf = (server: string | null, name: string) => { readonly family: string } | null

/** Plain text, one fact per line. `tool` is a name, `server/name` or `mcp__server__name`. */
export function explainPolicy(policy: Policy, tool: string, familyOf: FamilyOf = () => null): string {
  const { server, name } = toolIdentity(null, tool)
  const rules = policy.rules.forTool(server, name)
  const contracts = policy.contracts.forTool(server, name)
  return [
    `tool ${canonicalToolName(tool)}`,
    `  mode: ${policy.mode}`,
    `  registry: ${registryText(policy, { server, name, familyOf })}`,
    ...(contracts.length === 0 ? [] : ['  contracts:']),
    ...contracts.flatMap(describeContract).map((line) => `    ${line}`),
    ...(rules.length === 0 ? ['  rules: none can match'] : ['  rules that can match:']),
    ...rules.map((rule) => `    ${ruleText(rule)}`),
    ...describeRoles(policy.roles, { server, name }).map((line) => `  ${line}`),
    ...describeCapabilities(policy.capabilities).map((line) => `  ${line}`),
    ...(policy.rules.order === 'first-match' ? ['  order: first-match, so a matching allow hides the denies above'] : []),
    `  read-only permit: ${policy.rules.readOnly.autoAllow ? 'on' : 'off'}`,
    `  where nothing permits: ${policy.default}`,
  ].join('\n')
}

interface Asked {
  readonly server: string | null
  readonly name: string
  readonly familyOf: FamilyOf
}

function registryText({ registry }: Policy, { server, name, familyOf }: Asked): string {
  const qualified = server === null ? undefined : registry.tools.get(`${server}/${name}`)
  const entry = qualified ?? registry.tools.get(name)
  if (entry === undefined) {
    const family = familyOf(server, name)?.family
    if (family !== undefined && registry.families.has(family)) return `registered by its family ${family}`
    return `not registered, so ${registry.unregistered}`
  }
  const from = qualified === undefined ? 'by name' : 'by server and name'
  return `registered ${from}, tier ${entry.riskTier}${entry.irreversible ? ', irreversible' : ''}`
}

function ruleText({ id, kind, filters, enforcement, reason, place }: CompiledRule): string {
  const conditions = [
    filters.tool === null ? null : `tool is ${filters.tool}`,
    filters.user === null ? null : `user is ${filters.user}`,
    filters.role === null ? null : `role is ${filters.role}`,
    filters.argumentContains === null ? null : `arguments contain ${JSON.stringify(filters.argumentContains)}`,
    filters.when === null ? null : filters.when.replace(/\s+/g, ' ').trim(),
  ].filter((part) => part !== null)
  const level = enforcement === null ? kind : `${kind} (${enforcement})`
  const why = reason === '' ? '' : `: ${reason}`
  return `${level} ${id}, line ${place.line}: ${conditions.length === 0 ? 'every call' : conditions.join(' and ')}${why}`
}

/** What a policy of a project would change once it is trusted, in words: what it permits, starts, reaches and decides. Pure. */
import type { Policy } from '../policy.ts'
import { programsOf } from '../programs.ts'

/** @param mine the policy that governs without it. */
export function trustInWords(brought: Policy, mine: Policy): readonly string[] {
  return [...permits(brought), ...starts(brought), ...decides(brought, mine)]
}

function permits({ rules, capabilities, registry, roles }: Policy): readonly string[] {
  const allows = rules.all.filter(({ kind }) => kind === 'allow')
  const { readOnly } = rules
  return [
    ...allows.map(
      ({ place, filters }) =>
        `permits (line ${place.line}): tool ${filters.tool ?? '*'}${filters.when === null ? '' : `, when ${filters.when}`}`,
    ),
    ...(readOnly.autoAllow ? ['permits calls that only read'] : []),
    ...(readOnly.prefixes.length === 0 ? [] : [`permits by name alone: ${readOnly.prefixes.join(', ')}`]),
    ...(readOnly.trustedServers.size === 0
      ? []
      : [`believes these servers that a tool only reads: ${[...readOnly.trustedServers].join(', ')}`]),
    ...(registry.tools.size === 0
      ? []
      : [`registers tools: ${[...registry.tools].map(([name, { riskTier }]) => `${name} (${riskTier})`).join(', ')}`]),
    ...(registry.families.size === 0 ? [] : [`registers families of tools: ${[...registry.families].join(', ')}`]),
    ...(capabilities.grants.length === 0 ? [] : [`hands out grants: ${capabilities.grants.map(({ action }) => action).join(', ')}`]),
    ...([...roles.values()].some(({ permit }) => permit)
      ? [`permits what is within the limits of its roles: ${[...roles.keys()].join(', ')}`]
      : []),
  ]
}

function starts(policy: Policy): readonly string[] {
  const { judges, approvals, contracts, guards, files } = policy
  const reached = [...judges.named.values()].filter(({ command }) => command.length === 0)
  return [
    ...programsOf(policy).map((command) => `runs a program: ${command.join(' ')}`),
    ...reached.map(
      ({ name, provider, url }) => `asks the judge ${name} (${provider}${url === null ? '' : ` at ${url}`}), which sees calls`,
    ),
    ...[...judges.named.values()].flatMap(({ module }) => (module === null ? [] : [`loads the package ${module.name}`])),
    ...approvals.channels.filter(({ kind }) => kind !== 'command').map(({ kind, name }) => `tells the channel ${name} (${kind}) of calls`),
    ...contracts.providers.map(({ name }) => `looks up ${name} before calls are judged`),
    ...(guards.ssrf.resolve ? ['looks up names of hosts'] : []),
    ...files.map((name) => `reads the file ${name}`),
  ]
}

function decides(brought: Policy, mine: Policy): readonly string[] {
  const differs = <T>(what: string, theirs: T, ours: T): readonly string[] =>
    theirs === ours ? [] : [`${what}: ${String(theirs)} (yours: ${String(ours)})`]
  const hazards = [...mine.hazards.packs].filter((pack) => !brought.hazards.packs.has(pack))
  return [
    ...differs('a call that nothing permits gets', brought.default, mine.default),
    ...differs('a tool that is not registered gets', brought.registry.unregistered, mine.registry.unregistered),
    ...differs('calls that name no role are judged as', brought.defaultRole ?? 'none', mine.defaultRole ?? 'none'),
    ...differs('highest tier', brought.registry.maxAllowedTier, mine.registry.maxAllowedTier),
    ...differs('critical tools', brought.registry.allowCritical, mine.registry.allowCritical),
    ...differs('people who must agree', brought.approvals.quorum, mine.approvals.quorum),
    ...differs('whoever asked may not approve', brought.approvals.excludeRequester, mine.approvals.excludeRequester),
    ...differs('minutes to approve within', brought.approvals.approveWithin / 60_000, mine.approvals.approveWithin / 60_000),
    ...[...brought.approvals.approvers].map(([role, people]) => `approvers of ${role}: ${people.join(', ')}`),
    ...differs('the agent is told', brought.disclosure.toAgent, mine.disclosure.toAgent),
    ...(brought.mode === 'shadow' && mine.mode === 'enforce' ? ['mode: shadow has no effect, as yours enforces'] : []),
    ...(hazards.length === 0 ? [] : [`packs of hazards that it leaves out still hold, as yours: ${hazards.join(', ')}`]),
  ]
}

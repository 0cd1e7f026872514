/**
 * Signet's ToolCallInspectorCheck: is the tool registered, is its tier within the ceilings, must somebody agree because it
 * cannot be undone. Looks at the tool and the principal, never at the arguments; effects are for other layers.
 */
import type { ToolCall } from '../../core/call.ts'
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import { type RegistrySection, RISK_TIERS, type RiskTier } from '../../policy/policy.ts'
import { named } from '../../policy/registered.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

/** A tool as the table of its family knows it; what the table does not say is low, reversible and without a dry run. */
export interface FamilyTool {
  readonly family: string
  readonly riskTier?: RiskTier
  readonly irreversible?: boolean
  readonly dryrunSupported?: boolean
}

export type FamilyLookup = (server: string | null, name: string) => FamilyTool | null

type Registered = Required<Omit<FamilyTool, 'family'>> & { readonly family: string | null }

/** The layer over the tables of tool families. */
export function createRegistry(familyTool: FamilyLookup): Layer {
  return {
    name: 'registry',
    onError: 'deny',
    evaluate: ({ call, policy }) => {
      const { allowlist } = policy.guards
      if (allowlist !== null && !named(call, (name) => allowlist.includes(name))) return [unlisted(call)]
      const tool = registered(call, { registry: policy.registry, familyTool })
      return tool === null ? unregistered(call, policy.registry) : [inspect(call, tool, policy.registry)]
    },
  }
}

function registered(call: ToolCall, from: { registry: RegistrySection; familyTool: FamilyLookup }): Registered | null {
  const own = named(call, (name) => from.registry.tools.get(name))
  if (own !== null) {
    // Written out: spreading is slow, and this is done for each call.
    const { riskTier, irreversible, dryrunSupported } = own
    return { family: null, riskTier, irreversible, dryrunSupported }
  }
  const known = from.familyTool(call.tool.server, call.tool.name)
  if (known === null || !from.registry.families.has(known.family)) return null
  const { family, riskTier = 'low', irreversible = false, dryrunSupported = false } = known
  return { family, riskTier, irreversible, dryrunSupported }
}

function unregistered({ tool: { server, name } }: ToolCall, { unregistered: answer }: RegistrySection): readonly Finding[] {
  const evidence: JsonObject = { tool: name, server, hint: 'register it under `tools`, or its family under `tool_families`' }
  const base = { layer: 'registry', rule: 'unregistered', evidence }
  if (answer === 'abstain') return []
  if (answer !== 'allow') {
    return [finding({ ...base, verdict: answer, code: 'registry.unregistered', message: `tool \`${name}\` not in registry` })]
  }
  const message = `unregistered tool \`${name}\` allowed by the policy`
  // A permit, and visibly so (D3).
  return (['allow', 'flag'] as const).map((verdict) => finding({ ...base, verdict, code: 'registry.unregistered_allowed', message }))
}

function unlisted({ tool: { server, name } }: ToolCall): Finding {
  const message = `tool \`${name}\` is not on the allowlist`
  return finding({
    layer: 'registry',
    rule: 'allowlist',
    verdict: 'deny',
    code: 'registry.unregistered',
    message,
    evidence: { tool: name, server },
  })
}

const rank = (tier: RiskTier): number => RISK_TIERS.indexOf(tier)

/** As the seed writes them. */
const UPPER = { low: 'LOW', medium: 'MEDIUM', high: 'HIGH', critical: 'CRITICAL' } as const satisfies Record<RiskTier, string>

/** The decision order of the seed, exactly: critical, ceiling, irreversible, cleared. */
function inspect(call: ToolCall, tool: Registered, limits: RegistrySection): Finding {
  const { name } = call.tool
  const tier = tool.riskTier
  const upper = UPPER[tier]
  const layer = 'registry'
  const evidence = { tool: name, tier: upper }
  if (tier === 'critical' && !limits.allowCritical) {
    const message = `tool \`${name}\` is CRITICAL tier and allow_critical=false`
    return finding({ layer, rule: name, verdict: 'deny', code: 'registry.critical', message, evidence })
  }
  if (rank(tier) > rank(limits.maxAllowedTier)) {
    const message = `tool \`${name}\` tier ${upper} exceeds max ${UPPER[limits.maxAllowedTier]}`
    return finding({ layer, rule: name, verdict: 'deny', code: 'registry.tier_exceeded', message, evidence })
  }
  if (tool.irreversible && rank(tier) >= rank(limits.escalationThreshold)) return escalation(call, tool, limits)
  const message = `tool \`${name}\` cleared (tier=${upper})`
  return finding({ layer, rule: name, verdict: 'allow', code: 'registry.permitted', message, evidence })
}

/** Only a human answers this ask: what cannot be undone is not for a judge or a standing grant. */
function escalation({ tool: { name }, principal }: ToolCall, tool: Registered, limits: RegistrySection): Finding {
  const tier = tool.riskTier.toUpperCase()
  const evidence: JsonObject = {
    tool: name,
    tool_name: name,
    tier,
    risk_tier: tier,
    irreversible: tool.irreversible,
    dryrun_supported: tool.dryrunSupported,
    requires_approval_from: [...principal.chain],
    current_approver: principal.chain[0] ?? null,
  }
  const message = `tool \`${name}\` is irreversible and tier ${tier} >= escalate-at ${limits.escalationThreshold.toUpperCase()}`
  return finding({ layer: 'registry', rule: name, verdict: 'ask', code: 'registry.irreversible', message, evidence, resolvers: ['human'] })
}

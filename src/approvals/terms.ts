/** The terms of one approval: what the policy says of approvers, applied to who asks and who stands behind them. */
import type { Principal } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import type { ApprovalsSection } from '../policy/policy.ts'
import type { Terms } from './machine.ts'

/** `alice` and `human:alice` are one person. */
export function person(name: string): string {
  return name.includes(':') ? name : `human:${name}`
}

/** Canonical text of who asks, for the binding. */
export function principalText({ agent, role, user, tenant, chain }: Principal): string {
  return canonicalJson([agent, role, user, tenant, chain])
}

/**
 * The terms under which these asks can be answered. The agent is the requester where there is one, else the user is; with
 * `four_eyes` the user behind an agent may not approve either, and a user who is not known makes approval impossible.
 */
export function termsOf(section: ApprovalsSection, principal: Principal, asks: readonly Finding[]): Terms {
  const roles = section.approvers.get(principal.role ?? '') ?? section.approvers.get('*') ?? null
  const unknown = section.fourEyes && principal.user === null
  return {
    quorum: section.quorum,
    excluded: excluded(section, principal),
    approvers: unknown ? [] : roles,
    chain: [...new Set(asks.flatMap(demanded))],
    breakGlass: section.breakGlass,
    approveWithin: section.approveWithin,
    useWithin: section.useWithin,
    delegates: section.delegates,
    session: section.scopes.session,
  }
}

function excluded({ excludeRequester, fourEyes }: ApprovalsSection, { agent, user }: Principal): readonly string[] {
  const asking = agent !== null ? [`agent:${agent}`] : user !== null ? [person(user)] : []
  const behind = fourEyes && user !== null ? [person(user)] : []
  return [...new Set([...(excludeRequester ? asking : []), ...behind])]
}

/** Signet's `requires_approval_from`, nearest first. */
function demanded({ evidence }: Finding): readonly string[] {
  const from: Json = evidence.requires_approval_from ?? null
  return Array.isArray(from) ? from.filter((name): name is string => typeof name === 'string').map(person) : []
}

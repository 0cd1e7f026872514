/** An approval as JSON: in full for the operator, coarse for the agent, who learns only how to go on (D13). Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { groupOf } from './groups.ts'
import { approvals as countOf, currentApprover, type Status } from './machine.ts'
import type { StoredApproval } from './store.ts'

/** Everything a person needs to answer, with every clock as an instant. `principal` is null where it cannot be told. */
export function approvalView(approval: StoredApproval): JsonObject {
  const { id, status, version, createdAt, approveBy, useBy, session, tenant, binding, sheet, terms, answers } = approval
  return {
    id,
    status,
    version,
    created_at: instant(createdAt),
    approve_by: instant(approveBy),
    use_by: useBy === null ? null : instant(useBy),
    session: session === '' ? null : session,
    tenant: tenant === '' ? null : tenant,
    principal: principalOf(binding.principal),
    tool: sheet.tool ?? null,
    server: isJsonObject(sheet.call) ? (own(sheet.call, 'server') ?? null) : null,
    call_digest: sheet.digest ?? null,
    policy_digest: binding.policy,
    code: sheet.code ?? null,
    reason: sheet.reason ?? null,
    sheet,
    terms: {
      quorum: terms.quorum,
      excluded: terms.excluded,
      approvers: terms.approvers,
      chain: terms.chain,
      break_glass: terms.breakGlass,
    },
    current_approver: currentApprover(approval),
    yes: countOf(approval),
    answers: answers.map(({ by, verdict, reason, at, breakGlass }) => ({ by, verdict, reason, at: instant(at), break_glass: breakGlass })),
    group: groupOf(sheet),
    proposals: [],
    decision_id: null,
  }
}

const MESSAGES: Readonly<Record<Status, string>> = {
  pending: 'Nobody has answered yet. Wait, or go on without this call.',
  approved: 'A person agreed. Send exactly the same call again; it runs once.',
  denied: 'A person said no to this call. Do not try it in another form; go on without it.',
  expired: 'The time for this approval is over. Send the call again to ask anew.',
  cancelled: 'This approval was withdrawn. Send the call again to ask anew.',
  consumed: 'This approval was used.',
}

/** What the agent may know of its own ask: no name, no reason, no rule. */
export function approvalStatus({ id, status, approveBy, useBy }: StoredApproval): JsonObject {
  return { id, status, expires_at: instant(useBy ?? approveBy), message: MESSAGES[status] }
}

/** A time of an approval, ISO 8601 in UTC. */
export function instant(time: number): string {
  return new Date(time).toISOString()
}

/** What `principalText` wrote. */
function principalOf(text: string): Json {
  const value = JSON.parse(text) as Json
  if (!Array.isArray(value)) return null
  const [agent = null, role = null, user = null, tenant = null, chain = []] = value as readonly Json[]
  return { agent, role, user, tenant, chain }
}

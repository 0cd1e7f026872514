/** An approval as JSON: in full for the operator, coarse for the agent, who learns only how to go on (D13). Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { alikeOf } from '../facts/tools/roles/alike.ts'
import { isFast } from './answer.ts'
import { principalIn } from './edit.ts'
import { groupOf } from './groups.ts'
import { type Answered, approvals as countOf, currentApprover, type Status } from './machine.ts'
import { proposalToJson } from './scope.ts'
import { isBeingMade, isReportDue, type StoredApproval } from './store.ts'

/** Everything a person needs to answer, with every clock as an instant. `principal` is null where it cannot be told. */
export function approvalView(approval: StoredApproval): JsonObject {
  const { id, status, version, createdAt, approveBy, useBy, session, tenant, binding, sheet, terms, scope, uses } = approval
  return {
    id,
    status,
    version,
    created_at: instant(createdAt),
    approve_by: instant(approveBy),
    use_by: useBy === null ? null : instant(useBy),
    session: session === '' ? null : session,
    tenant: tenant === '' ? null : tenant,
    principal: { ...principalIn(binding.principal) },
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
      delegates: terms.delegates.map(({ from, to, until }) => ({ from, to, until: until === null ? null : instant(until) })),
    },
    current_approver: currentApprover(approval),
    yes: countOf(approval),
    answers: approval.answers.map((answer) => answerToJson(approval, answer)),
    scope: nameOf(scope),
    uses,
    edit: editToJson(approval),
    group: groupOf(sheet),
    alike: alikeOf(sheet),
    proposals: approval.proposals.map(proposalToJson),
    withheld: approval.withheld.map(({ action, target, why }) => ({ action, target, why })),
    decision_id: approval.decision,
    applied: appliedToJson(approval),
  }
}

/** What became of the changes of the preview; null: nobody had them made. */
function appliedToJson({ applied }: StoredApproval): Json {
  if (applied === null) return null
  const { by, at, record, problem } = applied
  return { by, at: instant(at), record, problem }
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
export function approvalStatus(approval: StoredApproval): JsonObject {
  const { id, status, approveBy, useBy, edit } = approval
  const changed = edit !== null && status === 'approved'
  const message = isBeingMade(approval) ? BEING_MADE : isReportDue(approval) ? APPLIED : changed ? CHANGED : MESSAGES[status]
  return { id, status, expires_at: instant(useBy ?? approveBy), message }
}

const BEING_MADE =
  'A person agreed to its changes instead of letting this call run, and they are being made. Wait a moment, then send it again as it was.'

const APPLIED = 'A person had the changes of this call made instead of letting it run. Send it again as it was, and you are told which.'

const CHANGED = 'A person agreed to this call with other arguments. Send it again as it was, and you are told which.'

function answerToJson(approval: StoredApproval, answer: Answered): JsonObject {
  const { by, verdict, reason, at, breakGlass, seat, scope } = answer
  const told = { by, verdict, reason, at: instant(at), break_glass: breakGlass, in_the_stead_of: seat }
  return { ...told, scope: nameOf(scope), fast: isFast(approval, answer) }
}

/** What was changed, and what the call was before; `sheet` tells of it as it would run. */
function editToJson({ edit, sheet }: StoredApproval): Json {
  if (edit === null) return null
  const { by, at, args, before } = edit
  return { by, at: instant(at), arguments: args, before, decision: sheet.decision ?? null }
}

/** `once`, `session`, `apply` or `grant`. */
export function nameOf(scope: string): string {
  return scope.startsWith('grant:') ? 'grant' : scope
}

/** A time of an approval, ISO 8601 in UTC. */
export function instant(time: number): string {
  return new Date(time).toISOString()
}

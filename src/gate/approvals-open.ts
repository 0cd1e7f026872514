/** What a decision does to approvals, in the transaction of its record: opens one, uses one, or says which call people made of it. */

import { asksOf, bindingOf, keysOf, type Marking, memoryOf, type Subject } from '../approvals/binding.ts'
import { enqueue } from '../approvals/channels/outbox.ts'
import { type Approval, advance, isOpen, mismatch, openApproval } from '../approvals/machine.ts'
import { applyProposal, type Proposed, proposalsFor } from '../approvals/proposals.ts'
import type { Showing } from '../approvals/sheet.ts'
import { changeApproval, insertApproval, type Keyed, openFor, readApproval, type StoredApproval, waiting } from '../approvals/store.ts'
import { termsOf } from '../approvals/terms.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { Digester } from '../core/digest.ts'
import type { JsonObject } from '../core/json.ts'
import type { Preview } from '../core/preview.ts'
import { actsOf } from '../grants/acts.ts'
import type { GrantBinding } from '../grants/grant.ts'
import type { CounterKey, Transaction } from '../store/store.ts'
import { waysOf } from '../undo/catalogue.ts'
import { Spent } from './commit.ts'
import { agentText, joined } from './disclosure.ts'

/** What opening needs of the machine it runs on. */
export interface OpeningTools {
  readonly digest: Digester['digest']
  /** SHA-256 of a text, 64 hexadecimal digits. */
  readonly sha256: (text: string) => string
  /** Random hexadecimal digits of so many bytes. */
  readonly random: (bytes: number) => string
  /** What a person reads before they answer; redacted. */
  readonly sheet: (decision: Decision, call: ToolCall, showing: Showing) => JsonObject
}

export interface Work {
  readonly tx: Transaction
  readonly subject: Subject
  /** What the subject's digest is of. */
  readonly preview: Preview | null
  readonly tools: OpeningTools
  readonly keys: Keyed
}

/** Verified and used in the transaction of the record: of any number of calls, one. */
export function useApproval(id: string, work: Work): void {
  const { tx, subject, keys } = work
  const found = readApproval(tx, id, keys.ring)
  if (found === null) throw new Spent('approvals', 'approval.unknown', `approval ${id} is not there any more`)
  const { approval, refused } = advance(found, { kind: 'use', at: subject.now, binding: bindingOf(subject, markingOf(work), found) })
  if (refused !== null) throw new Spent('approvals', refused.code, `approval ${id}: ${refused.message}`)
  if (!changeApproval(tx, { ...found, ...approval }, keys.current))
    throw new Spent('approvals', 'approval.consumed', `approval ${id}: another call was faster`)
}

/** The agent was told of the changed call: from now on that one is known, too, and still runs once. */
export function rememberChanged(id: string, changedDigest: string, { tx, keys }: Work): void {
  const found = readApproval(tx, id, keys.ring)
  if (found === null || found.edit === null) throw new Spent('approvals', 'approval.unknown', `approval ${id} is not there any more`)
  const [key = null] = keysOf(changedDigest, keys)
  if (found.edit.key === null) changeApproval(tx, { ...found, edit: { ...found.edit, key } }, keys.current)
}

/** The agent hears once that the changes were made; the next call like it is a new one. */
export function rememberReported(id: string, { tx, keys }: Work): void {
  const found = readApproval(tx, id, keys.ring)
  if (found?.applied != null) changeApproval(tx, { ...found, applied: { ...found.applied, told: true } }, keys.current)
}

/** Identical asks are one approval; what is out of date makes room for a new one. */
export function openOne(decision: Decision, work: Work): Decision {
  const { tx, subject, tools, keys } = work
  const known = openFor(tx, subject.callDigest, keys.ring)
  if (known !== null) {
    const { approval } = advance(known, { kind: 'look', at: subject.now })
    const same = isTheSame(known, approval, work)
    if (isOpen(approval) && same) return told(decision, known, null)
    const ended = isOpen(approval) ? advance(known, { kind: 'cancel', at: subject.now }).approval : approval
    changeApproval(tx, { ...known, ...ended }, keys.current)
  }
  const secret = tools.random(24)
  const fresh = drafted(decision, work, secret)
  checkRoom(fresh, work)
  insertApproval(tx, fresh, keys.current)
  enqueue(tx, fresh, subject.policy.approvals.channels)
  return told(decision, fresh, `${fresh.id}.${secret}`)
}

function drafted(decision: Decision, work: Work, secret: string): StoredApproval {
  const { tx, subject, preview, tools } = work
  const { call, policy, now } = subject
  const binding = bindingOf(subject, markingOf(work), null)
  const { offers, withheld } = proposed(subject, binding.standing)
  const kept = preview?.kept ?? null
  return {
    ...openApproval(`apr_${tools.random(10)}`, binding, { terms: termsOf(policy.approvals, call.principal, asksOf(subject)), at: now }),
    version: 0,
    token: tools.sha256(secret),
    session: call.session ?? '',
    tenant: call.principal.tenant ?? '',
    sheet: tools.sheet(decision, call, { at: now, preview, keeps: waysOf(subject.policy) }),
    memory: memoryOf(subject, markingOf(work)),
    proposals: [...offers, ...applyProposal(kept)],
    withheld,
    edit: null,
    decision: tx.recordId(now),
    kept,
    applied: null,
  }
}

function proposed(subject: Subject, standing: string | null): Proposed {
  const { call, facts, policy, now } = subject
  const { session, grant } = policy.approvals.scopes
  const reach = { session: standing === null ? null : session, grant }
  return proposalsFor({ acts: actsOf(facts, call.args), asks: asksOf(subject), ...reach, binding: boundTo(call), now })
}

/** A grant is for who asks, in whatever session; without a name only for the session; without either for nobody. */
function boundTo({ principal: { agent, role, user, tenant }, session }: ToolCall): GrantBinding | null {
  const named = agent !== null || user !== null
  return named || session !== null ? { agent, role, user, tenant, session: named ? null : session } : null
}

/** People who are flooded say yes to everything (T23): so many at once, and so many in a time. */
function checkRoom({ session, tenant, createdAt: now }: StoredApproval, { tx, subject: { policy } }: Work): void {
  const { maxPending, budget } = policy.approvals
  const wait = waiting(tx, { session, tenant, now })
  if (wait.session >= maxPending.session) throw tooMany(`${wait.session} calls of the session are waiting`)
  if (wait.tenant >= maxPending.tenant) throw tooMany(`${wait.tenant} calls of the tenant are waiting`)
  const begun = Math.floor(now / budget.within) * budget.within
  const key: CounterKey = [tenant, 'approval-asked', session, String(begun)]
  if (tx.count(key, now) >= budget.session) throw tooMany(`the session asked ${budget.session} questions in its time`)
  tx.add(key, 1, { now, expiresAt: begun + budget.within })
}

function tooMany(message: string): Spent {
  return new Spent('approvals', 'approval.too_many', message)
}

function told(decision: Decision, { id, approveBy, useBy }: StoredApproval, token: string | null): Decision {
  const expiresAt = new Date(useBy ?? approveBy).toISOString()
  const next = `Approval \`${id}\` is pending until ${expiresAt}: once it is approved, send exactly the same call again`
  const { advice, more } = beside(decision)
  const agentReason = `${advice === null ? `${next}.` : joined(`${next}; the policy says`, advice)}${more}`
  return { ...decision, approval: { id, url: null, expiresAt, token }, agentReason }
}

/**
 * What is told besides that it waits: what the policy discloses, and what a rule of its own advises. A hazard advises another way, which
 * would speak against waiting.
 */
function beside({ code, agentReason, findings, determining }: Decision): { readonly advice: string | null; readonly more: string } {
  const carrying = determining.flatMap((index) => findings[index] ?? []).filter((finding) => finding.code === code)
  for (const { layer, advice } of [...carrying, { layer: 'none', advice: null }]) {
    const said = agentText(code, advice, 'ask')
    if (agentReason.startsWith(said)) return { advice: layer === 'hazard' ? null : advice, more: agentReason.slice(said.length) }
  }
  return { advice: null, more: ` ${agentReason}` }
}

function markingOf({ tools, keys }: Work): Marking {
  return { digest: tools.digest, keys }
}

/** What people changed and approved cannot be asked again as it was: whoever comes here found that it does not hold any more. */
function isTheSame(known: StoredApproval, { status }: Approval, work: Work): boolean {
  const { edit, judged, preview } = known.binding
  const asked = bindingOf({ ...work.subject, edit }, markingOf(work), known)
  if (known.edit === null) return mismatch(known, asked) === null
  return status === 'pending' && mismatch(known, { ...asked, judged, preview }) === null
}

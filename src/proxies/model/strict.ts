/** Answers as Signet gives them, for callers that know its statuses: 403 for a block, 202 for an escalation, receipts, shadow headers. */
import type { JsonObject } from '../../core/json.ts'
import type { Instead } from './exchange.ts'
import type { Outcome } from './judge.ts'
import type { Headers } from './upstream.ts'

export interface StrictOptions {
  /** False: the answer says nothing of why (SIG-36). */
  readonly verbose: boolean
  /** Where approvals are answered over HTTP, without a trailing slash; empty: only the path is told. */
  readonly base: string
}

/** Seconds after which a caller may ask again. */
const RETRY_ASK = 2
const RETRY_RATE = 10

/** What takes the place of an answer with a call that may not run; null: the answer stands. */
export function strictAnswer(outcomes: readonly Outcome[], options: StrictOptions): Instead | null {
  const blocked = outcomes.find(({ stopped }) => stopped === 'blocked')
  const outcome = blocked ?? outcomes.find(({ stopped }) => stopped === 'pending')
  if (outcome === undefined) return null
  const body = blocked === undefined ? escalated(outcome, options) : refused(outcome, options)
  const abort = { signet_abort: true, decision: blocked === undefined ? 'escalate' : 'block', ...aborted(outcome, options) }
  return {
    whole: {
      status: blocked === undefined ? 202 : isRate(outcome) ? 429 : 403,
      headers: { 'content-type': 'application/json', ...waiting(outcome, options) },
      body: JSON.stringify(body),
    },
    stream: Buffer.from(`data: ${JSON.stringify(abort)}\n\ndata: [DONE]\n\n`),
  }
}

function refused(outcome: Outcome, { verbose }: StrictOptions): JsonObject {
  const retry = isRate(outcome) ? { retry_after_seconds: RETRY_RATE } : {}
  if (!verbose) return { error: 'refused', correlation_id: outcome.decision.auditEntryId, ...retry }
  return { error: 'signet refused this request', ...why(outcome), correlation_id: outcome.decision.auditEntryId, ...retry }
}

function escalated(outcome: Outcome, { verbose }: StrictOptions): JsonObject {
  const { auditEntryId: id } = outcome.decision
  return { status: 'escalated', ...(verbose ? { ...why(outcome), audit_entry_id: id } : {}), correlation_id: id }
}

function aborted(outcome: Outcome, { verbose }: StrictOptions): JsonObject {
  return { ...(verbose ? why(outcome) : { reason: 'refused' }), correlation_id: outcome.decision.auditEntryId }
}

function why({ decision, tool }: Outcome): JsonObject {
  return { reason: decision.reason, check: checkOf({ decision }), stage: 'commitment', tool }
}

/** Signet's name for it: the layer, or the rule of it, that decided. */
function checkOf({ decision: { findings, determining, code } }: Pick<Outcome, 'decision'>): string {
  const lead = findings[determining[0] ?? -1]
  return lead === undefined ? code : `${lead.layer}.${lead.rule}`
}

function isRate({ decision: { code } }: Outcome): boolean {
  return code === 'roles.rate' || code === 'roles.concurrency'
}

function waiting(outcome: Outcome, { base }: StrictOptions): Headers {
  const { approval } = outcome.decision
  if (outcome.stopped === 'blocked') return isRate(outcome) ? { 'retry-after': String(RETRY_RATE) } : {}
  return { 'retry-after': String(RETRY_ASK), ...(approval === null ? {} : { location: `${base}/v1/approvals/${approval.id}` }) }
}

/** What shadow mode kept from happening. */
export function shadowHeaders(outcomes: readonly Outcome[], { verbose }: StrictOptions): Headers {
  const stopped = outcomes.filter(({ decision }) => decision.would !== decision.decision)
  const outcome = stopped.find(({ decision }) => decision.would !== 'ask') ?? stopped[0]
  if (outcome === undefined) return {}
  const { decision } = outcome
  return {
    'x-signet-shadow-decision': decision.would === 'ask' ? 'escalate' : 'block',
    'x-signet-shadow-stage': 'commitment',
    'x-signet-shadow-inspection-active': '1',
    ...(decision.auditEntryId === null ? {} : { 'x-signet-correlation-id': decision.auditEntryId }),
    ...(verbose ? { 'x-signet-shadow-reason': printable(decision.reason), 'x-signet-shadow-check': printable(checkOf(outcome)) } : {}),
  }
}

/** What a header can hold. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 512)
}

/**
 * What each rule is worth: how often it stopped or asked, what people then said and how long they took. A rule whose questions were
 * always answered with yes interrupts for nothing; where a narrow grant would have answered them it is proposed, never applied. Pure.
 */
import { canonicalJson } from '../../core/canonical.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Outcome } from '../../core/verdict.ts'
import { grantToJson } from '../../grants/store.ts'
import { isFast } from '../answer.ts'
import type { Status } from '../machine.ts'
import { type GrantProposal, type Proposal, widestGrant } from '../proposals.ts'
import type { StoredApproval } from '../store.ts'

/** Decisions that a rule carried, from the log. */
export interface Carried {
  /** `layer.rule` */
  readonly rule: string
  readonly decision: Outcome
  readonly calls: number
}

export interface RuleFigures {
  /** `layer.rule` */
  readonly rule: string
  /** Calls that it denied or ended by itself. */
  readonly denied: number
  /** Calls that it asked about and that an approval was opened for. */
  readonly asked: number
  readonly approved: number
  /** A person said no: it stopped rightly. */
  readonly refused: number
  /** Nobody answered in time, or the question was taken back. */
  readonly unanswered: number
  readonly waiting: number
  /** Of the approved: by break-glass. */
  readonly overrides: number
  /** Of the approved: sooner than a person can read. */
  readonly fast: number
  /** Milliseconds from question to answer; null: nobody answered. */
  readonly answer: { readonly median: number; readonly p90: number } | null
  /** Set where people always said yes: what would have answered the question without them. */
  readonly candidate: Candidate | null
}

export interface Candidate {
  /** Questions that were answered, each with yes. */
  readonly answers: number
  /** Of these, how many each grant would have answered; most first. Empty: no grant can, so the rule itself is to be looked at. */
  readonly grants: readonly { readonly answers: number; readonly action: string; readonly scope: JsonObject; readonly command: string }[]
}

/** Fewer answers say nothing of a rule. */
const ENOUGH = 3
const MAX_GRANTS = 3

/** Figures of every rule that denied or asked, the one that interrupted most first. */
export function ruleFigures(carried: readonly Carried[], approvals: readonly StoredApproval[]): readonly RuleFigures[] {
  const byRule = new Map<string, { denied: number; approvals: StoredApproval[] }>()
  const of = (rule: string) => {
    const known = byRule.get(rule) ?? { denied: 0, approvals: [] }
    byRule.set(rule, known)
    return known
  }
  for (const { rule, decision, calls } of carried) if (decision === 'deny' || decision === 'halt') of(rule).denied += calls
  for (const approval of approvals) for (const rule of askedBy(approval)) of(rule).approvals.push(approval)
  return [...byRule]
    .map(([rule, { denied, approvals: asked }]) => figuresOf(rule, denied, asked))
    .toSorted((a, b) => b.asked - a.asked || b.denied - a.denied || (a.rule < b.rule ? -1 : 1))
}

/** The rules whose questions an approval is about. */
function askedBy({ sheet }: StoredApproval): ReadonlySet<string> {
  const asks = Array.isArray(sheet.asks) ? (sheet.asks as readonly JsonObject[]) : []
  return new Set(asks.map(({ layer, rule }) => `${String(layer)}.${String(rule)}`))
}

const YES: ReadonlySet<Status> = new Set(['approved', 'consumed'])
const NOBODY: ReadonlySet<Status> = new Set(['expired', 'cancelled'])

function figuresOf(rule: string, denied: number, asked: readonly StoredApproval[]): RuleFigures {
  const yes = asked.filter(isApproved)
  const refused = asked.filter(({ status }) => status === 'denied')
  const unanswered = asked.filter((each) => NOBODY.has(each.status) && !isApproved(each))
  const took = [...yes, ...refused].flatMap(answerTime).toSorted((a, b) => a - b)
  return {
    rule,
    denied,
    asked: asked.length,
    approved: yes.length,
    refused: refused.length,
    unanswered: unanswered.length,
    waiting: asked.filter(({ status }) => status === 'pending').length,
    overrides: yes.filter(({ answers }) => answers.some(({ breakGlass }) => breakGlass)).length,
    fast: yes.filter((approval) => approval.answers.some((answer) => isFast(approval, answer))).length,
    answer: took.length === 0 ? null : { median: quantile(took, 0.5), p90: quantile(took, 0.9) },
    candidate: candidateOf(yes, refused.length),
  }
}

/** A yes that nobody came to use is one, too. */
function isApproved({ status, useBy }: StoredApproval): boolean {
  return YES.has(status) || (status === 'expired' && useBy !== null)
}

function answerTime({ createdAt, answers }: StoredApproval): readonly number[] {
  const last = answers.at(-1)
  return last === undefined ? [] : [Math.max(0, last.at - createdAt)]
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** INVARIANT: one no, or a yes given in the blink of an eye alone, and nothing is proposed. */
function candidateOf(yes: readonly StoredApproval[], refused: number): Candidate | null {
  const read = yes.filter((approval) => !approval.answers.every((answer) => isFast(approval, answer)))
  if (refused > 0 || read.length < ENOUGH) return null
  const grants = new Map<string, { answers: number; proposal: GrantProposal }>()
  for (const { proposals } of read) {
    for (const proposal of proposals.filter(isWritable)) {
      const key = canonicalJson([proposal.action, { ...proposal.scope }])
      const known = grants.get(key)
      grants.set(key, { answers: (known?.answers ?? 0) + 1, proposal })
    }
  }
  const shown = [...grants.values()].filter(({ answers }) => answers >= ENOUGH).toSorted((a, b) => b.answers - a.answers)
  return { answers: read.length, grants: shown.slice(0, MAX_GRANTS).map(({ answers, proposal }) => ({ answers, ...grantText(proposal) })) }
}

/** A grant that an operator writes holds no further attributes: where a yes held some, it would be wider than what people saw. */
function isWritable(proposal: Proposal): proposal is GrantProposal {
  return proposal.kind === 'grant' && Object.keys(proposal.scope.details ?? {}).length === 0
}

function grantText(proposal: GrantProposal): { readonly action: string; readonly scope: JsonObject; readonly command: string } {
  const scope = grantToJson(widestGrant(proposal)).scope as JsonObject
  const pairs = Object.entries(scope).flatMap(([key, value]) =>
    typeof value === 'object' ? [] : [`--scope ${quoted(`${key}=${String(value)}`)}`],
  )
  const command = ['countersign grants add', quoted(proposal.action), ...pairs, '--expires 30d', '--reason "…"'].join(' ')
  return { action: proposal.action, scope, command }
}

/** As one word of a shell, whatever is in it: names come from callers. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

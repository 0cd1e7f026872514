/**
 * How the gate uses approvals: says what a token or an earlier no means for a call, answers asks with a yes that binds to
 * exactly this call, and opens or uses an approval in the transaction of the decision's record (P6, P7).
 */
import { denialCounter } from '../approvals/answer.ts'
import { bindingOf, keysOf, type Marking, memoryOf, type Subject, standingDigest } from '../approvals/binding.ts'
import { advance, isOpen, mismatch, type Refusal } from '../approvals/machine.ts'
import {
  appliedFor,
  editedFor,
  isReportDue,
  type Keyed,
  openFor,
  readApproval,
  type StoredApproval,
  standingFor,
} from '../approvals/store.ts'
import type { Judgement } from '../core/decide.ts'
import type { Decision, Resolution } from '../core/decision.ts'
import { runs } from '../core/verdict.ts'
import type { Examined, ResolveContext } from '../gate.ts'
import { finding } from '../layers/finding.ts'
import type { ReadTransaction, Store } from '../store/store.ts'
import { type OpeningTools, openOne, rememberChanged, rememberReported, useApproval, type Work } from './approvals-open.ts'
import type { CommitContext, Spender } from './commit.ts'
import type { Instead } from './instead.ts'
import { madeText } from './preview/applied.ts'

export interface ApprovalSource extends OpeningTools {
  readonly store: Pick<Store, 'query'>
  /** Keys that sign approvals; read anew for each use. */
  readonly keys: () => Keyed
}

export interface ApprovalParts {
  readonly examine: (judgement: Judgement, context: ResolveContext) => Examined
  readonly spender: Spender
}

const NOTHING: Examined = { findings: [], resolver: null }

export function createApprovalParts(source: ApprovalSource): ApprovalParts {
  return {
    examine: (judgement, context) => {
      const { call, instead = null } = context
      if (call.approval === null && judgement.verdict !== 'ask' && instead === null) return NOTHING
      const keys = source.keys()
      const subject: Subject = {
        ...context,
        callDigest: instead?.originalDigest ?? context.callDigest,
        edit: instead?.edit ?? null,
        findings: judgement.findings,
        preview: context.preview?.digest ?? null,
        now: context.state.now,
      }
      const examination = { subject, judgement, source, keys }
      return source.store.query((tx) => (instead === null ? examine(tx, examination) : examineChanged(tx, instead, examination)))
    },
    spender: {
      wants: (decision, context) =>
        context.basis !== null && ((approvalIn(decision) ?? appliedIn(decision)) !== null || isForPeople(decision, context)),
      spend: (tx, decision, context) => {
        if (context.basis === null) return undefined
        const id = approvalIn(decision)
        const applied = appliedIn(decision)
        const { preview = null } = context.basis
        const work: Work = { tx, subject: subjectOf(decision, context, context.basis), preview, tools: source, keys: source.keys() }
        if (applied !== null) {
          rememberReported(applied, work)
          return undefined
        }
        if (id === null) return openOne(decision, work)
        if (runs(decision.decision)) useApproval(id, work)
        else rememberChanged(id, decision.callDigest, work)
        return undefined
      },
    },
  }
}

function subjectOf(
  decision: Decision,
  { call, at }: CommitContext,
  { facts, policy, preview = null }: NonNullable<CommitContext['basis']>,
): Subject {
  const { callDigest, findings, modified = null } = decision
  const bound = { callDigest: modified?.originalDigest ?? callDigest, edit: modified?.edit ?? null }
  return { call, facts, policy, ...bound, findings, preview: preview?.digest ?? null, now: at }
}

interface Examination {
  readonly subject: Subject
  readonly judgement: Judgement
  readonly source: ApprovalSource
  readonly keys: Keyed
}

function examine(tx: ReadTransaction, examination: Examination): Examined {
  const { subject, judgement, keys, source } = examination
  const { call } = subject
  const found = call.approval === null ? remembered(tx, examination) : byToken(tx, call.approval, { source, keys })
  if (found === null && call.approval !== null) return raised('deny', { code: 'approval.unknown', message: 'no approval has this token' })
  const applied = found === null ? appliedFor(tx, subject.callDigest, keys.ring) : isReportDue(found) ? found : null
  if (applied !== null) return madeInstead(applied)
  if (found === null) return refusedBefore(tx, examination)
  const known = keysOf(subject.callDigest, keys)
  const original = found.edit !== null && known.includes(found.binding.call)
  const binding = bindingOf(original ? { ...subject, edit: found.binding.edit } : subject, markingOf(examination), found)
  const other = mismatch(found, binding)
  // A yes for another call is none for this one. Where people would be asked anyway, they are.
  if (other?.code === 'approval.mismatch') return judgement.verdict === 'ask' ? askedAnew(tx, other, examination) : raised('deny', other)
  if (original) return changedBy(tx, found, examination)
  if (judgement.verdict !== 'ask') return NOTHING
  const { refused } = advance(found, { kind: 'use', at: subject.now, binding })
  return refused === null ? answeredBy(found) : unusable(tx, refused, examination)
}

/** People had its changes made, so it does not run: the agent hears which, and what the command said when it was tried out. */
function madeInstead({ id, sheet }: StoredApproval): Examined {
  const message = `its changes were made by a person (${id})`
  const evidence = { approval: id }
  const said = finding({ layer: 'approvals', rule: 'applied', verdict: 'deny', code: 'approval.applied', message, evidence })
  return { findings: [{ ...said, advice: madeText(sheet) }], resolver: null }
}

/** What became of a call whose answer cannot be used. */
function unusable(tx: ReadTransaction, refused: Refusal, examination: Examination): Examined {
  const named = examination.subject.call.approval !== null
  if (refused.code === 'approval.stale') return askedAnew(tx, refused, examination)
  if (refused.code === 'approval.consumed' && named) return askedAnew(tx, refused, examination)
  if (refused.code !== 'approval.pending' && named) return raised('deny', refused)
  return refusedBefore(tx, examination)
}

/** The token is worth nothing here, so the call waits under one of its own, unless people said no to it a short time ago. */
function askedAnew(tx: ReadTransaction, refusal: Refusal, examination: Examination): Examined {
  return { ...NOTHING, findings: [...raised('ask', refusal).findings, ...refusedBefore(tx, examination).findings] }
}

/** People agreed to other arguments: the call is judged with those, from the start. */
function changedBy(tx: ReadTransaction, found: StoredApproval, examination: Examination): Examined {
  const { subject, judgement } = examination
  const { approval } = advance(found, { kind: 'look', at: subject.now })
  const { edit, binding } = found
  if (approval.status === 'approved' && edit !== null && binding.edit !== null) {
    if (binding.policy !== subject.policy.digest || binding.definition !== subject.call.tool.definition) return raised('ask', STALE)
    const args = { ...subject.call.args, ...edit.args }
    return { ...NOTHING, instead: { args, approval: found.id, edit: binding.edit, originalDigest: subject.callDigest } }
  }
  if (judgement.verdict !== 'ask') return NOTHING
  const { refused } = advance(found, { kind: 'use', at: subject.now, binding })
  if (refused !== null && refused.code !== 'approval.pending' && subject.call.approval !== null) return raised('deny', refused)
  return refusedBefore(tx, examination)
}

const STALE: Refusal = { code: 'approval.stale', message: 'the policy or the tool changed since the changed call was approved' }

/** The call is as people changed it: it must be what they agreed to. */
function examineChanged(tx: ReadTransaction, { approval: id }: Instead, examination: Examination): Examined {
  const { subject, keys } = examination
  const found = readApproval(tx, id, keys.ring)
  if (found === null) return raised('deny', { code: 'approval.unknown', message: `approval ${id} is not there any more` })
  const { refused } = advance(found, { kind: 'use', at: subject.now, binding: bindingOf(subject, markingOf(examination), found) })
  if (refused === null) return answeredBy(found)
  return raised(refused.code === 'approval.stale' ? 'ask' : 'deny', refused)
}

function answeredBy(found: StoredApproval): Examined {
  return { findings: [], resolver: async (ask) => (ask.resolvers.includes('human') ? resolutionOf(found) : undefined) }
}

function raised(verdict: 'ask' | 'deny', { code, message }: Refusal): Examined {
  return { findings: [finding({ layer: 'approvals', rule: 'token', verdict, code, message, resolvers: ['human'] })], resolver: null }
}

/** Nobody is asked again what they said no to a short time ago, whatever form it comes in (PRO-26). */
function refusedBefore(tx: ReadTransaction, { subject, judgement, keys }: Examination): Examined {
  if (judgement.verdict !== 'ask') return NOTHING
  const { limit, subjects, scope } = memoryOf(subject, { keys })
  const tenant = subject.call.principal.tenant ?? ''
  const count = Math.max(0, ...subjects.map((each) => tx.count(denialCounter(tenant, scope, each), subject.now)))
  if (count < limit) return NOTHING
  return raised('deny', { code: 'approval.remembered', message: `people said no to the same effect ${count} times a short time ago` })
}

/**
 * A call that names its session may be sent again as it is: hosts cannot carry a token. Without a session it takes the token.
 * What was approved comes before what waits.
 */
function remembered(tx: ReadTransaction, { subject, keys, source }: Examination): StoredApproval | null {
  const { call, callDigest, now } = subject
  if (call.session === null) return null
  const own = openFor(tx, callDigest, keys.ring)
  if (own !== null && own.status === 'approved' && isOpen(advance(own, { kind: 'look', at: now }).approval)) return own
  const edited = editedFor(tx, keysOf(callDigest, keys), keys.ring)
  if (edited !== null) return edited
  const standing = standingDigest(subject, source.digest)
  return (standing === null ? null : standingFor(tx, standing, { ring: keys.ring, now })) ?? own
}

function byToken(tx: ReadTransaction, token: string, { source, keys }: Pick<Examination, 'source' | 'keys'>): StoredApproval | null {
  const end = token.indexOf('.')
  if (end === -1) return null
  const found = readApproval(tx, token.slice(0, end), keys.ring)
  return found !== null && found.token === source.sha256(token.slice(end + 1)) ? found : null
}

function resolutionOf({ id, answers, scope }: StoredApproval): Resolution {
  const yes = answers.filter(({ verdict }) => verdict === 'approve')
  const broken = yes.some(({ breakGlass }) => breakGlass)
  const names = yes.map(({ by, seat }) => (seat === null ? by : `${by} for ${seat}`))
  const reasons = yes.map(({ reason }) => reason).filter((reason) => reason !== '')
  const whole = scope === 'session' ? ' for the session' : ''
  return {
    by: 'human',
    id,
    verdict: broken ? 'flag' : 'allow',
    reason: `${broken ? 'glass broken' : 'approved'} by ${names.join(', ')}${whole}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`,
    evidence: { approval: id, approvers: yes.map(({ by }) => by), break_glass: broken, ...(whole === '' ? {} : { scope }) },
  }
}

/** The approval that a decision rests on: it lets the call run, or the agent is told what people made of it. */
function approvalIn({ decision, resolutions, modified = null, code }: Decision): string | null {
  if (modified !== null && (runs(decision) || code === 'approval.with_changes')) return modified.approval
  if (!runs(decision)) return null
  return resolutions.find(({ by, evidence }) => by === 'human' && typeof evidence.approval === 'string')?.id ?? null
}

/** The approval whose changes were made in the stead of the call, where the decision says so. */
function appliedIn({ code, findings }: Decision): string | null {
  const said = code === 'approval.applied' ? findings.find((each) => each.code === code)?.evidence.approval : null
  return typeof said === 'string' ? said : null
}

/** True where a yes of people would let the call run, and nobody is asked in another way. */
function isForPeople({ decision, findings }: Decision, { attended }: CommitContext): boolean {
  const asks = findings.filter(({ verdict }) => verdict === 'ask')
  return decision === 'ask' && attended !== true && asks.every(({ resolvers }) => resolvers.includes('human'))
}

function markingOf({ source, keys }: Pick<Examination, 'source' | 'keys'>): Marking {
  return { digest: source.digest, keys }
}

/**
 * How the gate uses approvals: says what a token or an earlier no means for a call, answers asks with a yes that binds to
 * exactly this call, and opens or uses an approval in the transaction of the decision's record (P6, P7).
 */
import { denialCounter } from './approvals/answer.ts'
import { enqueue } from './approvals/channels/outbox.ts'
import { advance, type Binding, isOpen, mismatch, openApproval, type Refusal } from './approvals/machine.ts'
import {
  callKey,
  changeApproval,
  insertApproval,
  type Keyed,
  openFor,
  readApproval,
  type StoredApproval,
  waiting,
} from './approvals/store.ts'
import { principalText, termsOf } from './approvals/terms.ts'
import type { ToolCall } from './core/call.ts'
import { canonicalJson } from './core/canonical.ts'
import type { Judgement } from './core/decide.ts'
import type { Decision, Resolution } from './core/decision.ts'
import type { Digester } from './core/digest.ts'
import type { Finding } from './core/finding.ts'
import type { Json, JsonObject } from './core/json.ts'
import { runs } from './core/verdict.ts'
import type { Facts } from './facts/facts.ts'
import type { Examined, ResolveContext } from './gate.ts'
import { type CommitContext, type Spender, Spent } from './gate-commit.ts'
import { finding } from './layers/finding.ts'
import type { Policy } from './policy/policy.ts'
import type { ReadTransaction, Store, Transaction } from './store/store.ts'

export interface ApprovalSource {
  readonly store: Pick<Store, 'query'>
  /** Keys that sign approvals; read anew for each use. */
  readonly keys: () => Keyed
  readonly digest: Digester['digest']
  /** SHA-256 of a text, 64 hexadecimal digits. */
  readonly sha256: (text: string) => string
  /** Random hexadecimal digits of so many bytes. */
  readonly random: (bytes: number) => string
  /** What a person reads before they answer; redacted. */
  readonly sheet: (decision: Decision, call: ToolCall, at: number) => JsonObject
}

export interface ApprovalParts {
  readonly examine: (judgement: Judgement, context: ResolveContext) => Examined
  readonly spender: Spender
}

const NOTHING: Examined = { findings: [], resolver: null }

export function createApprovalParts(source: ApprovalSource): ApprovalParts {
  return {
    examine: (judgement, context) => {
      if (context.call.approval === null && judgement.verdict !== 'ask') return NOTHING
      const keys = source.keys()
      const subject: Subject = { ...context, findings: judgement.findings, now: context.state.now }
      return source.store.query((tx) => examine(tx, { subject, judgement, source, keys }))
    },
    spender: {
      wants: (decision, context) => context.basis !== null && (usedBy(decision) !== null || isForPeople(decision, context)),
      spend: (tx, decision, context) => {
        if (context.basis === null) return undefined
        const { facts, policy } = context.basis
        const { callDigest, findings } = decision
        const subject: Subject = { call: context.call, facts, policy, callDigest, findings, now: context.at }
        const id = usedBy(decision)
        const work: Work = { tx, subject, source, keys: source.keys() }
        if (id === null) return open(decision, work)
        consume(id, work)
        return undefined
      },
    },
  }
}

/** What is judged, in the form that approvals bind to. */
interface Subject {
  readonly call: ToolCall
  readonly facts: Facts
  readonly policy: Policy
  readonly callDigest: string
  readonly findings: readonly Finding[]
  readonly now: number
}

interface Examination {
  readonly subject: Subject
  readonly judgement: Judgement
  readonly source: ApprovalSource
  readonly keys: Keyed
}

function examine(tx: ReadTransaction, { subject, judgement, source, keys }: Examination): Examined {
  const { call } = subject
  const found = call.approval === null ? remembered(tx, subject, keys) : byToken(tx, call.approval, { source, keys })
  if (found === null && call.approval !== null) return raised('deny', { code: 'approval.unknown', message: 'no approval has this token' })
  if (found === null) return refusedBefore(tx, { subject, judgement, source, keys })
  const binding = bindingOf(subject, { source, keys, like: found.binding })
  const other = mismatch(found, binding)
  if (other?.code === 'approval.mismatch') return raised('deny', other)
  if (judgement.verdict !== 'ask') return NOTHING
  const { refused } = advance(found, { kind: 'use', at: subject.now, binding })
  if (refused === null)
    return { findings: [], resolver: async (ask) => (ask.resolvers.includes('human') ? resolutionOf(found) : undefined) }
  if (refused.code === 'approval.stale') return raised('ask', refused)
  if (refused.code !== 'approval.pending' && call.approval !== null) return raised('deny', refused)
  return refusedBefore(tx, { subject, judgement, source, keys })
}

function raised(verdict: 'ask' | 'deny', { code, message }: Refusal): Examined {
  return { findings: [finding({ layer: 'approvals', rule: 'token', verdict, code, message, resolvers: ['human'] })], resolver: null }
}

/** Nobody is asked again what they said no to a short time ago, whatever form it comes in (PRO-26). */
function refusedBefore(tx: ReadTransaction, { subject, source, keys }: Examination): Examined {
  const { limit, subjects, scope } = memoryOf(subject, { source, keys })
  const tenant = subject.call.principal.tenant ?? ''
  const count = Math.max(0, ...subjects.map((each) => tx.count(denialCounter(tenant, scope, each), subject.now)))
  if (count < limit) return NOTHING
  return raised('deny', { code: 'approval.remembered', message: `people said no to the same effect ${count} times a short time ago` })
}

/** A call that names its session may be sent again as it is: hosts cannot carry a token. Without a session it takes the token. */
function remembered(tx: ReadTransaction, { call, callDigest }: Subject, keys: Keyed): StoredApproval | null {
  return call.session === null ? null : openFor(tx, callDigest, keys.ring)
}

function byToken(tx: ReadTransaction, token: string, { source, keys }: Pick<Examination, 'source' | 'keys'>): StoredApproval | null {
  const end = token.indexOf('.')
  if (end === -1) return null
  const found = readApproval(tx, token.slice(0, end), keys.ring)
  return found !== null && found.token === source.sha256(token.slice(end + 1)) ? found : null
}

function resolutionOf({ id, answers }: StoredApproval): Resolution {
  const yes = answers.filter(({ verdict }) => verdict === 'approve')
  const broken = yes.some(({ breakGlass }) => breakGlass)
  const names = yes.map(({ by }) => by)
  const reasons = yes.map(({ reason }) => reason).filter((reason) => reason !== '')
  return {
    by: 'human',
    id,
    verdict: broken ? 'flag' : 'allow',
    reason: `${broken ? 'glass broken' : 'approved'} by ${names.join(', ')}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`,
    evidence: { approval: id, approvers: names, break_glass: broken },
  }
}

/** The approval that a decision rests on. */
function usedBy({ decision, resolutions }: Decision): string | null {
  if (!runs(decision)) return null
  return resolutions.find(({ by, evidence }) => by === 'human' && typeof evidence.approval === 'string')?.id ?? null
}

/** True where a yes of people would let the call run, and nobody is asked in another way. */
function isForPeople({ decision, findings }: Decision, { attended }: CommitContext): boolean {
  const asks = findings.filter(({ verdict }) => verdict === 'ask')
  return decision === 'ask' && attended !== true && asks.every(({ resolvers }) => resolvers.includes('human'))
}

interface Work {
  readonly tx: Transaction
  readonly subject: Subject
  readonly source: ApprovalSource
  readonly keys: Keyed
}

/** Verified and used in the transaction of the record: of any number of calls, one. */
function consume(id: string, { tx, subject, source, keys }: Work): void {
  const found = readApproval(tx, id, keys.ring)
  if (found === null) throw new Spent('approvals', 'approval.unknown', `approval ${id} is not there any more`)
  const binding = bindingOf(subject, { source, keys, like: found.binding })
  const { approval, refused } = advance(found, { kind: 'use', at: subject.now, binding })
  if (refused !== null) throw new Spent('approvals', refused.code, `approval ${id}: ${refused.message}`)
  if (!changeApproval(tx, { ...found, ...approval }, keys.current))
    throw new Spent('approvals', 'approval.consumed', `approval ${id}: another call was faster`)
}

/** Identical asks are one approval; what is out of date makes room for a new one. */
function open(decision: Decision, work: Work): Decision {
  const { tx, subject, source, keys } = work
  const known = openFor(tx, subject.callDigest, keys.ring)
  if (known !== null) {
    const { approval } = advance(known, { kind: 'look', at: subject.now })
    const same = mismatch(known, bindingOf(subject, { source, keys, like: known.binding })) === null
    if (isOpen(approval) && same) return told(decision, known, null)
    const ended = isOpen(approval) ? advance(known, { kind: 'cancel', at: subject.now }).approval : approval
    changeApproval(tx, { ...known, ...ended }, keys.current)
  }
  const secret = source.random(24)
  const fresh = drafted(decision, work, secret)
  checkRoom(tx, fresh, subject.policy)
  insertApproval(tx, fresh, keys.current)
  enqueue(tx, fresh, subject.policy.approvals.channels)
  return told(decision, fresh, `${fresh.id}.${secret}`)
}

function drafted(decision: Decision, { subject, source, keys }: Work, secret: string): StoredApproval {
  const { call, policy, now } = subject
  const terms = termsOf(policy.approvals, call.principal, asksOf(subject))
  const binding = bindingOf(subject, { source, keys, like: null })
  return {
    ...openApproval(`apr_${source.random(10)}`, binding, { terms, at: now }),
    version: 0,
    token: source.sha256(secret),
    session: call.session ?? '',
    tenant: call.principal.tenant ?? '',
    sheet: source.sheet(decision, call, now),
    memory: memoryOf(subject, { source, keys }),
  }
}

/** People who are flooded say yes to everything (T23). */
function checkRoom(tx: Transaction, { session, tenant, createdAt }: StoredApproval, { approvals: { maxPending } }: Policy): void {
  const now = waiting(tx, { session, tenant, now: createdAt })
  if (now.session >= maxPending.session)
    throw new Spent('approvals', 'approval.too_many', `${now.session} calls of the session are waiting`)
  if (now.tenant >= maxPending.tenant) throw new Spent('approvals', 'approval.too_many', `${now.tenant} calls of the tenant are waiting`)
}

function told(decision: Decision, { id, approveBy, useBy }: StoredApproval, token: string | null): Decision {
  const expiresAt = new Date(useBy ?? approveBy).toISOString()
  const next = `It waits for a person as \`${id}\` until ${expiresAt}: once it is approved, send exactly the same call again.`
  return { ...decision, approval: { id, url: null, expiresAt, token }, agentReason: `${decision.agentReason} ${next}` }
}

interface Marking {
  readonly source: ApprovalSource
  readonly keys: Keyed
}

/** `like`: the binding to compare with, which may have been made under a key that is retired by now. */
function bindingOf(subject: Subject, { source, keys, like }: Marking & { readonly like: Binding | null }): Binding {
  const { call, callDigest, policy, facts } = subject
  const old = [...keys.ring.values()].map((signer) => callKey(signer, callDigest)).find((key) => key === like?.call)
  const judged = {
    asks: asksOf(subject).map(({ layer, rule, code }) => [layer, rule, code]),
    effects: facts.effects.map(({ verb, action, target }) => [verb, action, target.kind, target.value, target.real]),
    scripts: facts.scripts.map(({ path, digest }) => [path, digest]),
  }
  return {
    call: old ?? callKey(keys.current, callDigest),
    definition: call.tool.definition,
    policy: policy.digest,
    session: call.session,
    principal: principalText(call.principal),
    cwd: call.cwd,
    judged: source.digest('countersign/judged/v1', judged),
    edit: null,
    standing: null,
    preview: null,
  }
}

/** The questions themselves, not what this part says of them. */
function asksOf({ findings }: Subject): readonly Finding[] {
  return findings.filter(({ verdict, layer }) => verdict === 'ask' && layer !== 'approvals')
}

function memoryOf(subject: Subject, { keys }: Marking): StoredApproval['memory'] {
  const { call, policy } = subject
  const { limit, within, scope } = policy.approvals.denials
  const whose = scope === 'user' ? `user:${call.principal.user ?? ''}` : `session:${call.session ?? ''}`
  const subjects = new Set(asksOf(subject).map((ask) => keys.current.mac(`countersign/subject/v1\n${canonicalJson(about(ask, subject))}`)))
  return { subjects: [...subjects], limit, within, scope: whose }
}

/** What a question is about, in whatever form the call comes: the effect that it names, else all that the call would change. */
function about({ evidence }: Finding, { call, facts, callDigest }: Subject): Json {
  if (typeof evidence.verb === 'string' && typeof evidence.target === 'string')
    return ['effect', evidence.verb, evidence.action ?? null, evidence.target]
  const changes = facts.effects
    .filter(({ verb }) => verb !== 'read')
    .map(({ verb, action, target }) => canonicalJson([verb, action, target.kind, target.real ?? target.value]))
  if (changes.length === 0) return ['call', callDigest]
  return ['effects', call.tool.server, call.tool.name, [...new Set(changes)].toSorted()]
}

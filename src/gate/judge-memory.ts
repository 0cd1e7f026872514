/**
 * What the gate keeps of judges over processes: budgets, pauses of those that fail, answers for questions that come again. All of
 * it changes with the record of the decision. Without a store nothing is kept, and every question is new.
 */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Decision } from '../core/decision.ts'
import { createDigester, type Sha256 } from '../core/digest.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { Facts } from '../facts/facts.ts'
import type { ResolveContext } from '../gate.ts'
import { readJson } from '../ingress/json.ts'
import type { Answer } from '../judges/answer.ts'
import { isOutage } from '../judges/limits.ts'
import { parseAnswer } from '../judges/parse.ts'
import type { Payload } from '../judges/payload.ts'
import type { Memory } from '../judges/question.ts'
import { judgeDigest } from '../policy/judge-evidence.ts'
import type { JudgePolicy } from '../policy/judges.ts'
import type { Signer } from '../store/chain.ts'
import type { CounterKey, Store, Transaction } from '../store/store.ts'
import type { CommitContext, Spender } from './commit.ts'

export interface JudgeStore {
  readonly store: Pick<Store, 'query'>
  /** Answers are signed: what somebody wrote into the table permits nothing. */
  readonly keys: () => { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
}

export interface JudgeMemory {
  readonly spent: (context: ResolveContext) => (judge: JudgePolicy) => boolean
  readonly resting: (context: ResolveContext) => (judge: JudgePolicy) => boolean
  /** Undefined where answers are not used again. */
  readonly answers: (context: ResolveContext) => Memory | undefined
  /** Tools of the session that were denied, the last of them last; at most 16. */
  readonly denied: (call: ToolCall) => readonly string[]
  readonly spender: Spender
}

interface Pending {
  readonly key: string
  readonly text: string
  readonly ms: number
}

/** @param source null: nothing is kept. */
export function createJudgeMemory(source: JudgeStore | null, sha256: Sha256): JudgeMemory {
  // By facts, which are made once per decision; written when the decision is.
  const pending = new WeakMap<Facts, Pending[]>()
  return {
    spent:
      ({ call, state }) =>
      (judge) =>
        isSpent(judge, call, state),
    resting:
      ({ call, state }) =>
      (judge) =>
        isResting(judge, call, state),
    answers: (context) => (source === null ? undefined : answersOf(source, { context, sha256, pending })),
    denied: (call) => (source === null ? [] : deniedIn(source.store, call)),
    spender: {
      wants: (decision) => asksIn(decision).length > 0,
      spend: (tx, decision, context) => {
        for (const ask of asksIn(decision)) count(tx, ask, context)
        const { at, basis } = context
        const due = basis === null || source === null ? [] : (pending.get(basis.facts) ?? [])
        if (due.length > 0) tx.run('DELETE FROM verdicts WHERE expires_at <= ?', at)
        for (const { key, text, ms } of due) tx.run(PUT, key, source === null ? text : signed(key, text, source.keys().current), at + ms)
        return undefined
      },
    },
  }
}

type Counted = Pick<ResolveContext['state'], 'count' | 'now'>

/** True where the judge may not be asked any more. */
export function isSpent({ name, budget, maxCost }: JudgePolicy, call: ToolCall, { count: counted, now }: Counted): boolean {
  const { session, day, paid } = countersOf(name, call, now)
  const over = (most: number | null, key: CounterKey, unit = 1) => most !== null && counted(key) >= most * unit
  const dear = over(maxCost.perSession, paid.session, MICROS) || over(maxCost.perDay, paid.day, MICROS)
  return dear || over(budget.perSession, session) || over(budget.perDay, day)
}

/** True where other processes found it failing a moment ago. */
export function isResting({ name }: JudgePolicy, call: ToolCall, { count: counted, now }: Counted): boolean {
  return counted(countersOf(name, call, now).rest) > 0
}

/** Counts what was asked against the budgets, by the evidence of it. */
export function countAsked(tx: Transaction, evidence: Json, context: Pick<CommitContext, 'call' | 'at'>): void {
  for (const each of askedBy(evidence)) count(tx, each, context)
}

const PUT = `INSERT INTO verdicts (key, answer, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at`
const GET = 'SELECT answer FROM verdicts WHERE key = ? AND expires_at > ?'

interface Remembering {
  readonly context: ResolveContext
  readonly sha256: Sha256
  readonly pending: WeakMap<Facts, Pending[]>
}

/** The question is the judge as it is configured, all that it is shown, and the policy; a tenant never sees another's answers. */
function answersOf({ store, keys }: JudgeStore, { context, sha256, pending }: Remembering): Memory {
  const { call, facts, policy, state } = context
  const digester = createDigester(sha256)
  const keyOf = (judge: JudgePolicy, stance: string, payload: Payload): string => {
    const config = judgeDigest(judge, policy.judges.named, digester)
    const parts = [call.principal.tenant, config, judge.name, stance, payload.digest, policy.digest]
    return digester.digest('countersign/verdict/v1', parts)
  }
  return {
    recall: (judge, stance, payload) => {
      if (judge.cache === null) return null
      const key = keyOf(judge, stance, payload)
      const row = store.query((tx) => tx.get(GET, key, state.now))
      const text = typeof row?.answer === 'string' ? verified(key, row.answer, keys().ring) : null
      return text === null ? null : parseAnswer(text, null)
    },
    keep: (judge, stance, { answer, payload }) => {
      if (judge.cache === null) return
      const due = pending.get(facts) ?? []
      pending.set(facts, due)
      due.push({ key: keyOf(judge, stance, payload), text: JSON.stringify(written(answer)), ms: judge.cache.ms })
    },
  }
}

/** In a form that is read again as any answer is. */
function written({ gradient, risk }: Answer): JsonObject {
  const signals = gradient?.signals.map(({ category, score, message }) => ({ category, score, message })) ?? []
  return {
    ...(gradient === null ? {} : { score: gradient.score, confidence: gradient.confidence, reasoning: gradient.reasoning, signals }),
    ...(risk === null ? {} : { risk_level: risk.level, category: risk.category, reason: risk.reason }),
  }
}

function signed(key: string, text: string, signer: Signer): string {
  return JSON.stringify([signer.id, signer.mac(signedText(key, text)), text])
}

/** Null for what is not ours, whatever it looks like: then the judge is asked. */
function verified(key: string, answer: string, ring: ReadonlyMap<string, Signer>): string | null {
  const read = readJson(answer)
  if (!read.ok || !Array.isArray(read.value)) return null
  const [id, mac, text] = read.value as readonly Json[]
  if (typeof id !== 'string' || typeof mac !== 'string' || typeof text !== 'string') return null
  return ring.get(id)?.mac(signedText(key, text)) === mac ? text : null
}

function signedText(key: string, text: string): string {
  return canonicalJson(['countersign/verdict/v1', key, text])
}

const MAX_TOOLS = 16

const DENIED = `SELECT tool FROM records WHERE session = ? AND decision IN ('deny', 'halt') AND kind = 'decision' AND tenant IS ?
  ORDER BY sequence DESC LIMIT ${MAX_TOOLS}`

function deniedIn(store: Pick<Store, 'query'>, { session, principal }: ToolCall): readonly string[] {
  if (session === null) return []
  const rows = store.query((tx) => tx.all(DENIED, session, principal.tenant))
  return rows.flatMap(({ tool }) => (typeof tool === 'string' ? [tool] : [])).toReversed()
}

/** Costs are counted in millionths of the currency: counters count in whole numbers. */
const MICROS = 1_000_000
const DAY = 86_400_000
const MINUTE = 60_000

/** So many failures in a row, and a judge rests; then one call tries it. */
const FAILURES = 5
const PAUSE = 30_000

interface Counters {
  readonly session: CounterKey
  readonly day: CounterKey
  readonly failures: CounterKey
  readonly rest: CounterKey
  readonly paid: { readonly session: CounterKey; readonly day: CounterKey }
}

function countersOf(judge: string, { principal, session }: ToolCall, now: number): Counters {
  const of = (...rest: readonly string[]): CounterKey => [principal.tenant ?? '', 'judge', judge, ...rest]
  const today = String(Math.floor(now / DAY))
  return {
    session: of('session', session ?? ''),
    day: of('day', today),
    paid: { session: of('cost', 'session', session ?? ''), day: of('cost', 'day', today) },
    failures: of('failures'),
    rest: of('rest'),
  }
}

interface Asked {
  readonly judge: string
  /** Null where it says nothing about the judge: a tribunal, whose members succeed or fail, and an answer that is none. */
  readonly failed: boolean | null
  /** Millionths. */
  readonly paid: number
}

function count(tx: Transaction, { judge, failed, paid: micros }: Asked, { call, at }: Pick<CommitContext, 'call' | 'at'>): void {
  const { session, day, failures, rest, paid } = countersOf(judge, call, at)
  tx.add(session, 1, { now: at, expiresAt: at + 30 * DAY })
  tx.add(day, 1, { now: at, expiresAt: at + 2 * DAY })
  if (micros > 0) {
    tx.add(paid.session, micros, { now: at, expiresAt: at + 30 * DAY })
    tx.add(paid.day, micros, { now: at, expiresAt: at + 2 * DAY })
  }
  if (failed === null) return
  if (!failed) {
    const before = tx.count(failures, at)
    if (before > 0) tx.add(failures, -before, { now: at, expiresAt: at })
    return
  }
  const total = tx.add(failures, 1, { now: at, expiresAt: at + 10 * MINUTE })
  if (total >= FAILURES) tx.add(rest, 1, { now: at, expiresAt: at + PAUSE })
}

/** Every judge that was really asked, once per time; several asks may share one answer, and then it counts once. */
export function asksIn({ findings, resolutions }: Decision): readonly Asked[] {
  const evidence = [
    ...findings.filter(({ layer }) => layer === 'judge').map((finding) => finding.evidence),
    ...new Map(resolutions.filter(({ by }) => by === 'judge').map((each) => [each.id, each.evidence])).values(),
  ]
  return evidence.flatMap((each) => askedBy(each))
}

function askedBy(evidence: Json): readonly Asked[] {
  if (!isJsonObject(evidence)) return []
  const [asked, judge, outcome, members, cost] = ['asked', 'judge', 'outcome', 'members', 'cost'].map((key) => own(evidence, key))
  if (!Array.isArray(asked) || asked.length === 0 || typeof judge !== 'string') return []
  const below = Array.isArray(members) ? members.flatMap((member: Json) => askedBy(member)) : []
  return [{ judge, failed: failedBy(outcome), paid: typeof cost === 'number' ? Math.round(cost * MICROS) : 0 }, ...below]
}

/** An answer that the call itself may have spoilt neither rests a judge nor makes it well. */
function failedBy(outcome: Json | undefined): boolean | null {
  if (typeof outcome !== 'string') return null
  if (!outcome.includes('.')) return false
  return isOutage(outcome) ? true : null
}

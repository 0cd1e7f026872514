/**
 * Remembers calls that do more when they are repeated, from the record that let them through to the record of their result. What is not
 * known to have ended is found again by whoever comes with the same act, from whatever session and through whatever entry.
 */
import type { ToolCall } from '../../core/call.ts'
import { canonicalJson } from '../../core/canonical.ts'
import type { Decision } from '../../core/decision.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { once } from '../../core/once.ts'
import { runs } from '../../core/verdict.ts'
import { type CallOutcome, isSettled, type Outcomes } from '../../outcome/classify.ts'
import { type KeyedEffect, keyedEffects } from '../../outcome/effect-key.ts'
import type { Attempt, Attempts, Sought } from '../../session/attempts.ts'
import type { Signer } from '../../store/chain.ts'
import type { ReadTransaction, Store, Transaction } from '../../store/store.ts'
import { earliestUlid } from '../../store/ulid.ts'
import { type CommitContext, type Spender, Spent } from '../commit.ts'
import { type AttemptIndex, createAttemptIndex, keptFrom } from './attempt-index.ts'
import { fromLog, type KeptAttempt, MAX_REMEMBERED_MS } from './log.ts'

export interface OutcomeSource {
  readonly store: Pick<Store, 'query'>
  /** Read anew for each use: another process may have begun a new one. */
  readonly keys: () => { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
  readonly callDigest: (call: ToolCall) => string
}

/** What a result says of the call that it is of. */
export interface Ended extends CallOutcome {
  /** Records of the decisions that it closes; empty: repeating the call does nothing more, or nobody let it through. */
  readonly of: readonly string[]
}

export interface OutcomeParts {
  readonly of: (call: ToolCall) => Attempts
  readonly spender: Spender
  /** Belongs into the transaction of the record of the result. */
  readonly land: (tx: Transaction, result: Returned) => Ended
}

export interface Returned {
  readonly call: ToolCall
  /** What the result says. */
  readonly outcome: Outcomes
}

const COLUMNS = 'tenant, effect, record, verb, call, session, call_id, idempotency, attended, several, at, state, why'
const PUT = `INSERT OR REPLACE INTO outcomes (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const OF_CALL = `SELECT ${COLUMNS} FROM outcomes WHERE tenant = ? AND call = ? AND state IN ('open', 'unknown') ORDER BY record`
const SAME = 'SELECT 1 FROM outcomes WHERE tenant = ? AND effect = ? AND session IS ? AND call_id = ?'
const CLOSE = 'UPDATE outcomes SET state = ?, why = ? WHERE tenant = ? AND effect = ? AND record = ?'
const RETRIED = "UPDATE outcomes SET state = 'retried' WHERE record = ? AND state IN ('open', 'unknown')"
const FORGET = 'DELETE FROM outcomes WHERE record < ?'
const BUILD = 'INSERT INTO outcome_index (built) VALUES (?)'
/** What is too old is taken out once in so many milliseconds. */
const FORGET_EVERY_MS = 60_000

export function createOutcomeParts({ store, keys, callDigest }: OutcomeSource): OutcomeParts {
  const digester = () => digestsUnder(keys())
  const index = createAttemptIndex(COLUMNS)
  const forget = createForgetting()
  return {
    of: (call) => (sought) => {
      return store.query((tx) => {
        const open = reading(tx, { call, index })
        const digests = digester()
        return sought.map((each) => open(each, digests))
      })
    },
    spender: {
      wants: (decision, context) => mayRun(decision, context) && keyedIn(context).length > 0,
      spend: (tx, decision, context) => {
        if (decision.repeats === true) return undefined
        const { call, at } = context
        const digests = digester()
        const key = (domain: string, value: Json): string => digests(domain, value)[0] ?? ''
        // Whoever runs calls itself runs none twice under one id; a hook that is asked again is answered as before.
        if (ranBefore(tx, context, digests)) return { ...decision, repeats: true }
        const considered = consideredIn(decision)
        checkOthers(tx, { decision, context, considered, digests, index })
        if (!index.isBuilt(tx)) build(tx, at)
        forget(tx, at)
        for (const record of considered) tx.run(RETRIED, record)
        const rows = keyedIn(context).map(({ effect, matter, idempotency }) => ({
          effect: key('effect', matter),
          verb: effect.verb,
          idempotency: idempotency === null ? null : key('idempotency', idempotency),
        }))
        const kept: Omit<KeptAttempt, 'effect' | 'verb' | 'idempotency'> = {
          tenant: call.principal.tenant ?? '',
          record: tx.recordId(at),
          call: key('call', callDigest({ ...call, approval: null })),
          session: call.session,
          callId: call.callId,
          attended: !runs(decision.decision),
          several: (context.basis?.facts.commands.length ?? 0) > 1,
          at,
          state: 'open',
          why: null,
        }
        for (const row of rows) put(tx, { ...kept, ...row })
        const { call: named, attended, several } = kept
        return { ...decision, outcome: { effects: rows, call: named, attended, several, retries: considered } }
      },
    },
    land: (tx, { call, outcome }) => {
      const rows = closedBy(tx, call, { index, namesOf: () => digester()('call', callDigest({ ...call, approval: null })) })
      const said = rows.some(({ several }) => several) ? outcome.several : outcome.one
      for (const { tenant, effect, record, verb } of rows) {
        const state = isSettled(said, verb) ? said.state : 'unknown'
        tx.run(CLOSE, state, said.why, tenant, effect, record)
      }
      const open = rows.some(({ verb }) => !isSettled(said, verb))
      return { ...said, state: open ? 'unknown' : said.state, of: [...new Set(rows.map(({ record }) => record))] }
    },
  }
}

function createForgetting(): (tx: Transaction, at: number) => void {
  let forgotten = 0
  return (tx, at) => {
    if (Math.abs(at - forgotten) < FORGET_EVERY_MS) return
    tx.run(FORGET, earliestUlid(at - MAX_REMEMBERED_MS))
    forgotten = at
  }
}

/** Under every key there is, the current one first; one and the same thing is digested once. */
function digestsUnder({ current, ring }: ReturnType<OutcomeSource['keys']>): Digests {
  const signers = [current, ...[...ring.values()].filter(({ id }) => id !== current.id)]
  const made = new Map<string, readonly string[]>()
  return (domain, value) => {
    const text = `countersign/${domain}/v1\n${canonicalJson(value)}`
    const known = made.get(text) ?? signers.map((signer) => signer.mac(text))
    made.set(text, known)
    return known
  }
}

function ranBefore(tx: Transaction, context: CommitContext, digests: Digests): boolean {
  const { callId, session, principal } = context.call
  if (callId === null) return false
  const names = keyedIn(context).flatMap(({ matter }) => digests('effect', matter))
  return names.some((name) => tx.get(SAME, principal.tenant ?? '', name, session, callId) !== undefined)
}

/** A person at the host may let an `ask` run, and the gate is not told. */
function mayRun({ decision }: Decision, { basis, attended = false }: CommitContext): boolean {
  return basis !== null && (runs(decision) || (attended && decision === 'ask'))
}

const KEYED = new WeakMap<NonNullable<CommitContext['basis']>, readonly KeyedEffect[]>()

function keyedIn({ call, basis }: CommitContext): readonly KeyedEffect[] {
  if (basis === null) return []
  const known = KEYED.get(basis) ?? keyedEffects(call, basis.facts, basis.policy)
  KEYED.set(basis, known)
  return known
}

/** Attempts that the decision was made in the knowledge of. */
function consideredIn({ findings }: Decision): readonly string[] {
  const named = findings.filter(({ code }) => code === 'outcome.unknown').flatMap(({ evidence }) => evidence.attempts ?? [])
  return [...new Set(named.filter((record) => typeof record === 'string'))]
}

interface Checked {
  readonly decision: Decision
  readonly context: CommitContext
  readonly considered: readonly string[]
  readonly digests: Digests
  readonly index: AttemptIndex
}

type Digests = (domain: string, value: Json) => readonly string[]

/** Two equal calls at once: each was judged before the other was recorded. Only the first of them runs. */
function checkOthers(tx: Transaction, { decision, context, considered, digests, index }: Checked): void {
  const { call, at, basis } = context
  if (basis === null || !runs(decision.decision) || decision.mode === 'shadow' || basis.policy.outcome.onUnknown === 'pass') return
  const open = reading(tx, { call, index })
  const others = keyedIn(context)
    .flatMap((each) => open(each, digests))
    .filter((each) => !each.sameKey && each.at > at - basis.policy.outcome.rememberMs && !considered.includes(each.record))
  if (others.length > 0)
    throw new Spent('outcome', 'outcome.unknown', 'an equal call was let through at the same time; its result is not known yet')
}

/** Looks attempts up, in the index or, where there is none yet, in the log itself. */
function reading(
  tx: ReadTransaction,
  { call, index }: { readonly call: ToolCall; readonly index: AttemptIndex },
): (sought: Sought, digests: Digests) => readonly Attempt[] {
  const tenant = call.principal.tenant ?? ''
  const log = once(() => fromLog(tx))
  const isBuilt = index.isBuilt(tx)
  return ({ matter, idempotency }, digests) => {
    const names = digests('effect', matter)
    const own = idempotency === null ? [] : digests('idempotency', idempotency)
    const rows = isBuilt
      ? names.flatMap((name) => index.open(tx, tenant, name))
      : log().filter((row) => row.tenant === tenant && names.includes(row.effect) && isOpen(row))
    return rows
      .filter((row) => !isSameCall(row, call))
      .toSorted((a, b) => (a.record < b.record ? 1 : -1))
      .map(({ record, at, state, why, attended, idempotency: its }) => ({
        record,
        at,
        state: state === 'unknown' ? 'unknown' : 'open',
        why,
        attended,
        sameKey: its !== null && own.includes(its),
      }))
  }
}

function isOpen({ state }: KeptAttempt): boolean {
  return state === 'open' || state === 'unknown'
}

/** A hook may be asked twice for one call of its host. */
function isSameCall(row: KeptAttempt, { callId, session }: ToolCall): boolean {
  return callId !== null && row.callId === callId && row.session === session
}

interface Closing {
  readonly index: AttemptIndex
  /** The keyed names that the call may go by. */
  readonly namesOf: () => readonly string[]
}

/** By the host's id of the call; where it has none, the first equal call that is still open, then one whose result told nothing. */
function closedBy(tx: Transaction, call: ToolCall, { index, namesOf }: Closing): readonly KeptAttempt[] {
  const { callId, session, principal } = call
  const names = once(namesOf)
  if (!index.mayClose(tx, call, names)) return []
  const rows = names().flatMap((name) => tx.all(OF_CALL, principal.tenant ?? '', name).map(keptFrom))
  const same = rows.filter((row) => row.session === session)
  const named = callId === null ? [] : same.filter((row) => row.callId === callId)
  const first = named[0] ?? same.find(({ state, callId: its }) => state === 'open' && (its === null || callId === null))
  return first === undefined ? [] : rows.filter(({ record }) => record === first.record)
}

function build(tx: Transaction, at: number): void {
  for (const row of fromLog(tx)) put(tx, row)
  tx.run(BUILD, at)
}

function put(tx: Transaction, row: KeptAttempt): void {
  const { tenant, effect, record, verb, call, session, callId, idempotency } = row
  const flags = [row.attended ? 1 : 0, row.several ? 1 : 0]
  tx.run(PUT, tenant, effect, record, verb, call, session, callId, idempotency, ...flags, row.at, row.state, row.why)
}

/** What the record of a result says of it. */
export function endedJson({ state, why, of }: Ended): JsonObject {
  return { state, ...(why === null ? {} : { why }), ...(of.length === 0 ? {} : { of }) }
}

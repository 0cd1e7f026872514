/** Keeps what a call returned: the session learns it, the log has its record, and the call no longer counts as running. */
import { redactJson } from './audit/redact.ts'
import type { ToolCall } from './core/call.ts'
import type { Decision } from './core/decision.ts'
import { isJsonObject, type Json } from './core/json.ts'
import { runs } from './core/verdict.ts'
import { type Ended, endedJson } from './gate/outcome/attempts.ts'
import { isCounted } from './gate/rates.ts'
import type { ResultFinding } from './layers/integrity/result.ts'
import { flightCounters } from './layers/roles/rates.ts'
import type { Observation, OpenedGate } from './open.ts'
import { type Looked, type Looking, lookThrough, type Response } from './open-looking.ts'
import type { Policy } from './policy/policy.ts'
import type { RecordInput, Transaction } from './store/store.ts'

export interface ResultOfCall {
  readonly call: ToolCall
  readonly response: Json
  /** Whoever ran the call says that it failed. Default false: only the response may say so. */
  readonly failed?: boolean
  /** What is wrong with it, where that was looked for already. */
  readonly findings?: readonly ResultFinding[]
  /** Nothing that may be judged before its record is durable depends on that record (`isQuiet`), so it may share a later commit. Default false. */
  readonly quiet?: boolean
}

/**
 * True where the result of a call that was let through closes nothing: repeating the call does nothing more, so no attempt of it is open,
 * and no limit counts how many such calls run. What the session learns of a result, this process knows at once.
 */
export function isQuiet({ decision, outcome, repeats = false }: Decision, call: ToolCall, policy: Policy | null): boolean {
  return runs(decision) && outcome === undefined && !repeats && policy !== null && !isCounted(policy, call)
}

export interface LookedResult extends Pick<ResultOfCall, 'call' | 'quiet'> {
  readonly looked: Looked
}

/** What of a gate keeping results takes. */
export type Landed = Pick<OpenedGate, 'store' | 'looking' | 'landing'>

export interface KeptResult {
  /** What is wrong with it; null: nothing. */
  readonly seen: Observation | null
  /** Resolves once it is durable; rejects with what the store throws. */
  readonly kept: Promise<unknown>
}

/**
 * The session knows the result when this returns; the log, when `kept` resolves.
 * @param also takes part in the transaction, before everything else.
 */
export function landResult(opened: Landed, result: ResultOfCall, also: (tx: Transaction, now: number) => void = () => {}): KeptResult {
  const { call, response, failed = false, findings, quiet = false } = result
  const told = { response, failed, ...(findings === undefined ? {} : { findings }) }
  return landLooked(opened, { call, looked: lookThrough(opened.looking(call), told), quiet }, also)
}

/** The same of a result that was looked through already, wherever that was. */
export function landLooked(
  { store, landing }: Pick<Landed, 'store' | 'landing'>,
  { call, looked, quiet = false }: LookedResult,
  also: (tx: Transaction, now: number) => void = () => {},
): KeptResult {
  const { record } = looked
  const { seen, land } = landing(call, looked)
  const landed = (tx: Transaction): Ended => {
    also(tx, record.at)
    const ended = land(tx)
    for (const key of flightCounters(call)) if (tx.count(key, record.at) > 0) tx.add(key, -1, { now: record.at, expiresAt: record.at })
    return ended
  }
  const findings = (seen?.findings ?? []).map(({ code, rule, message, evidence }) => ({ code, rule, message, evidence }))
  const recordOf = (ended: Ended): RecordInput => {
    // What tags spell, and what a tool says of its failure, may be a secret, too.
    const said = findings.length === 0 ? {} : { findings: redactJson(findings).value }
    return { ...record, body: { ...record.body, ...said, outcome: redactJson(endedJson(ended)).value }, code: seen?.code ?? null }
  }
  // Put into its final form now: the commit that it shares is one that somebody's call waits for.
  const settled: Ended = { ...looked.outcome.one, of: [] }
  const likely = quiet && isShort(record) ? recordOf(settled) : null
  if (likely === null) return { seen, kept: store.run(landed, recordOf, { patient: quiet }) }
  return { seen, kept: store.run(landed, (ended) => (isAlike(ended, settled) ? likely : recordOf(ended)), { patient: quiet, likely }) }
}

/** A long one would be written ahead in pieces, and what comes later would be recorded before it. */
function isShort({ body }: RecordInput): boolean {
  return Number(body.response_units) <= LARGE_TEXT
}

function isAlike(one: Ended, other: Ended): boolean {
  return one.state === other.state && one.why === other.why && one.of.length + other.of.length === 0
}

/** Looks a result through somewhere else. Rejects where it cannot. */
export type LookElsewhere = (looking: Looking, response: Response) => Promise<Looked>

/** A result that could not be looked through. Its session and the log know that it came, and nothing of what it says. */
export class NotInspected extends Error {
  override readonly name = 'NotInspected'
}

/** What is kept in the place of such a result. */
export const UNREAD: Json = { failed: true, error: 'the response could not be inspected' }

/** UTF-16 units of text above which a result is looked through elsewhere: fewer take less time than the way there. */
const LARGE_TEXT = 16 * 1024

/** The same of a call: some three milliseconds of judging. */
export const LARGE_CALL = 64 * 1024

/** Absent or null: there is nowhere else. */
export interface Elsewhere {
  readonly look?: LookElsewhere | null
  /** Takes part in the transaction, before everything else. */
  readonly also?: ((tx: Transaction, now: number) => void) | undefined
}

/**
 * As `landResult`, with a large result, or that of a large call, looked through elsewhere: the session knows such a result only then. `kept`
 * answers what is wrong with it; null: nothing. It rejects with `NotInspected` where that failed; the log says so, too.
 */
export function landElsewhere(opened: Landed, result: ResultOfCall, { look = null, also }: Elsewhere): Returning {
  if (look === null || !(isLarger(result.response, LARGE_TEXT) || isLargeCall(result.call))) {
    const { seen, kept } = landResult(opened, result, also)
    return { apart: false, kept: kept.then(() => seen) }
  }
  return { apart: true, kept: landApart(opened, result, { look, also }) }
}

export interface Returning {
  /** False: the session knows it already. */
  readonly apart: boolean
  readonly kept: Promise<Observation | null>
}

async function landApart(
  opened: Landed,
  { call, response, failed = false }: ResultOfCall,
  { look, also }: Pick<Elsewhere, 'also'> & { readonly look: LookElsewhere },
): Promise<Observation | null> {
  const looked = await look(opened.looking(call), { response, failed }).catch((error: unknown) => {
    return new NotInspected(error instanceof Error ? error.message : String(error))
  })
  if (looked instanceof NotInspected) {
    await landResult(opened, { call, response: UNREAD, failed: true }, also).kept
    throw looked
  }
  const { seen, kept } = landLooked(opened, { call, looked }, also)
  await kept
  return seen
}

/** Judging it, and looking its result through, takes long. */
export function isLargeCall({ args }: Pick<ToolCall, 'args'>): boolean {
  return isLarger(args, LARGE_CALL)
}

/** True where the texts and names of a value are longer together; stops as soon as that is known. */
function isLarger(value: Json, units: number): boolean {
  let left = units
  const stack: Json[] = [value]
  for (let each = stack.pop(); each !== undefined && left >= 0; each = stack.pop()) {
    left -= typeof each === 'string' ? each.length : 1
    if (Array.isArray(each)) for (const item of each) stack.push(item)
    else if (isJsonObject(each)) {
      for (const [name, item] of Object.entries(each)) {
        left -= name.length
        stack.push(item)
      }
    }
  }
  return left < 0
}

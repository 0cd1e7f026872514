/** Approvals at rest: signed rows, changed only by compare-and-set. Whoever can write the file but has no key can approve nothing. */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { KeptChanges } from '../core/preview.ts'
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction, SqlRow, Transaction } from '../store/store.ts'
import { type Approval, isOpen, type Status } from './machine.ts'
import type { Proposal, Withheld } from './proposals.ts'

/** An approval with all that is kept beside its state. */
export interface StoredApproval extends Approval {
  /** Counts changes of the row; 0 for a new one. */
  readonly version: number
  /** SHA-256 of the token's secret, 64 hexadecimal digits. The secret itself is told once and never kept. */
  readonly token: string
  /** Empty where the caller named none. */
  readonly session: string
  readonly tenant: string
  /** What a person reads before they answer: the redacted call, why it is asked, what it would do. */
  readonly sheet: JsonObject
  readonly memory: DenialMemory
  /** What a person may grant beside this one call. */
  readonly proposals: readonly Proposal[]
  /** What no grant is proposed for, and why. */
  readonly withheld: readonly Withheld[]
  /** Arguments that a person changed; null: none. */
  readonly edit: Edit | null
  /** Id of the record of the decision that asked; null: it was opened before this was kept. */
  readonly decision: string | null
  /** The changes that its preview showed; null: none are kept. */
  readonly kept: KeptChanges | null
  /** What became of them; null: nobody asked for them. */
  readonly applied: Applied | null
}

/** The changes of a preview, made in the stead of the call. */
export interface Applied {
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Id of its record. */
  readonly record: string
  /** Why nothing was changed; null: all of it was. */
  readonly problem: string | null
  /** True once the agent was told, when it sent the call again: after that it is a new call. */
  readonly told: boolean
}

/** The call with other arguments, decided again: `sheet` tells of it as it would run now. */
export interface Edit {
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Those arguments that are other than the call's; all else runs as it came. */
  readonly args: JsonObject
  /** Key of the changed call, once the agent was told of it and so may send it; null until then. */
  readonly key: string | null
  /** What was asked at first. */
  readonly before: JsonObject
}

/** Where a denial of this approval is counted, so that the same is not asked again. */
export interface DenialMemory {
  /** Keyed digests of effect and target. */
  readonly subjects: readonly string[]
  readonly limit: number
  /** Milliseconds. */
  readonly within: number
  /** Whose denials count together, such as `session:s-1`. */
  readonly scope: string
}

export interface Keyed {
  readonly current: Signer
  readonly ring: ReadonlyMap<string, Signer>
}

const COLUMNS = 'id, version, status, session, tenant, body, key, mac'
const ONE = `SELECT ${COLUMNS} FROM approvals WHERE id = ?`
const OPEN = `SELECT ${COLUMNS} FROM approvals WHERE call = ? AND status IN ('pending', 'approved')`
const LAST_USED = `SELECT ${COLUMNS} FROM approvals WHERE call = ? AND status = 'consumed' ORDER BY ends_at DESC, id DESC LIMIT 1`
const STANDING = `SELECT ${COLUMNS} FROM approvals WHERE standing = ? AND status = 'approved' AND ends_at > ? ORDER BY ends_at DESC, id LIMIT 1`
const EDITED = `SELECT ${COLUMNS} FROM approvals WHERE edited = ? AND status = 'approved' LIMIT 1`
const COUNT = `SELECT count(*) AS waiting, coalesce(sum(session = ?), 0) AS here FROM approvals WHERE status = 'pending' AND tenant = ? AND ends_at > ?`
const INSERT = `INSERT INTO approvals (id, version, status, call, session, tenant, ends_at, body, key, mac) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)`
const CHANGE =
  'UPDATE approvals SET version = version + 1, status = ?, ends_at = ?, standing = ?, edited = ?, body = ?, key = ?, mac = ? WHERE id = ? AND version = ?'
const FORGET = 'DELETE FROM approvals WHERE ends_at < ?'

/** Columns that rows are found by must say what the signed body says: nobody moves an approval to another tenant. */
const SIGNED = ['id', 'status', 'session', 'tenant'] as const

/** How long an ended approval can still be shown: 30 days, in milliseconds. The log keeps its events for ever. */
const LIFE = 30 * 24 * 60 * 60 * 1000

/** Keyed, so that an arguments' secret cannot be guessed from the digest of its call. */
export function callKey(signer: Signer, callDigest: string): string {
  return signer.mac(`countersign/approval-call/v1\n${callDigest}`)
}

/** One approval; null where there is none or its signature does not hold. */
export function readApproval(tx: ReadTransaction, id: string, ring: Keyed['ring']): StoredApproval | null {
  return approvalOf(tx.get(ONE, id), ring)
}

/** The one that is open for a call, whichever key its row was signed with. */
export function openFor(tx: ReadTransaction, callDigest: string, ring: Keyed['ring']): StoredApproval | null {
  for (const signer of ring.values()) {
    const found = approvalOf(tx.get(OPEN, callKey(signer, callDigest)), ring)
    if (found !== null) return found
  }
  return null
}

/** The last one of a call whose preview was made in its stead, where the agent was not told yet. */
export function appliedFor(tx: ReadTransaction, callDigest: string, ring: Keyed['ring']): StoredApproval | null {
  for (const signer of ring.values()) {
    const found = approvalOf(tx.get(LAST_USED, callKey(signer, callDigest)), ring)
    if (found !== null && isReportDue(found)) return found
  }
  return null
}

/** True while a person's yes to its changes is not carried out yet: it was used up for them, and what became of it is not recorded. */
export function isBeingMade({ scope, status, applied }: Pick<StoredApproval, 'scope' | 'status' | 'applied'>): boolean {
  return scope === 'apply' && (status === 'approved' || (status === 'consumed' && applied === null))
}

export function isReportDue({ applied }: Pick<StoredApproval, 'applied'>): boolean {
  return applied !== null && applied.problem === null && !applied.told
}

/** A yes for the session that covers calls of this digest. */
export function standingFor(tx: ReadTransaction, standing: string, from: { ring: Keyed['ring']; now: number }): StoredApproval | null {
  return approvalOf(tx.get(STANDING, standing, from.now), from.ring)
}

/** One whose call people changed into this one, by any of its keys. */
export function editedFor(tx: ReadTransaction, keys: readonly string[], ring: Keyed['ring']): StoredApproval | null {
  for (const key of keys) {
    const found = approvalOf(tx.get(EDITED, key), ring)
    if (found !== null) return found
  }
  return null
}

/** What is asked for of the inbox. The tenant is part of every question (T64). */
export interface ApprovalQuery {
  /** Null: of every tenant, for the operator of the machine. Empty: calls that named none. */
  readonly tenant: string | null
  /** `open`: waits or may be used. Default every status. */
  readonly status?: Status | 'open'
  readonly session?: string
  readonly limit: number
  /** Milliseconds since the epoch: what ended by then counts as expired. */
  readonly now: number
}

/** Those that are open come first to end first, all others newest first. A row that nobody signed is not there. */
export function findApprovals(tx: ReadTransaction, ring: Keyed['ring'], query: ApprovalQuery): readonly StoredApproval[] {
  const { tenant, status, session, limit, now } = query
  const [condition, values] = conditionOf(status, now)
  const where = [condition, ...(tenant === null ? [] : ['tenant = ?']), ...(session === undefined ? [] : ['session = ?'])].join(' AND ')
  const bound = [...values, ...(tenant === null ? [] : [tenant]), ...(session === undefined ? [] : [session])]
  const soonest = status === 'pending' || status === 'approved' || status === 'open'
  const order = soonest ? 'ends_at, id' : 'ends_at DESC, id'
  return tx
    .all(`SELECT ${COLUMNS} FROM approvals WHERE ${where} ORDER BY ${order} LIMIT ?`, ...bound, limit)
    .flatMap((row) => approvalOf(row, ring) ?? [])
}

/** A clock that ran out is written down only when somebody next touches the row. */
function conditionOf(status: ApprovalQuery['status'], now: number): readonly [sql: string, values: readonly (string | number)[]] {
  switch (status) {
    case undefined:
      return ['1 = 1', []]
    case 'open':
      return ["status IN ('pending', 'approved') AND ends_at > ?", [now]]
    case 'pending':
    case 'approved':
      return ['status = ? AND ends_at > ?', [status, now]]
    case 'expired':
      return ["(status = 'expired' OR (status IN ('pending', 'approved') AND ends_at <= ?))", [now]]
    default:
      return ['status = ?', [status]]
  }
}

/** How many wait for people, in the tenant and in this session of it. */
export function waiting(
  tx: ReadTransaction,
  { session, tenant, now }: { readonly session: string; readonly tenant: string; readonly now: number },
): { readonly tenant: number; readonly session: number } {
  const row = tx.get(COUNT, session, tenant, now)
  return { tenant: Number(row?.waiting ?? 0), session: Number(row?.here ?? 0) }
}

/** Also drops rows that ended long ago. */
export function insertApproval(tx: Transaction, approval: StoredApproval, signer: Signer): void {
  tx.run(FORGET, approval.createdAt - LIFE)
  const { id, status, session, tenant, binding } = approval
  const body = bodyOf(approval)
  tx.run(INSERT, id, status, binding.call, session, tenant, endOf(approval), body, signer.id, mac(signer, body, 0))
}

/** False where somebody else changed the row in the meantime. `approval.version` is the one that was read. */
export function changeApproval(tx: Transaction, approval: StoredApproval, signer: Signer): boolean {
  const { id, status, version } = approval
  const body = bodyOf(approval)
  const found = [standingOf(approval), approval.edit?.key ?? null] as const
  return tx.run(CHANGE, status, endOf(approval), ...found, body, signer.id, mac(signer, body, version + 1), id, version) === 1
}

function endOf({ approveBy, useBy }: Approval): number {
  return useBy ?? approveBy
}

/** Only a yes for the session is found by what it covers. */
function standingOf({ scope, status, binding }: Approval): string | null {
  return scope === 'session' && isOpen({ status }) ? binding.standing : null
}

function bodyOf({ version: _version, ...kept }: StoredApproval): string {
  return canonicalJson(kept as unknown as Json)
}

/** The version is under the signature, so that an older body cannot be put under a newer row. */
function mac(signer: Signer, body: string, version: number): string {
  return signer.mac(`countersign/approval/v1\n${version}\n${body}`)
}

function approvalOf(row: SqlRow | undefined, ring: Keyed['ring']): StoredApproval | null {
  if (row === undefined) return null
  const body = String(row.body)
  const version = Number(row.version)
  const signer = ring.get(String(row.key))
  if (signer === undefined || mac(signer, body, version) !== row.mac) return null
  const value = JSON.parse(body) as Json
  if (!isJsonObject(value) || SIGNED.some((column) => value[column] !== row[column])) return null
  return { ...upgraded(value), version }
}

/** The signature held, so this is what `bodyOf` wrote, though perhaps of an earlier version, which knew fewer fields. */
function upgraded(value: JsonObject): Omit<StoredApproval, 'version'> {
  const kept = value as unknown as Omit<StoredApproval, 'version'>
  return {
    ...kept,
    scope: kept.scope ?? 'once',
    proposals: kept.proposals ?? [],
    withheld: kept.withheld ?? [],
    edit: kept.edit ?? null,
    decision: kept.decision ?? null,
    kept: kept.kept ?? null,
    applied: kept.applied ?? null,
    uses: kept.uses ?? 0,
    answers: kept.answers.map((answer) => ({ ...answer, seat: answer.seat ?? null, scope: answer.scope ?? 'once' })),
    terms: { ...kept.terms, delegates: kept.terms.delegates ?? [], session: kept.terms.session ?? null },
    binding: {
      ...kept.binding,
      edit: kept.binding.edit ?? null,
      standing: kept.binding.standing ?? null,
      preview: kept.binding.preview ?? null,
    },
  }
}

/**
 * What channels still have to be told, beside the approvals themselves: written in the transaction that opens an approval,
 * so that a crash loses no message. A row is claimed before anything is sent, so that two processes do not both send it.
 * In a conversation, calls of one session that are alike are one chain: a message is sent once the one before it is over.
 */
import { hash } from 'node:crypto'
import { canonicalJson } from '../../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { alikeOf } from '../../facts/tools/roles/alike.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import type { ReadTransaction, SqlRow, Transaction } from '../../store/store.ts'
import type { StoredApproval } from '../store.ts'

/** `requested`: somebody is asked. `resolved`: it is over, and whoever was asked is told so. */
export type Phase = 'requested' | 'resolved'
/** `told`: it arrived, and the end is still to be told. `over`: nothing is left to do. `dead`: given up. */
export type OutboxState = 'waiting' | 'claimed' | 'told' | 'dead' | 'over'

export interface OutboxRow {
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly id: string
  readonly approval: string
  readonly channel: string
  readonly phase: Phase
  readonly state: OutboxState
  readonly attempts: number
  /** Milliseconds since the epoch: the next attempt, or the end of a claim. */
  readonly dueAt: number
  readonly endsAt: number
  /** The channel showed the whole call: only then somebody there can approve it (T24). */
  readonly complete: boolean
  /** What the channel answered, for changing its message later. */
  readonly receipt: JsonObject | null
  readonly error: string | null
  readonly createdAt: number
}

const COLUMNS =
  'o.id, o.approval, o.channel, o.phase, o.state, o.attempts, o.due_at, o.ends_at, o.complete, o.receipt, o.error, o.created_at'
const INSERT = `INSERT INTO outbox (id, approval, channel, phase, state, attempts, due_at, ends_at, complete, created_at, chain)
  VALUES (?, ?, ?, 'requested', 'waiting', 0, ?, ?, 0, ?, ?) ON CONFLICT DO NOTHING`
/** Something before it in its chain still waits for an answer. What was given up holds up nothing. */
const BEHIND = `SELECT 1 FROM outbox f JOIN approvals a ON a.id = f.approval WHERE f.chain = o.chain
  AND (f.created_at, f.id) < (o.created_at, o.id) AND f.state <> 'dead' AND a.status = 'pending' AND a.ends_at > ?1`
const DUE = `SELECT ${COLUMNS} FROM outbox o WHERE o.state IN ('waiting', 'claimed') AND o.due_at <= ?1
  AND (o.chain IS NULL OR o.phase <> 'requested' OR NOT EXISTS (${BEHIND})) ORDER BY o.due_at, o.id LIMIT ?2`
const WAITING = `SELECT count(*) FROM outbox w JOIN approvals b ON b.id = w.approval WHERE w.chain = o.chain AND w.id <> o.id
  AND w.phase = 'requested' AND w.state = 'waiting' AND b.status = 'pending' AND b.ends_at > ?1`
const HEADS = `SELECT ${COLUMNS}, (${WAITING}) AS behind FROM outbox o JOIN approvals a ON a.id = o.approval
  WHERE o.state = 'told' AND o.chain IS NOT NULL AND a.status = 'pending' AND a.ends_at > ?1 ORDER BY o.due_at, o.id LIMIT ?2`
const ENDED = `SELECT ${COLUMNS} FROM outbox o LEFT JOIN approvals a ON a.id = o.approval
  WHERE o.state = 'told' AND (a.id IS NULL OR a.status <> 'pending' OR a.ends_at <= ?) ORDER BY o.due_at, o.id LIMIT ?`
const CHANGED = `SELECT ${COLUMNS} FROM outbox o JOIN approvals a ON a.id = o.approval
  WHERE o.state = 'told' AND a.status = 'pending' AND a.ends_at > ? AND a.version > coalesce(json_extract(o.receipt, '$.version'), 0)
  ORDER BY o.due_at, o.id LIMIT ?`
const TOLD = `SELECT ${COLUMNS} FROM outbox o WHERE o.state = 'told' ORDER BY o.due_at, o.id LIMIT ?`
const ONE = `SELECT ${COLUMNS} FROM outbox o WHERE o.approval = ? AND o.channel = ?`
const BY_ID = `SELECT ${COLUMNS} FROM outbox o WHERE o.id = ?`
const OPEN = `SELECT ${COLUMNS} FROM outbox o WHERE o.channel = ? AND o.ends_at > ? ORDER BY o.created_at DESC, o.id LIMIT ?`
const ALL = `SELECT ${COLUMNS} FROM outbox o ORDER BY o.created_at DESC, o.id LIMIT ?`
const CHANGE = `UPDATE outbox SET phase = ?, state = ?, attempts = ?, due_at = ?, complete = ?, receipt = ?, error = ?
  WHERE id = ? AND phase = ? AND state = ? AND attempts = ? AND due_at = ?`
const FORGET = 'DELETE FROM outbox WHERE ends_at < ?'

/** As long as an ended approval is kept: 30 days, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000

/** One row for each channel that this approval concerns. Also drops rows that ended long ago. */
export function enqueue(tx: Transaction, approval: StoredApproval, channels: readonly ChannelPolicy[]): void {
  if (channels.length === 0) return
  const { id, tenant, createdAt, approveBy } = approval
  tx.run(FORGET, createdAt - LIFE)
  for (const each of channels) {
    const { name, tenants } = each
    if (tenants === null || tenants.includes(tenant))
      tx.run(INSERT, `msg_${id.slice(4)}_${name}`, id, name, createdAt, approveBy, createdAt, chainOf(approval, each))
  }
}

/** Only where a message can be changed: it has to say how many wait behind it. */
function chainOf({ session, tenant, sheet }: StoredApproval, channel: ChannelPolicy): string | null {
  const alike = channel.kind === 'slack' && channel.webhook === null && session !== '' ? alikeOf(sheet) : null
  return alike === null ? null : hash('sha256', canonicalJson(['countersign/alike-messages/v1', tenant, session, channel.name, alike]))
}

/** Messages that were told, of chains, each with how many calls wait behind it. */
export function headRows(tx: ReadTransaction, { now, limit }: { readonly now: number; readonly limit: number }): readonly HeadRow[] {
  return tx.all(HEADS, now, limit).map((row) => ({ row: rowOf(row), behind: Number(row.behind) }))
}

export interface HeadRow {
  readonly row: OutboxRow
  readonly behind: number
}

/** Rows to be sent now, the longest due first. */
export function dueRows(tx: ReadTransaction, { now, limit }: { readonly now: number; readonly limit: number }): readonly OutboxRow[] {
  return tx.all(DUE, now, limit).map(rowOf)
}

/** Rows that were told and whose approval has ended since. */
export function endedRows(tx: ReadTransaction, { now, limit }: { readonly now: number; readonly limit: number }): readonly OutboxRow[] {
  return tx.all(ENDED, now, limit).map(rowOf)
}

/** Rows that were told of an earlier version of what still waits. */
export function changedRows(tx: ReadTransaction, { now, limit }: { readonly now: number; readonly limit: number }): readonly OutboxRow[] {
  return tx.all(CHANGED, now, limit).map(rowOf)
}

/** Rows that were told, ended or not. */
export function deliveredRows(tx: ReadTransaction, limit: number): readonly OutboxRow[] {
  return tx.all(TOLD, limit).map(rowOf)
}

/** The row of an approval in a channel; null where the channel was never to be told. */
export function rowFor(tx: ReadTransaction, approval: string, channel: string): OutboxRow | null {
  const row = tx.get(ONE, approval, channel)
  return row === undefined ? null : rowOf(row)
}

/** One row by its id; null where there is none. */
export function rowOfId(tx: ReadTransaction, id: string): OutboxRow | null {
  const row = tx.get(BY_ID, id)
  return row === undefined ? null : rowOf(row)
}

/** Rows of a channel whose approvals may still be answered, newest first. */
export function openRows(tx: ReadTransaction, channel: string, at: { readonly now: number; readonly limit: number }): readonly OutboxRow[] {
  return tx.all(OPEN, channel, at.now, at.limit).map(rowOf)
}

/** Newest first. */
export function allRows(tx: ReadTransaction, limit: number): readonly OutboxRow[] {
  return tx.all(ALL, limit).map(rowOf)
}

/** Compare-and-set: false where somebody else changed the row in the meantime. */
export function changeRow(tx: Transaction, before: OutboxRow, after: OutboxRow): boolean {
  const receipt = after.receipt === null ? null : JSON.stringify(after.receipt)
  const set = [after.phase, after.state, after.attempts, after.dueAt, after.complete ? 1 : 0, receipt, after.error]
  return tx.run(CHANGE, ...set, before.id, before.phase, before.state, before.attempts, before.dueAt) === 1
}

function rowOf(row: SqlRow): OutboxRow {
  const text = (name: string): string => String(row[name])
  const receipt: Json = row.receipt === null ? null : JSON.parse(text('receipt'))
  return {
    id: text('id'),
    approval: text('approval'),
    channel: text('channel'),
    phase: text('phase') as Phase,
    state: text('state') as OutboxState,
    attempts: Number(row.attempts),
    dueAt: Number(row.due_at),
    endsAt: Number(row.ends_at),
    complete: row.complete === 1,
    receipt: isJsonObject(receipt) ? receipt : null,
    error: row.error === null ? null : text('error'),
    createdAt: Number(row.created_at),
  }
}

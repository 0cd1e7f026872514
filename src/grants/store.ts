/** Grants at rest: signed rows, counted uses, revocation. Whoever can write the file but has no key can mint nothing. */
import { canonicalJson } from '../core/canonical.ts'
import type { Effect } from '../core/effect.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { Signer } from '../store/chain.ts'
import type { CounterKey, ReadTransaction, SqlRow, SqlValue, Transaction } from '../store/store.ts'
import type { Grant, GrantBinding, GrantScope, HeldGrant } from './grant.ts'
import { actionsFor, holderKey, holderKeysFor, subjectKey, subjectKeysFor } from './keys.ts'
import { NAME_FIELDS, type NameField } from './scope-keys.ts'

const ALL = 'SELECT id, body, mac, key, revoked_at FROM grants ORDER BY id'
const ONE = 'SELECT id, body, mac, key, revoked_at FROM grants WHERE id = ?'
const FOR_ACTION = 'SELECT id, body, mac, key, revoked_at FROM grants WHERE action IN (SELECT value FROM json_each(?))'
const FOR_EFFECT = 'AND subject IN (SELECT value FROM json_each(?)) AND holder IN (SELECT value FROM json_each(?))'
const LIVE = `${FOR_ACTION} AND spent = 0 ${FOR_EFFECT} AND ends_at > ?`
const NEAR = `${FOR_ACTION} AND spent IN (0, 1) ${FOR_EFFECT} LIMIT ?`
const OTHERS = `${FOR_ACTION} LIMIT ?`
const INSERT = `INSERT INTO grants (id, body, key, mac, revoked_at, action, subject, holder, ends_at, spent)
  VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, 0)`
const REVOKE = 'UPDATE grants SET revoked_at = ?, key = ?, mac = ?, spent = 1 WHERE id = ? AND revoked_at IS NULL'
const SPENT = 'UPDATE grants SET spent = 1 WHERE id = ?'

/** `ends_at` of a grant without an end. */
const NO_END = Number.MAX_SAFE_INTEGER
/** Grants that are told of where none covers an effect. */
const MAX_NEAR = 8
/** How often a grant can have been narrowed. */
const MAX_LINE = 64

/** The counter that tells how often a grant was used. Grants of policies and files are counted, too. */
export function useCounter(id: string): CounterKey {
  return ['grant', id]
}

/** Every grant whose signature holds, with its uses, in order of id. A row that nobody signed grants nothing. */
export function readGrants(tx: ReadTransaction, ring: ReadonlyMap<string, Signer>, now: number): readonly HeldGrant[] {
  return tx.all(ALL).flatMap((row) => held(row, { tx, ring, now }) ?? [])
}

/** One grant; null where there is none or its signature does not hold. */
export function readGrant(tx: ReadTransaction, id: string, from: { ring: ReadonlyMap<string, Signer>; now: number }): HeldGrant | null {
  const row = tx.get(ONE, id)
  return row === undefined ? null : held(row, { tx, ...from })
}

export interface GrantSearch extends From {
  readonly effect: Effect
  readonly asking: GrantBinding
}

/**
 * Every grant that may cover the effect for this caller. Where there is none, some that are for the action and do not hold, so that
 * a denial can say why. Grants that one was narrowed from come with it.
 */
export function findGrants({ tx, ring, now, effect, asking }: GrantSearch): readonly HeldGrant[] {
  if (effect.action === null) return []
  const actions = JSON.stringify(actionsFor(effect.action))
  const keys = [JSON.stringify(subjectKeysFor(effect)), JSON.stringify(holderKeysFor(asking))] as const
  const read = (sql: string, ...values: readonly SqlValue[]) => heldRows(tx.all(sql, actions, ...values), { tx, ring, now })
  const live = read(LIVE, ...keys, now)
  if (live.length > 0) return live
  const near = read(NEAR, ...keys, MAX_NEAR)
  return near.length > 0 ? near : read(OTHERS, MAX_NEAR)
}

/** These grants, as far as they are there, with those that they were narrowed from. */
export function grantsById(ids: Iterable<string>, from: From): readonly HeldGrant[] {
  return heldRows(
    [...ids].map((id) => from.tx.get(ONE, id)).filter((row) => row !== undefined),
    from,
  )
}

function heldRows(rows: readonly SqlRow[], from: From): readonly HeldGrant[] {
  const found = new Map<string, HeldGrant>()
  for (const row of rows) {
    for (let at: SqlRow | undefined = row, depth = 0; at !== undefined && !found.has(String(at.id)) && depth < MAX_LINE; depth++) {
      const grant: HeldGrant | null = held(at, from)
      if (grant === null) break
      found.set(grant.id, grant)
      at = grant.parent === null ? undefined : from.tx.get(ONE, grant.parent)
    }
  }
  return [...found.values()]
}

export function insertGrant(tx: Transaction, grant: Grant, signer: Signer): void {
  const body = canonicalJson(grantToJson(grant))
  const { id, action, scope, binding, expires } = grant
  const found = [action, subjectKey(scope), holderKey(binding), Math.ceil(expires ?? NO_END)] as const
  tx.run(INSERT, id, body, signer.id, signer.mac(signedText(body)), ...found)
}

/** It was used as often as it may be: it is not looked for any more. */
export function markSpent(tx: Transaction, id: string): void {
  tx.run(SPENT, id)
}

/**
 * True where it was in force until now. The signature of a grant in force goes with it: without the key, nobody makes the row
 * into one again.
 */
export function revokeGrant(tx: Transaction, id: string, { now, signer }: { readonly now: number; readonly signer: Signer }): boolean {
  const body = tx.get(ONE, id)?.body
  return body !== undefined && tx.run(REVOKE, now, signer.id, signer.mac(revokedText(String(body))), id) === 1
}

/** The wire form: what `grants list --json` prints and what is signed. */
export function grantToJson(grant: Grant): JsonObject {
  const { id, action, scope, binding, notBefore, expires, count, parent, reason, author, source } = grant
  const scoped: Record<string, Json> = {}
  for (const [field, key] of SCOPE_KEYS) {
    const value = scope[field]
    if (value !== undefined) scoped[key] = value
  }
  return { id, action, scope: scoped, ...binding, not_before: notBefore, expires, count, parent, reason, author, source }
}

/** Names of the scope's fields in files and on the command line. */
export const SCOPE_KEYS: readonly (readonly [field: keyof GrantScope, key: string])[] = [
  ['target', 'target'],
  ...NAME_FIELDS.map((field): [NameField, string] => [field, field]),
  ['recipientDomain', 'recipient_domain'],
  ['maxAmount', 'max_amount'],
  ['currency', 'currency'],
  ['force', 'force'],
  ['details', 'details'],
]

function signedText(body: string): string {
  return `countersign/grant/v1\n${body}`
}

function revokedText(body: string): string {
  return `countersign/grant/v1/revoked\n${body}`
}

export interface From {
  readonly tx: ReadTransaction
  readonly ring: ReadonlyMap<string, Signer>
  /** Milliseconds since the epoch. */
  readonly now: number
}

function held(row: SqlRow, { tx, ring, now }: From): HeldGrant | null {
  const body = String(row.body)
  const signer = ring.get(String(row.key))
  const live = signer?.mac(signedText(body)) === row.mac
  if (!live && signer?.mac(revokedText(body)) !== row.mac) return null
  const value = JSON.parse(body) as Json
  if (!isJsonObject(value) || value.id !== row.id) return null
  const grant = grantFromJson(value)
  return { ...grant, used: tx.count(useCounter(grant.id), now), revoked: !live || row.revoked_at !== null }
}

/** What `grantToJson` wrote: the signature held, so the shape is known. */
function grantFromJson(value: JsonObject): Grant {
  const scoped = value.scope as JsonObject
  const scope: Record<string, unknown> = {}
  for (const [field, key] of SCOPE_KEYS) if (Object.hasOwn(scoped, key)) scope[field] = scoped[key]
  const { id, action, session, role, user, agent, tenant, not_before, expires, count, parent, reason, author } = value
  return {
    id,
    action,
    scope,
    binding: { session, role, user, agent, tenant: tenant ?? null },
    notBefore: not_before,
    expires,
    count,
    parent,
    reason,
    author,
    source: 'store',
  } as Grant
}

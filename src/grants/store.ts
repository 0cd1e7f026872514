/** Grants at rest: signed rows, counted uses, revocation. Whoever can write the file but has no key can mint nothing. */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { Signer } from '../store/chain.ts'
import type { CounterKey, ReadTransaction, SqlRow, Transaction } from '../store/store.ts'
import type { Grant, GrantScope, HeldGrant } from './grant.ts'
import { NAME_FIELDS, type NameField } from './scope-keys.ts'

const ALL = 'SELECT id, body, mac, key, revoked_at FROM grants ORDER BY id'
const ONE = 'SELECT id, body, mac, key, revoked_at FROM grants WHERE id = ?'
const INSERT = 'INSERT INTO grants (id, body, key, mac, revoked_at) VALUES (?, ?, ?, ?, NULL)'
const REVOKE = 'UPDATE grants SET revoked_at = ?, key = ?, mac = ? WHERE id = ? AND revoked_at IS NULL'

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

export function insertGrant(tx: Transaction, grant: Grant, signer: Signer): void {
  const body = canonicalJson(grantToJson(grant))
  tx.run(INSERT, grant.id, body, signer.id, signer.mac(signedText(body)))
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

interface From {
  readonly tx: ReadTransaction
  readonly ring: ReadonlyMap<string, Signer>
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

/**
 * A receipt: one line that says what was decided, signed with a key whose public part anybody may hold. It is checked without the
 * log, without a secret, and with any program that knows Ed25519: what is signed is the line up to its signature.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Decision } from '../core/decision.ts'
import type { Digester } from '../core/digest.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { toldDecision } from '../core/wire.ts'

export interface ReceiptKey {
  /** First 16 hexadecimal digits of the SHA-256 over the public key (SPKI, DER). */
  readonly id: string
  readonly privateKey: KeyObject
}

/** What a receipt says. Every value is a token without spaces and semicolons. */
export interface ReceiptFields {
  /** Id of the record in the log. */
  readonly entry: string
  readonly decision: string
  readonly code: string
  /** Of the call: what was to run. */
  readonly call: string
  readonly policy: string
  /** Of the whole decision, as `decisionDigest` makes it. */
  readonly digest: string
  /** ISO 8601, UTC. */
  readonly at: string
}

export interface Receipt extends ReceiptFields {
  readonly key: string
  /** The line up to its signature. */
  readonly signed: string
  readonly signature: Buffer
}

const FIELDS = ['entry', 'decision', 'code', 'call', 'policy', 'digest', 'at'] as const

export function keyId(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
}

/** Null where nothing was recorded: then there is nothing to vouch for. */
export function issueReceipt(decision: Decision, at: number, { key, digester }: ReceiptIssuer): string | null {
  if (decision.auditEntryId === null) return null
  const fields: ReceiptFields = {
    entry: decision.auditEntryId,
    decision: decision.decision,
    code: decision.code,
    call: decision.callDigest,
    policy: decision.policyDigest,
    digest: decisionDigest(toldDecision(decision), digester),
    at: new Date(at).toISOString(),
  }
  const line = ['signet=v1', 'alg=ed25519', ...FIELDS.map((name) => `${name}=${fields[name]}`), `key=${key.id}`].join('; ')
  return `${line}; sig=${sign(null, Buffer.from(line), key.privateKey).toString('hex')}`
}

export interface ReceiptIssuer {
  readonly key: ReceiptKey
  readonly digester: Pick<Digester, 'digest'>
}

/** Members of a decision that are not part of what was decided: times, names that a host has for things, a secret that is told once. */
const APART: ReadonlySet<string> = new Set(['timings_us', 'session', 'view', 'receipt'])

/** Over the decision as `POST /v1/decisions` and `countersign check` tell it. */
export function decisionDigest(told: JsonObject, { digest }: Pick<Digester, 'digest'>): string {
  const { approval, ...rest } = Object.fromEntries(Object.entries(told).filter(([name]) => !APART.has(name)))
  const known = isJsonObject(approval) ? { id: approval.id ?? null } : null
  return digest('countersign/decision/v1', { ...rest, approval: known })
}

/** Null where the text is no receipt. */
export function parseReceipt(text: string): Receipt | null {
  const line = text.trim()
  const at = line.lastIndexOf('; sig=')
  if (at === -1 || line.length > 4_096) return null
  const signed = line.slice(0, at)
  const pairs = signed.split('; ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
  const names = pairs.map(([name]) => name)
  const values = Object.fromEntries(pairs)
  const expected = ['signet', 'alg', ...FIELDS, 'key']
  const signature = line.slice(at + '; sig='.length)
  if (names.join() !== expected.join() || values.signet !== 'v1' || values.alg !== 'ed25519' || !/^[0-9a-f]{128}$/.test(signature))
    return null
  const field = (name: string): string => values[name] ?? ''
  const [entry, decision, code, call, policy, digest, time] = FIELDS.map(field)
  if (!entry || !decision || !code || !call || !policy || !digest || !time) return null
  return { entry, decision, code, call, policy, digest, at: time, key: field('key'), signed, signature: Buffer.from(signature, 'hex') }
}

export type ReceiptFault = 'not a receipt' | 'unknown key' | 'wrong signature' | 'another decision'

export interface Checking {
  /** PEM of public keys. */
  readonly keys: readonly string[]
  /** The decision that it should be of. */
  readonly decision?: Json
  readonly digester: Pick<Digester, 'digest'>
}

/** Null where the receipt holds. */
export function receiptFault(text: string, { keys, decision, digester }: Checking): ReceiptFault | null {
  const receipt = parseReceipt(text)
  if (receipt === null) return 'not a receipt'
  const key = keys.map((pem) => createPublicKey(pem)).find((each) => keyId(each) === receipt.key)
  if (key === undefined) return 'unknown key'
  if (!verify(null, Buffer.from(receipt.signed), key, receipt.signature)) return 'wrong signature'
  if (decision === undefined) return null
  return isJsonObject(decision) && decisionDigest(decision, digester) === receipt.digest ? null : 'another decision'
}

/**
 * The same id of a host's call is the same call once people or a grant have a part in it (T20): with other arguments it is
 * denied, and as it was it rests on what it was allowed with before, so that a hook that is asked twice for one call uses no
 * second approval and no second grant.
 */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Decision, Resolution } from '../core/decision.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { runs } from '../core/verdict.ts'
import type { Examined, ResolveContext, Resolver } from '../gate.ts'
import { finding } from '../layers/finding.ts'
import type { Signer } from '../store/chain.ts'
import { createKept } from '../store/kept.ts'
import type { ReadTransaction, SqlRow, Store } from '../store/store.ts'
import { type CommitContext, type Spender, Spent } from './commit.ts'

export interface CallIdSource {
  readonly store: Pick<Store, 'query'>
  /** Read when they are first needed, and again where a row was signed with another key. */
  readonly keys: () => { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
}

export interface CallIdParts {
  /** What the id of the call says of it; null: nothing. */
  readonly examine: (context: ResolveContext) => Examined | null
  readonly spender: Spender
}

/** How long an id is remembered: a day, in milliseconds (as Stripe keeps its keys). */
const LIFE = 86_400_000

const ONE = 'SELECT digest, body, key, mac, expires_at FROM calls WHERE tenant = ? AND session = ? AND call_id = ? AND expires_at > ?'
const ANY = 'SELECT 1 AS one FROM calls LIMIT 1'
const PUT = 'INSERT OR REPLACE INTO calls (tenant, session, call_id, digest, body, expires_at, key, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
const FORGET = 'DELETE FROM calls WHERE expires_at <= ?'

const OTHER = { code: 'session.call_id', message: 'the host used the id of this call for another call before' } as const

export function createCallIdParts({ store, keys }: CallIdSource): CallIdParts {
  let held: ReturnType<CallIdSource['keys']> | null = null
  const ringFor = (key: string): Signer | undefined => {
    if (held?.ring.has(key) !== true) held = keys()
    return held.ring.get(key)
  }
  const any = createKept<boolean>('calls')
  const known = (tx: ReadTransaction, name: Name, now: number): Known | null => {
    // Mostly nobody had a part in any call.
    if (!any(tx, '', () => tx.get(ANY) !== undefined)) return null
    const row = tx.get(ONE, ...name, now)
    return row === undefined ? null : knownFrom(row, name, ringFor(String(row.key)))
  }
  return {
    examine: ({ call, callDigest, policy, state, instead = null }) => {
      const name = nameOf(call)
      if (name === null) return null
      const before = store.query((tx) => known(tx, name, state.now))
      if (before === null) return null
      if (!before.is(instead?.originalDigest ?? callDigest)) return { findings: [denied()], resolver: null }
      return before.ran && before.policy === policy.digest ? { findings: [], resolver: null, before: restingOn(before.resolutions) } : null
    },
    spender: {
      wants: (decision, context) => context.basis !== null && isAtStake(decision, context) && nameOf(context.call) !== null,
      spend: (tx, decision, { call, at }) => {
        const name = nameOf(call)
        if (name === null) return undefined
        const digest = decision.modified?.originalDigest ?? decision.callDigest
        const before = known(tx, name, at)
        if (before?.is(digest) === false) {
          if (decision.determining.some((index) => decision.findings[index]?.code === OTHER.code)) return undefined
          throw new Spent('session', OTHER.code, OTHER.message)
        }
        if (before?.ran === true) return { ...decision, repeats: true }
        held ??= keys()
        tx.run(FORGET, at)
        tx.run(PUT, ...rowOf(name, { decision, digest, expiresAt: at + LIFE }, held.current))
        return undefined
      },
    },
  }
}

/** Only a call that waits for people, or that somebody's answer let through, can be replayed to anybody's gain. */
function isAtStake({ decision, findings, resolutions }: Decision, { attended }: CommitContext): boolean {
  if (resolutions.length > 0 || (decision === 'ask' && attended !== true)) return true
  return findings.some(({ code }) => code === 'capability.granted')
}

type Name = readonly [tenant: string, session: string, callId: string]

function nameOf({ callId, session, principal }: ToolCall): Name | null {
  return callId === null || session === null ? null : [principal.tenant ?? '', session, callId]
}

interface Known {
  readonly is: (callDigest: string) => boolean
  readonly ran: boolean
  readonly policy: string
  readonly resolutions: readonly Resolution[]
}

interface Kept {
  readonly decision: Decision
  readonly digest: string
  readonly expiresAt: number
}

function rowOf(name: Name, { decision, digest, expiresAt }: Kept, signer: Signer): readonly (string | number)[] {
  const { resolutions, policyDigest } = decision
  const rested = runs(decision.decision) ? resolutions.map(({ by, id, verdict }) => ({ by, id, verdict })) : []
  const body = canonicalJson({ ran: runs(decision.decision), policy: policyDigest, resolutions: rested })
  const keyed = keyedDigest(signer, digest)
  return [...name, keyed, body, expiresAt, signer.id, signer.mac(signedText(name, [keyed, body, expiresAt]))]
}

/** A row that nobody signed says nothing. */
function knownFrom({ digest, body, mac, expires_at: expiresAt }: SqlRow, name: Name, signer: Signer | undefined): Known | null {
  const kept = [String(digest), String(body), Number(expiresAt)]
  if (signer === undefined || signer.mac(signedText(name, kept)) !== mac) return null
  const value = JSON.parse(String(body)) as Json
  if (!isJsonObject(value)) return null
  const { ran, policy, resolutions } = value as { ran: boolean; policy: string; resolutions: readonly Resolution[] } & JsonObject
  return { is: (callDigest) => keyedDigest(signer, callDigest) === digest, ran, policy, resolutions }
}

/** Keyed, so that an argument's secret cannot be guessed from it. */
function keyedDigest(signer: Signer, callDigest: string): string {
  return signer.mac(`countersign/call-id/v1\n${callDigest}`)
}

function signedText(name: Name, kept: readonly (string | number)[]): string {
  return `countersign/call-id-row/v1\n${canonicalJson([...name, ...kept])}`
}

/** Each question is answered as it was: nothing is used for it again. */
function restingOn(resolutions: readonly Resolution[]): Resolver | null {
  if (resolutions.length === 0) return null
  return async ({ resolvers }) => {
    const found = resolutions.find(({ by }) => resolvers.includes(by))
    if (found === undefined) return undefined
    return { ...found, reason: 'as the same call of the host was answered before', evidence: { repeated: true } }
  }
}

function denied() {
  return finding({ layer: 'session', rule: 'call-id', verdict: 'deny', code: OTHER.code, message: OTHER.message })
}

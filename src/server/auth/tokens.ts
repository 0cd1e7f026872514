/**
 * Tokens at rest: `tokens.json` of the state directory, mode 0600, holds only SHA-256 digests of 32 random bytes; the
 * local operator's own token stands in `operator-token`, mode 0600. Integrity keeps both from the agent (T22).
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { createFile, privateDirectory, replaceFile } from '../../store/sqlite/files.ts'
import { type AgentClaims, type Caller, isPersonRole, NOBODY, type PersonRole } from './caller.ts'

export const OPERATOR_TOKEN = 'operator-token'
const TOKENS = 'tokens.json'
const PREFIX = 'cst_'

/** A token without its secret. */
export interface TokenEntry {
  readonly id: string
  readonly name: string
  readonly role: PersonRole | 'agent'
  /** Null: every tenant for a person, none for an agent. */
  readonly tenant: string | null
  /** For agents: the caller's role and user that its calls are judged under. */
  readonly as: { readonly role: string | null; readonly user: string | null }
  /** For agents: the tasks that come with their calls are the user's own words. Absent: they are the agent's claims. */
  readonly vouches?: boolean
  /** SHA-256 of the secret, 64 hexadecimal digits. */
  readonly sha256: string
  readonly createdAt: string
  /** Null: until it is revoked. */
  readonly expiresAt: string | null
}

export type NewToken = Omit<TokenEntry, 'id' | 'sha256' | 'createdAt'>

/** The operator's token, made where there is none. The file is the only place it stands in. */
export function ensureOperatorToken(home: string): string {
  privateDirectory(home)
  createFile(home, OPERATOR_TOKEN, new TextEncoder().encode(`${fresh()}\n`))
  return readFileSync(join(home, OPERATOR_TOKEN), 'utf8').trim()
}

/** Every token there is. Throws where the file is damaged: then nobody gets in by a token. */
export function listTokens(home: string): readonly TokenEntry[] {
  const text = readIfThere(join(home, TOKENS))
  if (text === null) return []
  const read = readJson(text)
  const entries = read.ok && isJsonObject(read.value) ? read.value.tokens : undefined
  if (!Array.isArray(entries)) throw new Error(`\`${join(home, TOKENS)}\` is damaged; take it away and make the tokens anew`)
  return entries.map(entryOf)
}

/** Adds a token and gives its secret, which is kept nowhere. */
export function addToken(home: string, token: NewToken, now: number): { readonly entry: TokenEntry; readonly secret: string } {
  const secret = fresh()
  const entry: TokenEntry = {
    ...token,
    id: `tok_${randomBytes(5).toString('hex')}`,
    sha256: digestOf(secret),
    createdAt: new Date(now).toISOString(),
  }
  write(home, [...listTokens(home), entry])
  return { entry, secret }
}

/** False where there is none of this id. */
export function revokeToken(home: string, id: string): boolean {
  const all = listTokens(home)
  const kept = all.filter((entry) => entry.id !== id)
  if (kept.length === all.length) return false
  write(home, kept)
  return true
}

/** Tells who holds a token. The files are read again whenever they change, so that a revoked token ends at once. */
export interface TokenBook {
  readonly callerOf: (secret: string, now: number) => Caller
  /** Whether the token of this digest would still let its person in. */
  readonly holds: (digest: string, now: number) => boolean
}

export function createTokenBook(home: string): TokenBook {
  const operator: Caller = { kind: 'person', name: `human:${userInfo().username}`, role: 'admin', tenant: null, session: null }
  const entries = keptWhileSame(join(home, TOKENS), () => listTokens(home))
  const own = keptWhileSame(join(home, OPERATOR_TOKEN), (path) => {
    const secret = readIfThere(path)?.trim() ?? ''
    return secret === '' ? null : digestOf(secret)
  })
  const find = (digest: string, now: number): Caller => {
    const mine = own()
    // Every entry is compared, found or not: how long it takes tells nothing about which one came near.
    let found: Caller = mine !== null && sameDigest(mine, digest) ? operator : NOBODY
    for (const entry of entries()) if (sameDigest(entry.sha256, digest) && isLive(entry, now)) found = callerFor(entry)
    return found.kind === 'person' ? { ...found, token: digest } : found
  }
  return {
    callerOf: (secret, now) => find(digestOf(secret), now),
    holds: (digest, now) => find(digest, now).kind === 'person',
  }
}

/** Tokens that this process wrote. */
let writes = 0

/**
 * What a file says, read again whenever it changes. It is looked at once in a turn of the event loop: whatever a request of this turn came
 * after was there when the turn began, save what this process writes itself.
 */
function keptWhileSame<T>(path: string, read: (path: string) => T): () => T {
  let kept: { readonly stamp: string; readonly value: T } | null = null
  let looked: number | null = null
  const turnEnds = (): void => {
    looked = null
  }
  return () => {
    if (kept !== null && looked === writes) return kept.value
    if (looked === null) setImmediate(turnEnds)
    const stamp = stampOf(path)
    if (kept === null || kept.stamp !== stamp) kept = { stamp, value: read(path) }
    looked = writes
    return kept.value
  }
}

function callerFor({ id, name, role, tenant, as, vouches = false }: TokenEntry): Caller {
  if (role !== 'agent') return { kind: 'person', name, role, tenant, session: null }
  const claims: AgentClaims = { agent: name, role: as.role, user: as.user, tenant }
  return { kind: 'agent', name, claims, token: id, vouches }
}

function isLive({ expiresAt }: TokenEntry, now: number): boolean {
  return expiresAt === null || Date.parse(expiresAt) > now
}

function fresh(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`
}

/** The secret has 256 random bits, so that a plain hash of it cannot be searched. */
export function digestOf(secret: string): string {
  return hash('sha256', `countersign/token/v1\n${secret}`)
}

/** Compares digests in constant time. */
export function sameDigest(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function write(home: string, entries: readonly TokenEntry[]): void {
  writes += 1
  privateDirectory(home)
  const tokens = entries.map(({ createdAt, expiresAt, as, ...entry }) => ({ ...entry, as, created_at: createdAt, expires_at: expiresAt }))
  replaceFile(home, TOKENS, new TextEncoder().encode(`${JSON.stringify({ version: 1, tokens }, null, 2)}\n`))
}

function entryOf(value: Json): TokenEntry {
  const entry: JsonObject = isJsonObject(value) ? value : {}
  const { id, name, role, tenant = null, sha256, created_at: createdAt, expires_at: expiresAt = null } = entry
  const as: JsonObject = isJsonObject(entry.as) ? entry.as : {}
  const known = role === 'agent' || isPersonRole(role)
  const named = typeof id === 'string' && typeof name === 'string' && typeof sha256 === 'string' && typeof createdAt === 'string'
  if (!known || !named) throw new Error(`an entry of \`${TOKENS}\` is damaged; revoke it and make it anew`)
  return {
    id,
    name,
    role,
    tenant: textOr(tenant),
    as: { role: textOr(as.role), user: textOr(as.user) },
    sha256,
    ...(entry.vouches === true ? { vouches: true } : {}),
    createdAt,
    expiresAt: textOr(expiresAt),
  }
}

function textOr(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function stampOf(path: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(path, { bigint: true })
    return `${mtimeNs}:${size}:${ino}`
  } catch {
    return 'none'
  }
}

import { userInfo } from 'node:os'
import { ACTIONS, isKnownAction } from '../../facts/actions.ts'
import { CAPABILITY_NAMES } from '../../grants/actions.ts'
import type { GrantScope, HeldGrant } from '../../grants/grant.ts'
import { addGrant, GrantError, type Issuer, takeBack } from '../../grants/mint.ts'
import { keysOf } from '../../grants/scope-keys.ts'
import { grantToJson, readGrants, SCOPE_KEYS } from '../../grants/store.ts'
import { stateDirectory } from '../../open.ts'
import { readDate, readDuration } from '../../policy/contracts/dates.ts'
import { nearest } from '../../policy/reading/nearest.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

/** `grants add`: signs a grant and prints its id. */
export async function add(action: string, options: AddOptions): Promise<number> {
  if (options.reason === undefined || options.reason.trim() === '') throw new UsageError('a grant needs a reason: --reason "why"')
  if (!CAPABILITY_NAMES.includes(action) && !isKnownAction(action)) {
    const meant = nearest(action, [...CAPABILITY_NAMES, ...ACTIONS])
    warn(`no table knows the action \`${visible(action)}\`${meant === null ? '' : `; did you mean \`${meant}\`?`}`)
  }
  const lasting = {
    action,
    scope: scopeOf(options.scope ?? [], action),
    binding: {
      session: options.session ?? null,
      role: options.role ?? null,
      user: options.user ?? null,
      agent: options.agent ?? null,
    },
    count: options.count === undefined ? null : count(options.count),
    parent: options.parent ?? null,
    reason: options.reason,
  }
  return withIssuer(async (issuer) => {
    const times = { notBefore: instant(options.notBefore, issuer.now), expires: instant(options.expires, issuer.now) }
    const grant = await addGrant({ ...lasting, ...times }, issuer)
    print(options.json === true ? JSON.stringify(grantToJson(grant)) : grant.id)
  })
}

export interface AddOptions {
  readonly scope?: readonly string[]
  readonly expires?: string
  readonly notBefore?: string
  readonly count?: string
  readonly session?: string
  readonly role?: string
  readonly user?: string
  readonly agent?: string
  readonly parent?: string
  readonly reason?: string
  readonly json?: boolean
}

/** `grants revoke`: takes a grant back at once. */
export async function revoke(id: string, options: { reason?: string }): Promise<number> {
  if (options.reason === undefined || options.reason.trim() === '') throw new UsageError('revoking needs a reason: --reason "why"')
  const { reason } = options
  return withIssuer((issuer) => takeBack(id, reason, issuer))
}

/** `grants list`: every grant in the store, in force or not. */
export async function list(options: { json?: boolean }): Promise<number> {
  const grants = all()
  for (const grant of grants) print(options.json === true ? JSON.stringify(toJson(grant)) : visible(line(grant)))
  if (grants.length === 0 && options.json !== true) print(`no grants; actions that can be granted: ${CAPABILITY_NAMES.join(', ')}`)
  return EXIT.ok
}

/** `grants show`: one grant in full. */
export async function show(id: string): Promise<number> {
  const grant = all().find((each) => each.id === id)
  if (grant === undefined) throw new UsageError(`there is no grant \`${visible(id)}\`; \`countersign grants list\` shows them all`)
  print(JSON.stringify(toJson(grant), null, 2))
  return EXIT.ok
}

function toJson(grant: HeldGrant) {
  return { ...grantToJson(grant), used: grant.used, revoked: grant.revoked }
}

function line(grant: HeldGrant): string {
  const scope = Object.entries(grantToJson(grant).scope ?? {}).map(
    ([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  )
  const uses = `${grant.used}/${grant.count ?? '∞'}`
  const end = grant.expires === null ? 'no end' : new Date(grant.expires).toISOString()
  return [grant.id, grant.action, scope.join(',') || 'anything', uses, end, grant.revoked ? 'revoked' : '', grant.author, grant.reason]
    .filter((part) => part !== '')
    .join('  ')
}

function all(): readonly HeldGrant[] {
  const store = openStore({ directory: stateDirectory() })
  try {
    return store.query((tx) => readGrants(tx, loadKeys(stateDirectory()).ring, store.now()))
  } finally {
    store.close()
  }
}

async function withIssuer(work: (issuer: Issuer) => Promise<void>): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    const { current, ring } = loadKeys(stateDirectory())
    await work({ store, signer: current, ring, author: `user:${userInfo().username}`, now: store.now() })
    return EXIT.ok
  } catch (error) {
    if (error instanceof GrantError) throw new UsageError(error.message)
    throw error
  } finally {
    store.close()
  }
}

/** What was agreed to in every detail is only offered by an approval. */
const KEYS = SCOPE_KEYS.filter(([field]) => field !== 'details')

/** `key=value` pairs; the keys of a scope in a policy. */
function scopeOf(pairs: readonly string[], action: string): GrantScope {
  const scope: Record<string, string | number | boolean> = {}
  for (const pair of pairs) {
    const [key = '', value = ''] = [pair.slice(0, Math.max(pair.indexOf('='), 0)), pair.slice(pair.indexOf('=') + 1)]
    const known = KEYS.find(([, name]) => name === key)
    if (known === undefined || value === '') {
      throw new UsageError(`\`${pair}\` is no scope; write key=value with one of ${KEYS.map(([, name]) => name).join(', ')}`)
    }
    const keys = keysOf(action, isKnownAction)
    if (keys !== null && !keys.includes(key))
      throw new UsageError(`no effect of \`${action}\` has \`${key}\`; it may have ${keys.join(', ')}`)
    scope[known[0]] = scopeValue(known[0], value)
  }
  return scope
}

function scopeValue(field: keyof GrantScope, value: string): string | number | boolean {
  if (field === 'force') {
    if (value !== 'true' && value !== 'false') throw new UsageError(`\`force\` is true or false, not \`${value}\``)
    return value === 'true'
  }
  if (field !== 'maxAmount') return value
  const amount = Number(value)
  if (!Number.isFinite(amount) || amount < 0) throw new UsageError(`\`${value}\` is no amount`)
  return amount
}

/** A date, or a time from now such as `2h`. */
function instant(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const duration = readDuration(text)
  const at = duration === undefined ? readDate(text) : now + duration
  if (at === undefined) throw new UsageError(`\`${text}\` is no time; write \`2h\`, \`7d\` or \`2026-07-01T12:00:00Z\``)
  return at
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`\`${text}\` is not a number of uses`)
  return value
}

/** How far one yes reaches, as a person asks for it, checked against what the approval proposes. Pure. */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { type Grant, type GrantScope, isNarrower } from '../grants/grant.ts'
import { SCOPE_KEYS } from '../grants/store.ts'
import { readDate } from '../policy/contracts/dates.ts'
import type { Refusal, Scope } from './machine.ts'
import { type GrantProposal, widestGrant } from './proposals.ts'
import type { StoredApproval } from './store.ts'

const NO_CHANGES = 'the changes of its preview are not kept, so they cannot be made instead'

/** `once`, `session`, `apply`, or `{ grant: { action, scope, count?, expires? } }` as a proposal offers it, or narrower. */
export type AskedScope = Json

const GRANT = 'grant:'

/** The scope as the machine knows it; undefined scopes are `once`. */
export function scopeOf(asked: AskedScope | undefined, approval: StoredApproval, now: number): Scope | Refusal {
  if (asked === undefined || asked === 'once' || asked === 'session') return asked ?? 'once'
  if (asked === 'apply') return approval.proposals.some(({ kind }) => kind === 'apply') ? asked : refuse(NO_CHANGES)
  if (!isJsonObject(asked) || !isJsonObject(asked.grant) || Object.keys(asked).length !== 1)
    return refuse('a scope is `once`, `session`, `apply`, or a `grant` as it is proposed')
  const wanted = grantIn(asked.grant, approval)
  if (typeof wanted === 'string') return refuse(wanted)
  if ((wanted.expires ?? 0) <= now) return refuse('the grant would end before it begins')
  const { action, scope, count, expires } = wanted
  return `${GRANT}${canonicalJson({ action, scope: { ...scope }, count, expires })}`
}

/** The grant that an approval hands out once it is approved under this scope; null for any other scope. */
export function grantOf(scope: Scope, { proposals }: Pick<StoredApproval, 'proposals'>): Omit<Grant, 'id' | 'author' | 'source'> | null {
  if (!scope.startsWith(GRANT)) return null
  const {
    action,
    scope: within,
    count,
    expires,
  } = JSON.parse(scope.slice(GRANT.length)) as Pick<Grant, 'action' | 'scope' | 'count' | 'expires'>
  const wanted = { action, scope: within, count, expires, notBefore: null, parent: null, reason: '' }
  const proposal = grantsIn(proposals).find((each) => isUnder({ ...wanted, binding: each.binding }, each))
  return proposal === undefined ? null : { ...wanted, binding: proposal.binding }
}

/** A proposal as a form shows it and hands it back. */
export function proposalToJson(proposal: StoredApproval['proposals'][number]): JsonObject {
  if (proposal.kind !== 'grant') return { kind: proposal.kind, text: proposal.text }
  const { action, scope, count, expires, text } = proposal
  const scoped = SCOPE_KEYS.flatMap(([field, key]): [string, Json][] => (scope[field] === undefined ? [] : [[key, scope[field]]]))
  return { kind: 'grant', grant: { action, scope: Object.fromEntries(scoped), count, expires: new Date(expires).toISOString() }, text }
}

function grantsIn(proposals: StoredApproval['proposals']): readonly GrantProposal[] {
  return proposals.filter((each): each is GrantProposal => each.kind === 'grant')
}

type Wanted = Omit<Grant, 'id' | 'author' | 'source'>

/** What was asked for under the proposal that it belongs to, or why it belongs to none. */
function grantIn(json: JsonObject, { proposals }: StoredApproval): Wanted | string {
  const { action, scope, count, expires, ...rest } = json
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return `the field \`${unknown}\` is not known in a grant`
  const within = scopeIn(scope ?? {})
  if (typeof within === 'string') return within
  const offers = grantsIn(proposals).filter((each) => each.action === action)
  if (offers.length === 0) return 'no grant for this action is proposed'
  for (const offer of offers) {
    const wanted = {
      action: offer.action,
      scope: within,
      binding: offer.binding,
      notBefore: null,
      parent: null,
      reason: '',
      count: count === undefined ? offer.count : Number(count),
      expires: expires === undefined ? offer.expires : typeof expires === 'string' ? (readDate(expires) ?? Number.NaN) : Number.NaN,
    }
    if (isUnder(wanted, offer)) return wanted
  }
  return 'the grant is wider than what is proposed'
}

/** At least as narrow, with a real end and a real count. */
function isUnder(wanted: Wanted, offer: GrantProposal): boolean {
  const { count, expires } = wanted
  if (count === null || !Number.isSafeInteger(count) || count < 1 || expires === null || !Number.isSafeInteger(expires)) return false
  return isNarrower({ ...wanted, id: '', author: '', source: 'store' }, widestGrant(offer))
}

function scopeIn(json: Json): GrantScope | string {
  if (!isJsonObject(json)) return 'the scope of a grant is an object'
  const scope: Record<string, Json> = {}
  for (const [key, value] of Object.entries(json)) {
    const known = SCOPE_KEYS.find(([, name]) => name === key)
    if (known === undefined) return `the field \`${key}\` is not known in the scope of a grant`
    const wanted = key === 'max_amount' ? 'number' : key === 'force' ? 'boolean' : key === 'details' ? 'object' : 'string'
    if (typeof value !== wanted || (wanted === 'object' && !isJsonObject(value))) return `the field \`${key}\` must be of type ${wanted}`
    scope[known[0]] = value
  }
  return scope as GrantScope
}

function refuse(message: string): Refusal {
  return { code: 'approval.scope', message }
}

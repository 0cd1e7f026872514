/**
 * How far a yes may reach beyond one call, proposed from what the call would do and never from its tool: the same in this
 * session, or a narrow, expiring, countable grant for one action on one target. Pure.
 */
import { canonicalJson } from '../core/canonical.ts'
import { type Effect, resolvedName } from '../core/effect.ts'
import type { Finding } from '../core/finding.ts'
import type { Json } from '../core/json.ts'
import type { KeptChanges } from '../core/preview.ts'
import { isGateName } from '../grants/actions.ts'
import type { Act } from '../grants/acts.ts'
import { detailsOf, exactName, type Grant, type GrantBinding, type GrantScope, outside } from '../grants/grant.ts'
import { isUnknownName, notTold } from '../grants/identity.ts'
import { NAME_FIELDS } from '../grants/scope-keys.ts'

export interface Reach {
  /** Milliseconds. */
  readonly within: number
  readonly uses: number
}

export interface GrantProposal {
  readonly kind: 'grant'
  readonly action: string
  readonly scope: GrantScope
  /** The most that can be asked for. */
  readonly count: number
  /** Milliseconds since the epoch, at the latest. */
  readonly expires: number
  /** Whose calls it would be for. */
  readonly binding: GrantBinding
  /** For people; holds names that the caller chose, so it has to be escaped where it is shown. */
  readonly text: string
}

export type Proposal = { readonly kind: 'session' | 'apply'; readonly text: string } | GrantProposal

export interface Proposing {
  /** The effects of the call, as grants look at them. */
  readonly acts: readonly Act[]
  /** The open questions; only those that a grant can answer lead to one. */
  readonly asks: readonly Finding[]
  /** Null: not offered. */
  readonly session: Reach | null
  readonly grant: Reach | null
  /** Whose calls a grant would be for; null where nobody is named, and then none is proposed. */
  readonly binding: GrantBinding | null
  readonly now: number
}

/** Something that a yes may not cover beyond this call, and why. */
export interface Withheld {
  readonly action: string
  readonly target: string
  /** For people; a part of a sentence: `its context is not known: name it with …`. */
  readonly why: string
}

export interface Proposed {
  /** In the order in which a form shows them: the session first, then one grant for each gated effect. */
  readonly offers: readonly Proposal[]
  /** Gated effects for which no grant is offered. */
  readonly withheld: readonly Withheld[]
}

export function proposalsFor({ acts, asks, session, grant, binding, now }: Proposing): Proposed {
  const effects = acts.map(({ effect }) => effect)
  const offers: Proposal[] = session === null ? [] : [{ kind: 'session', text: sessionText(effects, session) }]
  const withheld = new Map<string, Withheld>()
  if (grant === null || binding === null) return { offers, withheld: [] }
  const seen = new Set<string>()
  for (const effect of effects.filter((each) => asks.some((ask) => isAbout(ask, each)))) {
    const made = grantFor(effect, { binding, count: grant.uses, expires: now + grant.within })
    const key = typeof made === 'string' ? `${effect.action} ${effect.target.value}` : canonicalJson([made.action, { ...made.scope }])
    if (typeof made === 'string') withheld.set(key, { action: effect.action ?? effect.verb, target: effect.target.value, why: made })
    else if (!seen.has(key)) offers.push(made)
    seen.add(key)
  }
  return { offers, withheld: [...withheld.values()] }
}

/** The changes that the preview showed, instead of the call; nothing where they cannot be made. */
export function applyProposal(kept: KeptChanges | null): readonly Proposal[] {
  if (kept === null || 'problem' in kept) return []
  const names = kept.files === 1 ? 'the one change' : `exactly the ${kept.files} changes`
  return [{ kind: 'apply', text: `${names} of files that the preview shows (${kept.bytes} bytes): the call does not run` }]
}

/** The proposal as the widest grant that can be asked for under it. */
export function widestGrant({ action, scope, count, expires, binding }: GrantProposal): Grant {
  const origin = { parent: null, reason: '', author: '', source: 'store' } as const
  return { id: '', action, scope, binding, notBefore: null, expires, count, ...origin }
}

/** Actions that no list of reversible work holds: leave for them is given one by one. */
const NEVER: ReadonlySet<string> = new Set(['pay', 'opaque', 'persist'])

/**
 * True where the effect says all there is to say of what the call does there, so that a call with the same effect is its
 * like. What is sent, paid or run is not told by its target.
 */
export function isDefinite(effect: Effect, scripts: ReadonlySet<string>): boolean {
  const { verb, target, action } = effect
  if (NEVER.has(verb) || verb === 'send' || !isKnown(effect)) return false
  if (verb === 'execute') return scripts.has(resolvedName(target))
  if (verb === 'write' && target.classes.some((each) => each !== 'plain')) return false
  return action === null || !action.startsWith('code:')
}

/** What stands for a name that the analysis does not know, in whole or in part, is no name; nor is an attribute that is null. */
function isKnown({ target, attributes }: Effect): boolean {
  const names = [target.value, ...Object.values(attributes).filter((value) => typeof value === 'string')]
  if (target.kind === 'unknown' || target.value === '' || names.some(isUnknownName)) return false
  return attributes.unresolved !== true && attributes.mass !== true && Object.values(attributes).every((value) => value !== null)
}

/** A grant answers the question itself, or would have kept the gate of capabilities from asking it. */
function isAbout({ evidence, resolvers, verdict, code }: Finding, { action, target }: Effect): boolean {
  const byGrant = resolvers.includes('grant') || code === 'capability.not_granted'
  return verdict === 'ask' && byGrant && action !== null && evidence.action === action && evidence.target === target.value
}

interface Bounds {
  readonly binding: GrantBinding
  readonly count: number
  readonly expires: number
}

/** The grant that says exactly this effect, or why there is none: what is forced, deleted or not told. */
function grantFor(effect: Effect, { binding, count, expires }: Bounds): GrantProposal | string {
  const { action, verb } = effect
  if (action === null || !isGateName(action) || verb === 'opaque') return 'no grant can be given for it'
  const missing = notTold(effect)
  if (missing !== null) return missing
  const scope = scopeOf(effect)
  const text = `${action} of ${wordsOf(scope)}: up to ${count} more until ${new Date(expires).toISOString()}`
  const proposal: GrantProposal = { kind: 'grant', action, scope, count, expires, binding, text }
  return outside(widestGrant(proposal), effect) ?? proposal
}

/** Everything that is known of the effect, each exactly as it is; amounts up to that of the call. */
function scopeOf(effect: Effect): GrantScope {
  const scope: { -readonly [K in keyof GrantScope]: GrantScope[K] } = { target: exactName(effect) }
  for (const field of NAME_FIELDS) {
    const value = effect.attributes[field]
    if (typeof value === 'string' && value !== '') scope[field] = value
  }
  const { amount, currency } = effect.attributes
  if (typeof amount === 'number' && typeof currency === 'string') {
    scope.maxAmount = amount
    scope.currency = currency
  }
  return { ...scope, details: detailsOf(effect, scope) }
}

/** `target pod/a, context staging, all`. */
function wordsOf({ details = {}, maxAmount, ...names }: GrantScope): string {
  const said = (value: Json | undefined): string => (typeof value === 'string' ? value : canonicalJson(value ?? null))
  const amount = maxAmount === undefined ? [] : [`at most ${maxAmount}`]
  const all = [...Object.entries(names), ...Object.entries(details)]
  return [...all.map(([key, value]) => (value === true ? key : `${key} ${said(value)}`)), ...amount].join(', ')
}

function sessionText(effects: readonly Effect[], { uses, within }: Reach): string {
  const what = effects.map(({ action, verb, target }) => `${action ?? verb} of ${target.value}`)
  return `exactly this in this session (${[...new Set(what)].join('; ')}): up to ${uses} times within ${Math.round(within / 60_000)} minutes`
}

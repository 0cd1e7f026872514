/**
 * A grant: leave for one kind of gated action, within a scope, a time and a count. Pure. A grant covers an effect only
 * where everything it names is known of the effect and equal: what could not be told is outside of it (D9, ROS-24..34).
 */
import { canonicalJson } from '../core/canonical.ts'
import { type Effect, resolvedName } from '../core/effect.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { capabilityOf } from './actions.ts'
import type { NameField } from './scope-keys.ts'
import { NAME_FIELDS, NAME_KEYS, packageOf } from './scope-keys.ts'

/** What the effect must be about; every field that is given must hold. Names may hold `*`, which stands for any run of characters. */
export interface GrantScope extends Readonly<Partial<Record<NameField, string>>> {
  /** Any name of the target: package, remote, repository, branch, host, address. */
  readonly target?: string
  /** Domain of every recipient; subdomains are not meant. */
  readonly recipientDomain?: string
  /** Highest amount of one payment, in `currency`. */
  readonly maxAmount?: number
  readonly currency?: string
  /** False, the default: nothing forced, deleted or mirrored. */
  readonly force?: boolean
  /**
   * Every further attribute that the effect had when somebody said yes to it. Where it is there, the grant covers that very act:
   * the same action, the same target, these attributes and no others. Absent: further attributes do not matter.
   */
  readonly details?: JsonObject
}

/** Whose calls it is for; null: anybody's. */
export interface GrantBinding {
  readonly session: string | null
  readonly role: string | null
  readonly user: string | null
  readonly agent: string | null
  /** Absent as null: of any tenant. */
  readonly tenant?: string | null
}

export interface Grant {
  readonly id: string
  /** A capability (`git:push`), an action of an effect (`gh:pr-merge`), or a family of them (`k8s:*`). */
  readonly action: string
  readonly scope: GrantScope
  readonly binding: GrantBinding
  /** Milliseconds since the epoch; null: from the beginning. */
  readonly notBefore: number | null
  /** Milliseconds since the epoch, exclusive; null: no end. */
  readonly expires: number | null
  /** How many effects it may let through; null: any number. */
  readonly count: number | null
  /** The grant this one was narrowed from; its uses count there, too. */
  readonly parent: string | null
  readonly reason: string
  readonly author: string
  readonly source: 'store' | 'policy' | 'file'
}

/** A grant with what has become of it. */
export interface HeldGrant extends Grant {
  readonly used: number
  readonly revoked: boolean
}

export interface Asking extends GrantBinding {
  /** Milliseconds since the epoch. */
  readonly now: number
}

const BOUND = ['session', 'role', 'user', 'agent', 'tenant'] as const

/** Why the grant does not hold for this caller at this time; null where it does. */
export function lapse(grant: HeldGrant, asking: Asking): string | null {
  if (grant.revoked) return 'it was revoked'
  if (grant.notBefore !== null && asking.now < grant.notBefore) return 'it does not hold yet'
  if (grant.expires !== null && asking.now >= grant.expires) return 'it expired'
  if (grant.count !== null && grant.used >= grant.count) return 'it is used up'
  for (const key of BOUND) {
    const wanted = grant.binding[key] ?? null
    if (wanted !== null && wanted !== (asking[key] ?? null)) return `it is for another ${key}`
  }
  return null
}

/** Why the effect is outside of the grant; null where the grant covers it. */
export function outside(grant: Grant, effect: Effect): string | null {
  if (!coversAction(grant, effect)) return 'it is for another action'
  const { scope } = grant
  if (scope.force !== true && isForced(effect)) return 'it does not cover force, deletion or mirroring'
  if (effect.attributes.astray === true && PLACES.some((place) => scope[place] !== undefined))
    return 'its remote or context may lead elsewhere than the name says'
  if (scope.target !== undefined && !isNamed(scope, effect)) return 'it is for another target'
  const other = otherName(scope, effect)
  if (other !== null) return other
  if (scope.recipientDomain !== undefined && !toDomain(scope.recipientDomain, effect)) return 'a recipient is outside of its domain'
  return overAmount(scope, effect) ?? otherDetails(scope, effect)
}

const PLACES = ['target', 'remote', 'repository', 'host', 'context', 'cluster', 'namespace'] as const

function isForced({ attributes }: Effect): boolean {
  return attributes.force === true || attributes.delete === true || attributes.mirror === true
}

function otherName(scope: GrantScope, effect: Effect): string | null {
  for (const field of NAME_FIELDS) {
    const wanted = scope[field]
    const problem = wanted === undefined ? null : otherThan(wanted, NAME_KEYS[field].read(effect))
    if (problem !== null) return problem === 'unknown' ? `its ${field} is not known` : `it is for another ${field}`
  }
  return null
}

/** True where the child asks for nothing that the parent does not hold, and is bound at least as tightly. */
export function isNarrower(child: Grant, parent: Grant): boolean {
  return (
    covered(child.action, parent.action) &&
    (parent.count === null || (child.count !== null && child.count <= parent.count)) &&
    (parent.expires === null || (child.expires !== null && child.expires <= parent.expires)) &&
    (parent.notBefore === null || (child.notBefore !== null && child.notBefore >= parent.notBefore)) &&
    BOUND.every((key) => (parent.binding[key] ?? null) === null || parent.binding[key] === child.binding[key]) &&
    narrowerScope(child.scope, parent.scope)
  )
}

function narrowerScope(child: GrantScope, parent: GrantScope): boolean {
  if (child.force === true && parent.force !== true) return false
  if (parent.maxAmount !== undefined && (child.maxAmount === undefined || child.maxAmount > parent.maxAmount)) return false
  if (parent.currency !== undefined && child.currency !== parent.currency) return false
  if (parent.details !== undefined && (child.details === undefined || !same(parent.details, child.details))) return false
  return TEXTS.every((key) => {
    const outer = parent[key]
    const inner = child[key]
    // A child's own pattern could match more than the parent's: only the same text, or a plain name, is surely narrower.
    return outer === undefined || inner === outer || (inner !== undefined && !inner.includes('*') && matches(outer, inner))
  })
}

const TEXTS = ['target', ...NAME_FIELDS, 'recipientDomain'] as const

function covered(action: string, by: string): boolean {
  return action === by || (by.endsWith(':*') && action.startsWith(by.slice(0, -1)))
}

function coversAction({ action: granted, scope }: Grant, { action }: Effect): boolean {
  if (action === null) return false
  // A yes to publishing is none to taking back, though a grant of the policy by that name is for both.
  if (scope.details !== undefined) return action === granted
  return covered(action, granted) || capabilityOf(action) === granted
}

/** `unknown` where a name is not known, `other` where one does not match. */
function otherThan(pattern: string, names: readonly (Json | undefined)[]): 'unknown' | 'other' | null {
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '')) return 'unknown'
  return names.every((name) => typeof name === 'string' && matches(pattern, name)) ? null : 'other'
}

function isNamed({ target, details }: GrantScope, effect: Effect): boolean {
  if (details !== undefined) return exactName(effect) === target
  return namesOf(effect).some((name) => matches(target ?? '', name))
}

/** A file has one name, wherever the call stands. */
export function exactName({ target }: Effect): string {
  return target.kind === 'path' || target.kind === 'script' ? resolvedName(target) : target.value
}

/** Attributes that say nothing of what the act is about: which branch is checked out while another is pushed. */
const ASIDE: ReadonlySet<string> = new Set(['head'])

/** What the effect says of itself beside its target and the names in the scope; what is false or empty says nothing. */
export function detailsOf({ attributes }: Effect, scope: GrantScope): JsonObject {
  const told = (name: string): boolean =>
    ASIDE.has(name) ||
    (NAME_FIELDS.includes(name as NameField) && scope[name as NameField] !== undefined) ||
    (scope.maxAmount !== undefined && (name === 'amount' || name === 'currency'))
  const says = (value: Json): boolean => value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => !told(name) && says(value)))
}

function otherDetails(scope: GrantScope, effect: Effect): string | null {
  const { details } = scope
  if (details === undefined) return null
  const found = detailsOf(effect, scope)
  const names = new Set([...Object.keys(details), ...Object.keys(found)])
  const other = [...names].find((name) => !same(details[name], found[name]))
  return other === undefined ? null : `its \`${other}\` is not what was agreed to`
}

/** Null stands for what is not known, which is never the same. */
function same(a: Json | undefined, b: Json | undefined): boolean {
  return a !== undefined && b !== undefined && a !== null && b !== null && canonicalJson(a) === canonicalJson(b)
}

/** What a `target` of a scope may call it. */
export function namesOf(effect: Effect): readonly string[] {
  const { target, attributes } = effect
  const named = [
    target.kind === 'package' ? packageOf(effect) : target.value,
    target.real,
    attributes.package,
    attributes.remote,
    attributes.repository,
    attributes.url,
    attributes.host,
  ]
  return named.filter((name): name is string => typeof name === 'string' && name !== '')
}

/** Domains of everybody whom the message reaches, copies included, in lower case; null for what is no plain address. */
export function recipientDomains({ target, attributes }: Effect): readonly (string | null)[] {
  const { recipients = '', to = '', cc = '', bcc = '' } = attributes
  const named = [target.value, recipients, to, cc, bcc].filter((names) => names !== null && names !== '')
  const addresses = named.flatMap((names): readonly Json[] => {
    if (typeof names === 'string') return names.split(/[,;]/)
    return Array.isArray(names) ? names : [names]
  })
  return addresses.map(domainOf)
}

function domainOf(name: Json): string | null {
  if (typeof name !== 'string') return null
  const [local = '', host, ...rest] = name.trim().split('@')
  return /^[^\s"<>]+$/.test(local) && rest.length === 0 && host !== undefined ? host.toLowerCase() : null
}

/** What is no plain address is outside of every domain. */
function toDomain(domain: string, effect: Effect): boolean {
  const domains = recipientDomains(effect)
  return domains.length > 0 && domains.every((each) => each === domain.toLowerCase())
}

function overAmount({ maxAmount, currency }: GrantScope, { attributes }: Effect): string | null {
  if (currency !== undefined) {
    if (typeof attributes.currency !== 'string' || attributes.currency === '') return 'its currency is not known'
    if (attributes.currency.toLowerCase() !== currency.toLowerCase()) return 'it is for another currency'
  }
  if (maxAmount === undefined) return null
  const { amount } = attributes
  if (typeof amount !== 'number' || amount < 0) return 'its amount is not known'
  return amount <= maxAmount ? null : 'the amount is above its limit'
}

/** `*` stands for any run of characters; everything else for itself. Linear: greedy with one point of return. */
export function matches(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let index = 0
  while (at < text.length) {
    if (index < pattern.length && pattern[index] === '*') {
      star = index
      resume = at
      index += 1
    } else if (index < pattern.length && pattern[index] === text[at]) {
      index += 1
      at += 1
    } else if (star >= 0) {
      index = star + 1
      resume += 1
      at = resume
    } else return false
  }
  while (pattern[index] === '*') index += 1
  return index === pattern.length
}

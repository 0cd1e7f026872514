/**
 * A grant: leave for one kind of gated action, within a scope, a time and a count. Pure. A grant covers an effect only
 * where everything it names is known of the effect and equal: what could not be told is outside of it (D9, ROS-24..34).
 */
import type { Effect } from '../core/effect.ts'
import type { Json } from '../core/json.ts'
import { capabilityOf } from './actions.ts'

/** What the effect must be about; every field that is given must hold. Names may hold `*`, which stands for any run of characters. */
export interface GrantScope {
  /** Any name of the target: package, remote, repository, branch, host, address. */
  readonly target?: string
  readonly package?: string
  readonly remote?: string
  readonly branch?: string
  readonly repository?: string
  readonly host?: string
  /** Domain of every recipient; subdomains are not meant. */
  readonly recipientDomain?: string
  /** Highest amount of one payment, in `currency`. */
  readonly maxAmount?: number
  readonly currency?: string
  /** False, the default: nothing forced, deleted or mirrored. */
  readonly force?: boolean
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
  if (!coversAction(grant.action, effect)) return 'it is for another action'
  const { scope } = grant
  const { attributes } = effect
  if (scope.force !== true && (attributes.force === true || attributes.delete === true || attributes.mirror === true))
    return 'it does not cover force, deletion or mirroring'
  const places = scope.target ?? scope.remote ?? scope.repository ?? scope.host
  if (attributes.astray === true && places !== undefined) return 'its remote may lead elsewhere than the one of the call’s own repository'
  if (scope.target !== undefined && !namesOf(effect).some((name) => matches(scope.target ?? '', name))) return 'it is for another target'
  for (const [key, names] of Object.entries(NAMED) as [keyof typeof NAMED, (typeof NAMED)[keyof typeof NAMED]][]) {
    const wanted = scope[key]
    if (wanted !== undefined && !within(wanted, names(effect))) return `it is for another ${key}`
  }
  if (scope.recipientDomain !== undefined && !toDomain(scope.recipientDomain, effect)) return 'a recipient is outside of its domain'
  return overAmount(scope, effect)
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
  return TEXTS.every((key) => {
    const outer = parent[key]
    const inner = child[key]
    // A child's own pattern could match more than the parent's: only the same text, or a plain name, is surely narrower.
    return outer === undefined || inner === outer || (inner !== undefined && !inner.includes('*') && matches(outer, inner))
  })
}

const TEXTS = ['target', 'package', 'remote', 'branch', 'repository', 'host', 'recipientDomain'] as const

function covered(action: string, by: string): boolean {
  return action === by || (by.endsWith(':*') && action.startsWith(by.slice(0, -1)))
}

function coversAction(granted: string, { action }: Effect): boolean {
  if (action === null) return false
  return covered(action, granted) || capabilityOf(action) === granted
}

const NAMED = {
  package: (effect: Effect) => [packageOf(effect)],
  remote: ({ attributes }: Effect) => [attributes.remote],
  branch: ({ attributes }: Effect) => (attributes.all === true || attributes.tags === true ? [null] : split(attributes.branch)),
  repository: ({ target, attributes }: Effect) => [
    attributes.repository ?? attributes.url ?? (target.kind === 'repository' ? target.value : null),
  ],
  host: ({ target, attributes }: Effect) => [attributes.host ?? target.real],
} as const satisfies Record<string, (effect: Effect) => readonly (Json | undefined)[]>

/** Its own name where that is known or known to be unknown: a folder or a file is no name of a package. */
function packageOf({ target, attributes }: Effect): Json | undefined {
  if (Object.hasOwn(attributes, 'package')) return attributes.package
  return target.kind === 'package' ? target.value : undefined
}

/** Several branches are pushed as one text; each must be covered. */
function split(value: Json | undefined): readonly (Json | undefined)[] {
  return typeof value === 'string' ? value.split(' ') : [value]
}

function within(pattern: string, names: readonly (Json | undefined)[]): boolean {
  return names.length > 0 && names.every((name) => typeof name === 'string' && matches(pattern, name))
}

function namesOf(effect: Effect): readonly string[] {
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

/** Everybody whom the message reaches, copies included; what is no plain address is outside of every domain. */
function toDomain(domain: string, { target, attributes }: Effect): boolean {
  const { recipients = '', to = '', cc = '', bcc = '' } = attributes
  const named = [target.value, recipients, to, cc, bcc].filter((names) => names !== null && names !== '')
  const addresses = named.flatMap((names): readonly Json[] => {
    if (typeof names === 'string') return names.split(/[,;]/)
    return Array.isArray(names) ? names : [names]
  })
  return addresses.length > 0 && addresses.every((name) => isAt(name, domain))
}

function isAt(name: Json, domain: string): boolean {
  if (typeof name !== 'string') return false
  const [local = '', host, ...rest] = name.trim().split('@')
  return /^[^\s"<>]+$/.test(local) && rest.length === 0 && host?.toLowerCase() === domain.toLowerCase()
}

function overAmount({ maxAmount, currency }: GrantScope, { attributes }: Effect): string | null {
  if (currency !== undefined && String(attributes.currency).toLowerCase() !== currency.toLowerCase()) return 'it is for another currency'
  if (maxAmount === undefined) return null
  const { amount } = attributes
  return typeof amount === 'number' && amount <= maxAmount && amount >= 0 ? null : 'the amount is above its limit, or not known'
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

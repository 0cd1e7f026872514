/**
 * What grants are found by: the action, the narrowest exact name of the scope, and whom they are for. Every grant that covers an
 * effect has one of the effect's keys; whether one that has a key covers the effect, only the grant itself tells. Pure.
 */
import type { Effect } from '../core/effect.ts'
import { capabilityOf } from './actions.ts'
import { exactName, type GrantBinding, type GrantScope, namesOf, recipientDomains } from './grant.ts'
import { NAME_FIELDS, NAME_KEYS } from './scope-keys.ts'

/** The key of a grant that names nothing exactly, or is for anybody. */
export const ANY_KEY = ''

/** Of a scope: its first name without a pattern. */
export function subjectKey(scope: GrantScope): string {
  const { target, details, recipientDomain } = scope
  if (target !== undefined && (details !== undefined || isExact(target))) return keyOf('target', target)
  for (const field of NAME_FIELDS) {
    const name = scope[field]
    if (name !== undefined && isExact(name)) return keyOf(field, name)
  }
  return recipientDomain === undefined ? ANY_KEY : keyOf('recipient', recipientDomain.toLowerCase())
}

/** Every subject key that a grant for this effect can have. */
export function subjectKeysFor(effect: Effect): readonly string[] {
  const keys = new Set([ANY_KEY])
  const add = (field: string, names: readonly unknown[]): void => {
    for (const name of names) if (typeof name === 'string') keys.add(keyOf(field, name))
  }
  add('target', [...namesOf(effect), exactName(effect)])
  for (const field of NAME_FIELDS) add(field, NAME_KEYS[field].read(effect))
  add('recipient', recipientDomains(effect))
  return [...keys]
}

/** The narrowest first: a session is one agent's. */
const HOLDERS = ['session', 'agent', 'user', 'role', 'tenant'] as const

export function holderKey(binding: GrantBinding): string {
  for (const field of HOLDERS) {
    const name = binding[field] ?? null
    if (name !== null) return keyOf(field, name)
  }
  return ANY_KEY
}

/** Every holder key that a grant for this caller can have. */
export function holderKeysFor(asking: GrantBinding): readonly string[] {
  const own = HOLDERS.flatMap((field) => {
    const name = asking[field] ?? null
    return name === null ? [] : [keyOf(field, name)]
  })
  return [ANY_KEY, ...own]
}

/** Every action of a grant that covers effects of this one: itself, its capability, the families that it is in. */
export function actionsFor(action: string): readonly string[] {
  const capability = capabilityOf(action)
  const families = [...action.matchAll(/:/g)].map(({ index }) => `${action.slice(0, index)}:*`)
  return [...new Set([action, ...(capability === null ? [] : [capability]), ...families])]
}

function isExact(pattern: string): boolean {
  return !pattern.includes('*')
}

/** Text that no index can hold as it is does not narrow the search, on either side. */
function keyOf(field: string, name: string): string {
  return name.isWellFormed() && !name.includes('\0') ? `${field}=${name}` : ANY_KEY
}

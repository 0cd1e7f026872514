/** Why a reader has to look closer at a call: by what it would do, each kind with its own sign, never one red dot for all. Pure. */
import type { Effect } from '../../../src/core/effect.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'

/** In the order in which they are shown. */
export const SEVERITIES = ['money', 'secret', 'production', 'danger'] as const
export type Severity = (typeof SEVERITIES)[number]

const SECRET: ReadonlySet<string> = new Set(['credential', 'gate'])
/** Attributes that name the environment that an effect is on, and the values that mean the real one. */
const WHERE = ['context', 'cluster', 'environment', 'env', 'namespace', 'database', 'host', 'project', 'workspace', 'profile', 'stage']
const REAL = /(?:^|[^a-z])(?:production|prod|prd|live)(?:[^a-z]|$)/i
const DANGER = /^(?:code:remote|code:downloaded|code:decoded|program:unknown|script:unseen|security:|privilege:|fs:delete)/

/** What of these an effect is; none for one that only looks or writes where the agent works. */
export function severitiesOf({ verb, action, target, reversible, attributes }: Effect): readonly Severity[] {
  const found: Severity[] = []
  if (verb === 'pay' || action?.startsWith('payment:') === true) found.push('money')
  if (target.classes.some((each) => SECRET.has(each))) found.push('secret')
  if (verb !== 'read' && (WHERE.some((name) => isReal(attributes[name])) || (target.kind === 'host' && REAL.test(target.value))))
    found.push('production')
  const lost = !reversible && (verb === 'delete' || verb === 'publish' || verb === 'persist')
  if (lost || (action !== null && DANGER.test(action))) found.push('danger')
  return found
}

function isReal(value: Json | undefined): boolean {
  return typeof value === 'string' && REAL.test(value)
}

const AMOUNT = ['amount', 'currency']
const ACCOUNTS = ['payee', 'account', 'iban', 'recipient', 'beneficiary']

/** `500 EUR to ACME, iban DE89…`; null for what moves no money. What is not known is said to be unknown. */
export function moneyOf({ verb, target, attributes }: Effect): string | null {
  if (verb !== 'pay') return null
  const [amount, currency] = AMOUNT.map((name) => textOf(attributes, name))
  const sum = amount === null ? 'an unknown amount' : [amount, currency].filter((part) => part != null).join(' ')
  const others = ACCOUNTS.flatMap((name) => {
    const value = textOf(attributes, name)
    return value === null || value === target.value ? [] : [`${name} ${value}`]
  })
  return [`${sum} to ${target.value === '' ? 'somebody unknown' : target.value}`, ...others].join(', ')
}

function textOf(attributes: JsonObject, name: string): string | null {
  const value = attributes[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

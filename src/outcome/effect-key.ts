/**
 * Which effects of a call do more when the call comes a second time, and by what a repetition is told: the effect, its target and the
 * arguments that matter. Wording, order, output options and keys of one request do not matter: a model writes them anew each time.
 */
import type { ToolCall } from '../core/call.ts'
import type { Effect } from '../core/effect.ts'
import { own } from '../core/json.ts'
import type { Facts } from '../facts/facts.ts'
import type { ToolPattern } from '../policy/glob.ts'
import type { Policy } from '../policy/policy.ts'
import { isKeyName, keyIn } from './idempotency.ts'
import { type Leaf, leavesOfJson, leavesOfQuery, leavesOfWords } from './leaves.ts'

export interface KeyedEffect {
  readonly effect: Effect
  /** Canonical: equal for two calls that would do the same thing. */
  readonly matter: readonly (string | readonly string[])[]
  /** The key by which whoever acts tells a repetition; null: the call carries none that is known. */
  readonly idempotency: string | null
}

/** Empty for a call that may be repeated. */
export function keyedEffects(call: ToolCall, facts: Facts, { outcome: section, registry }: Said): readonly KeyedEffect[] {
  const matches = (pattern: ToolPattern): boolean => pattern.matches(call.tool.server, call.tool.name)
  if (section.idempotent.some(matches)) return []
  const found = facts.effects.filter((effect) => doesMore(effect, call, registry))
  if (found.length === 0) return []
  const named = section.keys.filter(({ tool }) => matches(tool)).map(({ argument }) => own(call.args, argument))
  const given = named.find((value) => typeof value === 'string' || typeof value === 'number')
  const keyed = found.map((effect): KeyedEffect => {
    const leaves = [...leavesFor(effect, call, facts), ...(effect.target.kind === 'url' ? leavesOfQuery(effect.target.value) : [])]
    return { effect, matter: matterOf(effect, leaves), idempotency: given === undefined ? keyIn(effect, leaves) : String(given) }
  })
  return [...new Map(keyed.map((each) => [JSON.stringify(each.matter), each])).values()]
}

/** Acts that are one more each time they are done, whatever the tool. */
const ONE_MORE: ReadonlySet<string> = new Set([
  ...['gh:issue', 'gh:comment', 'gh:gist', 'gh:workflow-run', 'ci:command', 'message:announce', 'calendar:invite', 'feedback:send'],
  ...['chain:call', 'chain:deploy', 'cloud:create', 'vm:create', 'cluster:submit', 'resource:create', 'service:call', 'payment:billing'],
])
const NOT_PAID: ReadonlySet<string> = new Set(['pay:read', 'pay:change'])
/** Of what these would do the analysis knows nothing. */
const UNTOLD: ReadonlySet<string> = new Set(['tool:unknown', 'tool:open-world', 'tool:execute'])

type Said = Pick<Policy, 'outcome' | 'registry'>

function doesMore(effect: Effect, call: ToolCall, registry: Said['registry']): boolean {
  const { verb, action, attributes } = effect
  if (verb === 'pay') return !NOT_PAID.has(action ?? '')
  if (action !== null && ONE_MORE.has(action)) return true
  if (verb === 'send') return isMessage(action) || isPost(effect)
  if (verb === 'write') return action === 'sql:insert' && typeof attributes.host === 'string' && !isHere(attributes.host)
  if (action === 'tool:destructive') return !effect.reversible && !saidIdempotent(call)
  // Most tools that nobody described look things up, and are called again all day: the policy says which cannot be undone.
  return action !== null && UNTOLD.has(action) && isFinal(call, registry) && !saidIdempotent(call)
}

function isFinal({ tool: { server, name } }: ToolCall, { tools }: Said['registry']): boolean {
  const found = (server === null ? undefined : tools.get(`${server}/${name}`)) ?? tools.get(name)
  return found?.irreversible === true
}

function isMessage(action: string | null): boolean {
  return action !== null && /^(?:mail|message|chat|sms):/.test(action)
}

/** RFC 9110, 9.2.2: PUT and DELETE may be repeated, POST and PATCH not. */
function isPost({ target, attributes: { method } }: Effect): boolean {
  return target.kind === 'url' && target.scope !== 'loopback' && (method === 'POST' || method === 'PATCH')
}

function isHere(host: string): boolean {
  return host === 'localhost' || host.startsWith('127.') || host === '::1' || host.startsWith('/')
}

/** Whoever would act twice says so: a server that lies about it could as well do it twice by itself. */
function saidIdempotent({ definition }: ToolCall): boolean {
  const annotations = definition?.annotations ?? null
  return annotations !== null && (own(annotations, 'idempotentHint') === true || own(annotations, 'readOnlyHint') === true)
}

function leavesFor({ span }: Effect, { args }: ToolCall, { commands }: Facts): readonly Leaf[] {
  const whole = (): readonly Leaf[] => leavesOfJson(args)
  if (span === null) return whole()
  const around = commands
    .filter((command) => command.span.pointer === span.pointer && command.span.start <= span.start && span.end <= command.span.end)
    .toSorted((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0]
  return around === undefined ? whole() : leavesOfWords(around.argv.slice(1))
}

const AMOUNT = /^(?:amount|total|price|sum|value|unitamount|amountcents|quantity)$/
const PAYMENT = new RegExp(
  `${AMOUNT.source}|^(?:currency|to|payee|recipient|destination|beneficiary|iban|bic|customer|source|account|wallet|address|invoice|order|charge|card` +
    '|paymentintent|paymentmethod|subscription)(?:id|number)?$',
)
/** How something is said or shown, not what is done. */
const WORDING = /^(?:description|memo|notes?|reason|comment|metadata|label|statementdescriptor|reference)$/
const BODY = /^(?:body|text|html|content|message|plain)$/
const NO_MATTER = new RegExp(
  '^(?:authorization|useragent|accept|contenttype|traceparent|requestid|xrequestid|correlationid|nonce|timestamp|verbose|quiet|silent|showerror' +
    '|output|writeout|format|retry|retrydelay|maxtime|connecttimeout|timeout|debug|fail|failwithbody|include|compressed|user|noprogressmeter' +
    '|s|ss|sss|fss|fs|fsss|v|i|o|w|m|u|l|g|f|d|h|k|j|y|yes)$',
)

function matterOf({ verb, action, target }: Effect, all: readonly Leaf[]): KeyedEffect['matter'] {
  const leaves = all.filter(({ name }) => !NO_MATTER.test(name) && !isKeyName(name))
  return [verb, action ?? '', target.kind, placeOf(target), ...chosen(verb, action, leaves)]
}

function chosen(verb: Effect['verb'], action: string | null, leaves: readonly Leaf[]): readonly (readonly string[])[] {
  if (verb === 'pay') {
    const money = leaves.filter(({ name }) => PAYMENT.test(name))
    return sorted(money.some(({ name }) => AMOUNT.test(name)) ? money : leaves.filter(({ name }) => !WORDING.test(name)))
  }
  const subject = isMessage(action) && leaves.some(({ name }) => name === 'subject')
  return sorted(subject ? leaves.filter(({ name }) => !BODY.test(name)) : leaves)
}

function sorted(leaves: readonly Leaf[]): readonly (readonly string[])[] {
  const pairs = new Map(leaves.map(({ name, value }) => [JSON.stringify([name, value]), [name, value]]))
  return [...pairs].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
}

/** An address without its query, which is looked at by its parts; mail addresses have no case. */
function placeOf({ kind, value }: Effect['target']): string {
  if (kind === 'url') return value.split(/[?#]/)[0]?.replace(/\/$/, '') ?? value
  return kind === 'address' ? value.toLowerCase() : value
}

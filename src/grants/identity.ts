/**
 * Whether an effect says all that tells it from another one of its kind. A yes that reaches beyond one call holds only what is known
 * of the effect, so that what is not known would be open: a grant is then not offered, and a session holds that very call. Pure.
 */
import type { Effect } from '../core/effect.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { NAME_KEYS, type NameField, packageOf } from './scope-keys.ts'

/** Null where it is known; else what is missing and how the call could say it. */
type Need = (effect: Effect) => string | null

const NEEDS: ReadonlyMap<string, readonly Need[]> = new Map<string, readonly Need[]>([
  ['git:push', [name('branch', 'name the branch'), remoteAddress]],
  ['npm:publish', [packageName]],
  ['crates:publish', [packageName]],
  ['docker:push', []],
  ['gh:pr-create', [repositoryName]],
  ['k8s:delete', [name('context', 'name it with `--context`'), namespace]],
  ['k8s:drain', [name('context', 'name it with `--context`')]],
  ['sql:drop', [database]],
  ['sql:truncate', [database, name('table', 'write the statement out')]],
  ['mail:send', [recipients]],
  ...['transfer', 'refund', 'charge'].flatMap((act): [string, readonly Need[]][] => [
    [`payment:${act}`, [money, payee]],
    [`pay:${act}`, [money, payee]],
  ]),
  ['cloud:delete', [cloudPlace]],
])

/** True where its action is one of those whose effects tell everything, however the call is written. */
export function isIdentifiedByAction({ action }: Effect): boolean {
  return action === null || NEEDS.has(action)
}

/** Why no standing yes can hold the effect; null where its own attributes tell it from every other. As `actsOf` gives it. */
export function notTold(effect: Effect): string | null {
  const { action, target, attributes } = effect
  if (target.kind === 'unknown' || target.value === '' || isUnknownName(target.value)) return 'its target is not known'
  const missing = (NEEDS.get(action ?? '') ?? []).map((need) => need(effect)).find((problem) => problem !== null)
  if (missing !== undefined && missing !== null) return missing
  const open = Object.entries(attributes).find(([, value]) => value === null || (typeof value === 'string' && isUnknownName(value)))
  if (open !== undefined) return `its \`${open[0]}\` is not known before it runs`
  if (attributes.astray === true) return 'where it leads may be changed by the call itself'
  if (attributes.unresolved === true || attributes.mass === true) return 'it may be about more than its target says'
  if (holdsPassword(target.value)) return 'a password is part of its target'
  const { untold } = attributes
  if (!Array.isArray(untold)) return null
  return `its effects do not tell all that the ${untold.includes('command') ? 'command says' : `arguments say: ${untold.join(', ')}`}`
}

const UNKNOWN = /[*$]|\((?:unknown|empty)\)/
function holdsPassword(text: string): boolean {
  return URL.canParse(text) && new URL(text).password !== ''
}

/** What stands for a name that the analysis does not know, in whole or in part, is no name. */
export function isUnknownName(text: string): boolean {
  return UNKNOWN.test(text)
}

/** Arguments whose content is free text: two calls that differ in nothing else do the same to the same. */
const FREE: ReadonlySet<string> = new Set(
  (
    'subject body text html content contents message description memo note notes reason comment title summary file_text new_string old_string ' +
    'idempotency_key idempotencyKey request_id requestId client_token clientToken'
  ).split(' '),
)

/** Names of the arguments that no effect repeats as its target or as an attribute. */
export function unreportedArguments(args: JsonObject, effects: readonly Effect[]): readonly string[] {
  const told = new Set<string>(['', 'false'])
  for (const { target, attributes } of effects) {
    for (const text of [target.value, target.real ?? '']) for (const part of [text, ...text.split(/[/:\s]/)]) told.add(part)
    for (const [key, value] of Object.entries(attributes)) for (const leaf of leavesOf(value, key)) told.add(leaf)
  }
  return Object.entries(args).flatMap(([key, value]) =>
    FREE.has(key) || leavesOf(value, key).every((leaf) => told.has(leaf)) ? [] : [key],
  )
}

/** Texts and numbers as text; what is only true, by its name. */
function leavesOf(value: Json, key: string): readonly string[] {
  if (value === null) return []
  if (value === true) return [`true:${key.replace(/[_-]/g, '').toLowerCase()}`]
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, key))
  if (typeof value === 'object') return Object.entries(value).flatMap(([name, each]) => (FREE.has(name) ? [] : leavesOf(each, name)))
  return [String(value)]
}

function name(field: NameField, how: string): Need {
  return (effect) => {
    const names = NAME_KEYS[field].read(effect)
    const known = names.length === 1 && names.every((each) => typeof each === 'string' && each !== '' && !isUnknownName(each))
    return known ? null : `its ${field} is not known: ${how}`
  }
}

/** A remote by name leads wherever the configuration of a repository says. */
function remoteAddress({ attributes: { remote, url, astray } }: Effect): string | null {
  const known = astray !== true && (typeof url === 'string' || (typeof remote === 'string' && /[:/]/.test(remote)))
  return known
    ? null
    : `where the remote \`${typeof remote === 'string' ? remote : 'of the push'}\` leads is not known: name it by its address`
}

function packageName(effect: Effect): string | null {
  const found = packageOf(effect)
  return typeof found === 'string' && found !== '' && !/^[./~]/.test(found) ? null : 'the name of its package is not known'
}

/** `origin` stands for whatever repository the call runs in. */
function repositoryName({ target, attributes: { repository } }: Effect): string | null {
  const named = typeof repository === 'string' ? repository : target.value
  return /^[\w.-]+\/[\w./-]+$/.test(named) ? null : 'its repository is not known: name it with `--repo`'
}

/** Cluster-wide things and `--all-namespaces` need none; any other command takes the one that the kubeconfig happens to name. */
function namespace(effect: Effect): string | null {
  if (effect.attributes.all_namespaces === true || CLUSTER_WIDE.test(effect.target.value)) return null
  return name('namespace', 'name it with `--namespace`')(effect)
}

const CLUSTER_WIDE =
  /^(?:namespaces?|ns|nodes?|no|persistentvolumes?|pv|crds?|customresourcedefinitions?|clusterroles?|clusterrolebindings?|storageclass(?:es)?)(?:\/|$)/

/** A server's address, in the target or beside it, or the whole path of a file. */
function database({ target, attributes: { host } }: Effect): string | null {
  const { value } = target
  if (/^[a-z][a-z0-9+.-]{0,30}:\/\/[^/]{1,250}\/\w/i.test(value) || value.startsWith('/')) return null
  if (typeof host !== 'string' || host === '' || isUnknownName(host))
    return 'its host is not known: name it with `--host` or in the address'
  return value === 'default' ? 'its database is not known: name it' : null
}

function recipients({ target, attributes }: Effect): string | null {
  const all = [target.value, ...Object.values(attributes).flatMap((value) => (Array.isArray(value) ? value : []))]
  return all.every((each) => typeof each === 'string' && /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(each)) ? null : 'who gets it is not known'
}

function money({ attributes: { amount, currency } }: Effect): string | null {
  if (typeof amount !== 'number' || amount < 0) return 'its amount is not known as a number'
  return typeof currency === 'string' && currency !== '' ? null : 'its currency is not known'
}

/** The tool's own name stands where no argument says who is paid. */
function payee(effect: Effect): string | null {
  const { target, attributes } = effect
  const said = [attributes.payee, attributes.recipient, attributes.iban].some((each) => typeof each === 'string' && each !== '')
  const listed = Array.isArray(attributes.recipients) && attributes.recipients.length > 0
  return said || listed || (target.kind === 'account' && target.value !== attributes.tool && target.value !== 'unknown')
    ? null
    : 'who is paid is not known'
}

/** What each provider needs so that a name is that of one thing. */
const PLACES: Readonly<Record<string, readonly (readonly [attribute: string, how: string])[]>> = {
  aws: [
    ['profile', 'name it with `--profile`'],
    ['region', 'name it with `--region`'],
  ],
  gcloud: [['project', 'name it with `--project`']],
  azure: [
    ['subscription', 'name it with `--subscription`'],
    ['resource_group', 'name it with `--resource-group`'],
  ],
}

function cloudPlace({ attributes }: Effect): string | null {
  const { provider } = attributes
  const places = typeof provider === 'string' && Object.hasOwn(PLACES, provider) ? (PLACES[provider] ?? []) : null
  if (places === null) return 'the account of the cloud is not known'
  const missing = places.find(([attribute]) => typeof attributes[attribute] !== 'string')
  return missing === undefined ? null : `its ${missing[0].replace('_', ' ')} is not known: ${missing[1]}`
}

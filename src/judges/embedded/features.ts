/**
 * A payload → the numbers of its features, for the statistical judge. A feature is there or not: whatever is added to a call
 * adds features and takes none away. Names, addresses and figures are folded, so that no constant of anybody is a feature.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'

export interface Features {
  /** Of effects, findings and facts, by name: an explanation can say them. */
  readonly named: ReadonlyMap<number, string>
  /** Of the text of the call: words, pairs of words, and runs of four characters. */
  readonly text: ReadonlySet<number>
}

const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a over UTF-16 units, with a final mix, 32 bits unsigned. */
export function hashOf(text: string): number {
  let hash = BASIS
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  return mixed(hash)
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

/** The features of what a judge is shown of a call. Linear in its size; reads own properties only. */
export function featuresOf(body: JsonObject): Features {
  const named = new Map<number, string>()
  const add = (name: string): void => {
    named.set(hashOf(name), name)
  }
  const call = object(own(body, 'proposed_tool_call'))
  const strings = stringsIn(own(call, 'arguments'))
  const effects = objects(own(body, 'effects'))
  for (const effect of effects) effectFeatures(effect, add)
  for (const finding of objects(own(body, 'findings'))) findingFeatures(finding, add)
  factFeatures(object(own(body, 'facts')), add)
  nameFeatures(own(call, 'name'), add)
  if (isUnasked(strings, own(body, 'task'))) {
    add('names what nobody asked for')
    for (const effect of effects) add(`${word(own(effect, 'verb'))}, naming what nobody asked for`)
  }
  const text = new Set<number>()
  for (const each of strings) textFeatures(folded(each), text)
  return { named, text }
}

function effectFeatures(effect: JsonObject, add: (name: string) => void): void {
  const verb = word(own(effect, 'verb'))
  const action = word(own(effect, 'action'))
  const target = object(own(effect, 'target'))
  const kind = word(own(target, 'kind') ?? own(effect, 'kind'))
  const scope = word(own(target, 'scope') ?? own(effect, 'scope'))
  const certainty = word(own(effect, 'certainty'))
  const fixed = own(effect, 'reversible') === false ? 'for good' : 'for now'
  add(`${verb} ${kind} ${scope}`)
  add(`${verb} ${kind} ${scope} ${fixed} ${certainty}`)
  add(`${verb} ${fixed}`)
  if (action !== '') add(`${verb} as ${action}`)
  if (action !== '') add(`${verb} as ${action} ${kind} ${scope}`)
  for (const each of texts(own(target, 'classes'))) {
    add(`${verb} of ${each}`)
    add(`${verb} of ${each} ${scope} ${fixed}`)
  }
  const attributes = object(own(effect, 'attributes'))
  for (const key of Object.keys(attributes)) if (own(attributes, key) === true) add(`${verb} ${action} ${key}`)
  const reason = own(effect, 'reason')
  if (verb === 'opaque' && typeof reason === 'string') add(`opaque: ${reason.replaceAll(/`[^`]*`/g, '`').replaceAll(/\d/g, '0')}`)
}

/** Names of rules are the operator's own, save those of the packs. */
function findingFeatures(finding: JsonObject, add: (name: string) => void): void {
  const [layer, code, verdict] = ['layer', 'code', 'verdict'].map((key) => word(own(finding, key)))
  if (verdict === 'allow' || verdict === 'abstain') return
  add(`found ${layer} ${verdict}`)
  add(`found ${code}`)
  if (layer === 'hazard') add(`hazard ${word(own(finding, 'rule'))}`)
}

function factFeatures(facts: JsonObject, add: (name: string) => void): void {
  if (own(facts, 'coverage') !== 'full') add('not fully told')
  for (const hidden of objects(own(facts, 'hidden_characters'))) add(`hidden ${word(own(hidden, 'kind'))}`)
  for (const command of objects(own(facts, 'commands'))) {
    add(`program ${word(own(command, 'program')).toLowerCase()}`)
    for (const wrapper of texts(own(command, 'wrappers'))) add(`under ${wrapper}`)
  }
}

/** `send_money`, `sendMoney` and `Send-Money` are two words each. */
function nameFeatures(name: Json | undefined, add: (name: string) => void): void {
  if (typeof name !== 'string') return
  const words = name.slice(0, 128).replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  for (const each of words.toLowerCase().split(/[^a-z]+/)) if (each.length > 1) add(`tool ${each}`)
}

const LEAST = 4
const MOST = 400

/** True where the call names something that does not stand in what the user asked for; never where nobody knows that. */
function isUnasked(strings: readonly string[], task: Json | undefined): boolean {
  if (typeof task !== 'string' || task === '') return false
  const asked = task.slice(0, 20_000).toLowerCase()
  return strings.some((each) => each.length >= LEAST && each.length <= MOST && !asked.includes(each.toLowerCase()))
}

/** Letters in lower case; mail addresses, hosts, numbers and long tokens with figures as one sign each. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[a-z0-9._+-]+/g, (run, at: number, whole: string) => (whole[at + run.length] === '@' ? '' : run))
    .replaceAll(/@[a-z0-9.-]+/g, '@')
    .replaceAll(/:\/\/[^\s/"'`)>]+/g, '://h')
    .replaceAll(/[a-z0-9+=_-]{20,}/g, (run) => (/\d/.test(run) ? '#' : run))
    .replaceAll(/\d+/g, '0')
}

const WORD = /[a-z_0-]+|[^\sa-z_0-]/g

function textFeatures(text: string, into: Set<number>): void {
  for (let index = 0; index + 4 <= text.length; index++) {
    let hash = BASIS
    for (let at = index; at < index + 4; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
    into.add(mixed(hash ^ 0x63))
  }
  let before = BASIS
  for (const [each] of text.matchAll(WORD)) {
    const hash = hashOf(each)
    into.add(mixed(hash ^ 0x77))
    into.add(mixed(Math.imul(before, PRIME) ^ hash))
    before = hash
  }
}

function stringsIn(value: Json | undefined): readonly string[] {
  const found: string[] = []
  const open: (Json | undefined)[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') found.push(next)
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (isJsonObject(next)) for (const item of Object.values(next)) open.push(item)
  }
  return found
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function word(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, 64) : ''
}

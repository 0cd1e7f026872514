/** What a result, and what the user said, leave in the memory of a session: keyed hashes, each with its field and what led to it. Pure. */
import { ACTS, type Act, actsOf, topicsOf } from '../../authorization/language.ts'
import { labelKinds, type Sought } from '../../authorization/located.ts'
import { covers, placesIn, says, type Task } from '../../authorization/task.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { isAccount, isClaimed } from '../../provenance/claim.ts'
import { outwardForms, runsOf, winnowed } from '../../provenance/fingerprint.ts'
import { type HashKey, keyedHash } from '../../provenance/keyed-hash.ts'
import { type Leaf, readResult, textsWithin } from '../../provenance/result.ts'
import { comparedForms, entitiesOf, fold, labelledIn, namesIn, quotedIn, wordsIn } from '../../provenance/text.ts'
import type { AskedFor, Holds, Reach, ResultEvent, Said, SeenValue } from './events.ts'
import { type Selection, selectionOf } from './selected.ts'
import { LED_TO, SEEN } from './values.ts'

export interface Observed {
  readonly call: Pick<ToolCall, 'args' | 'tool'>
  readonly id: string
  readonly at: number
  readonly result: Json
  readonly reach: Reach
  readonly task: Task
  readonly key: HashKey
  readonly holds: Holds | null
  /** Secrets that were found in it. */
  readonly secrets: readonly string[]
}

const MAX_FIELDS = 64
const MAX_VALUES = 1200
const MAX_NAMES = 200
const MAX_ENTITIES = 300
/** Words of a text that the user pointed at. */
const MAX_WORDS = 600
const MAX_SENTENCES = 16
const MAX_SECRETS = 8
const MAX_SECRET = 120
const MAX_SECRET_TEXT = 8192
const MAX_SECRET_RUNS = 900
const MAX_PRIVATE_RUNS = 200
/** Longest value that is remembered as a whole. */
const MAX_WHOLE = 300
const MAX_PLACES = 3
/** Shorter things stand in every task. */
const SHORTEST_NAMED = 3

export function observe({ call, id, at, result, reach, task, key, holds, secrets }: Observed): ResultEvent {
  const { leaves } = readResult(result)
  const named = isPointedAt(reach, call.args, task)
  const selection = selectionOf(leaves, task)
  const places = placesOf(call.args, task)
  const sought = soughtIn(places, reach, task)
  // Of many things that were listed, the user pointed only at those that share a word with what they said.
  const many = leaves.some(({ record }) => record > 1)
  const seen: Seen = {
    key,
    task,
    given: givenIn(call.args, reach),
    fields: new Map(),
    values: new Map(),
    words: 0,
    acts: 0,
    topics: new Set(),
  }
  const reached = REACH_FLAG[reach] ?? 0
  for (const leaf of leaves) {
    const pointedAt = named && (!many || selection.records.has(leaf.record))
    const prose = leaf.prose || reach === 'network'
    const claimed = isClaimedIn(selection, leaf) || selection.isOther(leaf)
    // Reading what the user named finds the row, and whoever sent it may be anybody.
    const chosen = reach !== 'made' && ((named && !claimed) || (selection.vouches(leaf) && !selection.isOther(leaf)))
    const flags = flagIf(prose, SEEN.prose) | flagIf(chosen, SEEN.selected) | flagIf(pointedAt, SEEN.named) | reached
    addLeaf(seen, leaf, { flags, claimed, sought })
    if (pointedAt && prose) addWords(seen, leaf, flags)
  }
  return {
    kind: 'result',
    at,
    id,
    tool: nameOf(call.tool),
    fields: [...seen.fields.keys()],
    values: [...seen.values.values()],
    ...hashedPlaces(places, key),
    untrusted: bringsIn(reach, leaves),
    ...keptBack(leaves, { key, holds, secrets }),
    handed: seen.words > 0 && task.handsOn ? { acts: seen.acts, topics: [...seen.topics] } : null,
  }
}

function nameOf({ server, name }: ToolCall['tool']): string {
  return server === null ? name : `${server}/${name}`
}

/** Whoever sent it says so, and may be anybody. */
function isClaimedIn(selection: Selection, leaf: Leaf): boolean {
  return isClaimed(leaf.field, leaf.value) || (selection.isForeign(leaf) && isAccount(leaf.value))
}

/** What the user says stands there; anybody may write a page of the network, and an agent what it makes. */
function soughtIn(places: readonly string[], reach: Reach, task: Task): ReadonlySet<Sought> {
  if (reach === 'network' || reach === 'made') return NOTHING_SOUGHT
  return new Set(task.located.flatMap(({ place, sought }) => (places.includes(place) ? [...sought] : [])))
}

const NOTHING_SOUGHT: ReadonlySet<Sought> = new Set()
const MAX_LABELLED = 200
const MAX_LABEL = 60

/** Values that are labelled as what is sought: `Email: bob@example.org`, or a field of such a name. A word in a sentence is not. */
function labelledAs(sought: ReadonlySet<Sought>, { field, value, prose }: Pick<Leaf, 'field' | 'value' | 'prose'>): readonly string[] {
  const isSought = (label: string): boolean => labelKinds(label).some((kind) => sought.has(kind))
  if (!prose) return isSought(field.slice(field.lastIndexOf('.') + 1)) ? [fold(value)] : []
  const parts = value.split(':', MAX_LABELLED)
  return parts.slice(1).flatMap((rest, at) => {
    const label = parts[at]?.slice(-MAX_LABEL).split('\n').at(-1) ?? ''
    if (!isSought(label)) return []
    const word = rest.trimStart().split(/\s/, 1)[0]?.slice(0, MAX_WHOLE) ?? ''
    return [fold(word), ...entitiesOf(word, 1).map(({ text }) => text)].filter((text) => text !== '')
  })
}

interface Addition {
  readonly flags: number
  /** Of the value as a whole. */
  readonly claimed: boolean
  readonly sought: ReadonlySet<Sought>
}

function hashedPlaces(places: readonly string[], key: HashKey): Pick<ResultEvent, 'places'> {
  return places.length === 0 ? {} : { places: places.map((place) => keyedHash(key, place)) }
}

function flagIf(holds: boolean, flag: number): number {
  return holds ? flag : 0
}

/** What only its owner may know. */
function keptBack(leaves: readonly Leaf[], { key, holds, secrets }: Pick<Observed, 'key' | 'holds' | 'secrets'>) {
  const all = holds === 'secret' ? [...secrets, ...secretLike(leaves)] : secrets
  const runs = holds === null ? [] : leaves.flatMap(({ value }) => winnowed(key, value, MAX_PRIVATE_RUNS))
  return {
    holds: secrets.length > 0 ? ('secret' as const) : holds,
    secrets: secretRuns(key, all),
    privates: runs.slice(0, MAX_PRIVATE_RUNS),
  }
}

/** Values of a file that holds secrets, which look like some. */
function secretLike(leaves: readonly Leaf[]): readonly string[] {
  const words = leaves.flatMap(({ value }) => value.slice(0, MAX_SECRET_TEXT).match(/[^\s=:'"`,;]{12,200}/g) ?? [])
  return words.filter((word) => /\d/.test(word) && /[A-Za-z]/.test(word)).slice(0, MAX_SECRETS)
}

function secretRuns(key: HashKey, secrets: readonly string[]): readonly number[] {
  const runs = new Set<number>()
  for (const secret of secrets.slice(0, MAX_SECRETS)) {
    for (const form of outwardForms(secret.slice(0, MAX_SECRET))) for (const run of runsOf(key, form, MAX_SECRET)) runs.add(run)
  }
  return [...runs].slice(0, MAX_SECRET_RUNS)
}

const REACH_FLAG: Readonly<Partial<Record<Reach, number>>> = {
  own: SEEN.own,
  made: SEEN.made,
  workspace: SEEN.workspace,
  network: SEEN.fetched,
}

const MAX_GIVEN = 8192
const MAX_GIVEN_TEXTS = 64

/** What the call was given: a tool that repeats what it was asked makes that no better known. What an action is given, it returns. */
function givenIn(args: JsonObject, reach: Reach): ReadonlySet<string> {
  if (reach === 'own' || reach === 'made') return NOTHING_GIVEN
  const given = new Set<string>()
  for (const text of textsWithin(args).slice(0, MAX_GIVEN_TEXTS)) {
    const cut = text.slice(0, MAX_GIVEN)
    for (const form of comparedForms(fold(cut))) given.add(form)
    for (const entity of entitiesOf(cut, MAX_ENTITIES)) given.add(entity.text)
    for (const part of cut.match(PARTS) ?? []) given.add(fold(part))
  }
  return given
}

/** `to:bob@example.org`, `--to=bob@example.org` */
const PARTS = /[^\s"'`<>()[\]{},;:=]{4,300}/g

const NOTHING_GIVEN: ReadonlySet<string> = new Set()

interface Seen {
  readonly key: HashKey
  readonly task: Task
  readonly given: ReadonlySet<string>
  readonly fields: Map<string, number>
  readonly values: Map<number, SeenValue>
  words: number
  acts: number
  readonly topics: Set<number>
}

function add(seen: Seen, text: string, { field, flags: told }: { readonly field: string; readonly flags: number }): void {
  const flags = seen.given.has(text) ? (told & ~LED_TO) | SEEN.made : told
  const hash = keyedHash(seen.key, text)
  const known = seen.values.get(hash)
  if (known === undefined && seen.values.size >= MAX_VALUES) return
  const value = { hash, source: numberOf(seen.fields, field), flags }
  if (known === undefined) seen.values.set(hash, value)
  else if (isBetter(value.flags, known.flags)) {
    const also = (known.flags & SEEN.prose) === 0 ? 0 : SEEN.alsoProse
    seen.values.set(hash, { ...value, flags: flags | also })
  }
}

/** A value of its own before one in a text; then one that the user led to. */
function isBetter(flags: number, known: number): boolean {
  const [prose, knownProse] = [flags & SEEN.prose, known & SEEN.prose]
  if (prose !== knownProse) return prose === 0
  return (flags & SEEN.selected) > (known & SEEN.selected)
}

function numberOf(fields: Map<string, number>, field: string): number {
  const known = fields.get(field)
  if (known !== undefined) return known
  if (fields.size >= MAX_FIELDS) return MAX_FIELDS - 1
  fields.set(field, fields.size)
  return fields.size - 1
}

function addLeaf(seen: Seen, { field, value, prose, keyed }: Leaf, { flags, claimed, sought }: Addition): void {
  const at = { field, flags }
  if (sought.size > 0)
    for (const text of labelledAs(sought, { field, value, prose }))
      for (const form of comparedForms(text)) add(seen, form, { field, flags: flags | SEEN.located })
  const folded = fold(value)
  const whole = { field, flags: flags | flagIf(claimed, SEEN.claimed) }
  if (folded.length <= MAX_WHOLE) for (const form of comparedForms(folded)) add(seen, form, whole)
  if (prose) for (const text of [...labelledIn(value, MAX_NAMES), ...quotedIn(value, MAX_NAMES)]) add(seen, text, at)
  for (const { text } of entitiesOf(value, MAX_ENTITIES)) if (text !== folded) add(seen, text, at)
  if (prose || keyed === true || folded.includes(' ')) for (const name of namesIn(value, MAX_NAMES)) add(seen, name, at)
}

/** A text that the user pointed at may name anything in any of its words, and say what is to be done. */
function addWords(seen: Seen, { field, value }: Leaf, flags: number): void {
  if (seen.words >= MAX_WORDS) return
  for (const word of wordsIn(value, MAX_WORDS - seen.words)) {
    seen.words += 1
    add(seen, word, { field, flags })
    if (!seen.task.handsOn) continue
    seen.acts |= bitsOf(actsOf(word))
    for (const topic of topicsOf(word)) seen.topics.add(topic)
  }
}

export function bitsOf(acts: Iterable<Act>): number {
  let bits = 0
  for (const act of acts) bits |= 1 << ACTS.indexOf(act)
  return bits
}

/** What an action returns is its own doing, unless it tells a story. */
function bringsIn(reach: Reach, leaves: readonly Leaf[]): boolean {
  // What is fetched without a word of it has come in, too.
  if (reach === 'network') return true
  return reach !== 'workspace' && reach !== 'made' && leaves.some(({ prose }) => reach !== 'own' || prose)
}

/** The user named what was read: an argument of the reading call stands in their words. What is only told to do something reads what it likes. */
function isPointedAt(reach: Reach, args: JsonObject, task: Task): boolean {
  if (reach === 'own' || reach === 'made') return false
  return Object.values(args).some((value) =>
    texts(value).some((text) => text.length >= SHORTEST_NAMED && (says(task, text) || covers(task, text))),
  )
}

/** What the user named and the call is aimed at. */
function placesOf(args: JsonObject, task: Task): readonly string[] {
  const found = Object.values(args).flatMap((value) => texts(value).flatMap((text) => placesIn(task, text)))
  return [...new Set(found)].slice(0, MAX_PLACES)
}

function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item: Json): item is string => typeof item === 'string') : []
}

/** What of a request the next requests of the session may go back to. */
export function heard(text: string, task: Task, key: HashKey): Said {
  const things = [...task.entities, ...namesIn(text, MAX_NAMES), ...quotedIn(text, MAX_NAMES), ...task.telling]
  const asked: AskedFor[] = task.sentences
    .filter(({ acts }) => acts.size > 0)
    .slice(0, MAX_SENTENCES)
    .map(({ acts, topics }) => ({ acts: bitsOf(acts), topics: [...topics] }))
  return { asked, task: keyedHash(key, text), hashes: [...new Set(things)].slice(0, MAX_WORDS).map((thing) => keyedHash(key, thing)) }
}

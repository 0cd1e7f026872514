/**
 * What the user's words alone allow: the acts they ask for, the things they name, and the sources they hand the decision on to. This is
 * the authorisation graph that needs no model. Nothing that a tool returned ever enters it.
 */
import { compact, entitiesOf, fold, hostOf, pathText, urlText, wordsIn } from '../provenance/text.ts'
import { type Act, actsAt, handsOn, isTelling, stem, topicsOf } from './language.ts'
import { type Located, locatedIn } from './located.ts'
import { inPlainVerbs } from './phrases.ts'

/** Longest request that is read; what follows is not looked at, so it allows nothing. */
const MAX_TASK = 32 * 1024
const MAX_WORDS = 4000

export interface Sentence {
  readonly acts: ReadonlySet<Act>
  readonly topics: ReadonlySet<number>
  readonly stems: ReadonlySet<string>
}

export interface Task {
  /** Whole request, folded, with a space at both ends. */
  readonly folded: string
  readonly acts: ReadonlySet<Act>
  readonly topics: ReadonlySet<number>
  /** What is asked for sentence by sentence: acts, and what they may be about. */
  readonly sentences: readonly Sentence[]
  /** Stems of all words. */
  readonly stems: ReadonlySet<string>
  /** Stems of words that are of this task more than of others. */
  readonly telling: ReadonlySet<string>
  /** Addresses, URLs, hosts, paths and identifiers, in their compared form. */
  readonly entities: ReadonlySet<string>
  readonly hosts: ReadonlySet<string>
  readonly paths: readonly string[]
  /** The user hands on what is to be done to a text that they name. */
  readonly handsOn: boolean
  /** The user says where something is to be found: an address, an account, a link. */
  readonly locates: boolean
  /** Files of which the user says what stands in them. */
  readonly located: readonly Located[]
  /** The user speaks of all of a kind, so that each of them need not be named. */
  readonly ofMany: boolean
  /** Nobody vouches that the user wrote it, or there is none. */
  readonly empty: boolean
}

const NOTHING: Task = {
  folded: ' ',
  acts: new Set(),
  topics: new Set(),
  sentences: [],
  stems: new Set(),
  telling: new Set(),
  entities: new Set(),
  hosts: new Set(),
  paths: [],
  handsOn: false,
  ofMany: false,
  locates: false,
  located: [],
  empty: true,
}

/** The last tasks that were read: every call of a session comes with the same. */
const read = new Map<string, Task>()
const MAX_READ = 64

/** @param text what the user said, by somebody who vouches for it; null: nothing is known. */
export function readTask(text: string | null): Task {
  if (text === null || text.trim() === '') return NOTHING
  const known = read.get(text)
  if (known !== undefined) return known
  const task = taskOf(text.slice(0, MAX_TASK))
  if (read.size >= MAX_READ)
    for (const oldest of read.keys()) {
      read.delete(oldest)
      break
    }
  read.set(text, task)
  return task
}

function taskOf(text: string): Task {
  const folded = ` ${fold(text)} `
  const words = wordsIn(text, MAX_WORDS)
  const sentences = sentencesOf(text)
  const found = entitiesOf(text, 500)
  return {
    folded,
    acts: new Set(sentences.flatMap(({ acts }) => [...acts])),
    topics: new Set(sentences.flatMap(({ topics }) => [...topics])),
    sentences,
    stems: new Set(words.map(stem)),
    // Whose mail or site it is says little of the task: everybody in the house has that domain.
    telling: new Set(wordsIn(text.replace(DOMAINS, ' '), MAX_WORDS).filter(isTelling).map(stem)),
    entities: new Set([...found.map((entity) => entity.text), ...spelledIn(folded)]),
    hosts: new Set(found.filter(({ kind }) => kind === 'host').map((entity) => entity.text)),
    paths: found.filter(({ kind }) => kind === 'path').map((entity) => entity.text),
    handsOn: handsOn(folded),
    ofMany: OF_MANY.test(folded),
    locates: LOCATES.test(folded) || LOCATED_AFTER.test(folded),
    located: locatedIn(text),
    empty: false,
  }
}

/** `bob at example dot org`: only in the user's own words. What a result spells out stays what nobody named. */
function spelledIn(folded: string): readonly string[] {
  return [...folded.matchAll(SPELLED)].slice(0, MAX_SPELLED).map(([, name, domain = '']) => `${name}@${domain.replaceAll(' dot ', '.')}`)
}

const SPELLED = /(?<= )([a-z0-9._+-]{1,64}) at ((?:[a-z0-9-]{1,63} dot ){1,4}[a-z]{2,24})(?![a-z0-9-])/g
const MAX_SPELLED = 20

const DOMAINS = /@[\w.-]+|\b(?:https?:\/\/|www\.)[^\s/]+/g
const SOUGHT = 'address(?:es)?|e-?mails?|iban|numbers?|links?|info|information|contacts?|usernames?|passwords?|accounts?|websites?|pages?'
const LOCATES = new RegExp(
  `\\b(?:find|found|get|locate|look up|listed|see|use|available|stored|saved|contained|posted)\\b[^.!?]{0,60}\\b(?:${SOUGHT})\\b`,
)
/** "The websites posted to the channel": the same, the other way round. */
const LOCATED_AFTER = new RegExp(
  `\\b(?:${SOUGHT})\\b(?: (?:that|which|were|was|are|is|have|has|been|he|she|they|i|we)){0,4} ` +
    '(?:posted|listed|shared|stored|saved|contained|published|mentioned|sent|given)\\b[^.!?]{0,20} (?:in|on|to|at|by|from|under|with)\\b',
)
const OF_MANY = /\b(?:each|every|all|any|both|everyone|everybody|those|these|whoever|whichever)\b|\bfor (?:the )?\w+s\b/

/** What the user asks to be told is no act on anybody else. */
const TO_THE_USER = /\b(?:tell|give|show|get|let|provide|recommend|suggest|find|list|help|offer)\s+(?:me|us)\b/g
const SENTENCE_END = /[.!?;:]\s|\n|,?\s(?:and\s)?(?:then|afterwards|finally|also)\b/

/** Acts and what they are about, sentence by sentence: a verb of one sentence is not said of a noun of the next. */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  for (const part of inPlainVerbs(text.slice(0, MAX_TASK).toLowerCase().replace(TO_THE_USER, ' ')).split(SENTENCE_END)) {
    const words = wordsIn(part, 200)
    if (words.length === 0 || sentences.length >= 200) continue
    const acts = new Set<Act>()
    const topics = new Set<number>()
    for (const [at, word] of words.entries()) {
      for (const act of actsAt(word, words[at - 1] ?? null)) acts.add(act)
      for (const topic of topicsOf(word)) topics.add(topic)
    }
    sentences.push({ acts, topics, stems: new Set(words.map(stem)) })
  }
  return sentences
}

const EDGE = /[\p{L}\p{N}]/u

/** True where the user said exactly this, as whole words: `Bob` does not stand in `bobolive`. */
export function says({ folded, entities }: Task, value: string): boolean {
  const wanted = fold(value)
  if (wanted === '') return false
  if (entities.has(wanted) || entities.has(urlText(wanted)) || entities.has(pathText(wanted))) return true
  const short = compact(wanted)
  if (short.length >= 6 && entities.has(short)) return true
  return hasWhole(folded, wanted)
}

export function hasWhole(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + wanted.length] ?? ' '
    const open = EDGE.test(wanted[0] ?? '') && EDGE.test(before)
    const close = EDGE.test(wanted.at(-1) ?? '') && EDGE.test(after)
    if (!open && !close) return true
  }
  return false
}

/** The user named the host of this URL, or a directory above this path. */
export function covers({ hosts, paths }: Task, value: string): boolean {
  const folded = fold(value)
  const host = hostOf(folded)
  if (host !== null) return hosts.has(host)
  const path = pathText(folded)
  return paths.some((named) => path.startsWith(named.endsWith('/') ? named : `${named}/`))
}

/** What the user named and this value is or lies below: a file, a host, or the value itself; in the form in which places are compared. */
export function placesIn(task: Task, value: string): readonly string[] {
  const folded = fold(value)
  if (folded.length < SHORTEST_PLACE) return []
  const host = hostOf(folded)
  if (host !== null) return task.hosts.has(host) ? [host] : []
  const path = pathText(folded)
  const above = task.paths.filter((named) => path === named || path.startsWith(named.endsWith('/') ? named : `${named}/`))
  return above.length === 0 && says(task, value) ? [path] : above
}

const SHORTEST_PLACE = 3

/** A place as it is compared: a host, or a path. */
export function placeText(text: string): string {
  const folded = fold(text)
  return hostOf(folded) ?? pathText(folded)
}

/** How many words that are of this task more than of others stand in a text, looked at up to `limit` words. */
export function sharedWords({ telling }: Task, text: string, limit = 400): number {
  if (telling.size === 0) return 0
  const shared = new Set<string>()
  for (const word of wordsIn(text, limit)) {
    const bare = stem(word)
    if (telling.has(bare)) shared.add(bare)
  }
  return shared.size
}

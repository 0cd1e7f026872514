/** What a call is about, in the words in which people ask for it, and whether they did. Pure. */
import { ACTS, type Act, actsOf, isEither, stem, topicsOf } from '../authorization/language.ts'
import type { Sentence, Task } from '../authorization/task.ts'
import type { Effect, Verb } from '../core/effect.ts'
import { wordsOf } from '../facts/resources/text/identifier.ts'
import { intentOf } from '../facts/tools/intent.ts'
import type { SessionMemory } from '../session/memory/memory.ts'

/** The words of a tool's name, as acts and things. */
export interface ToolWords {
  readonly acts: ReadonlySet<Act>
  readonly topics: ReadonlySet<number>
  /** Stems of words that are of no table. */
  readonly others: readonly string[]
}

const known = new Map<string, ToolWords>()
const MAX_KNOWN = 512

export function toolWords(name: string): ToolWords {
  const found = known.get(name)
  if (found !== undefined) return found
  const acts = new Set<Act>()
  const topics = new Set<number>()
  const others: string[] = []
  const all = wordsOf(name)
  const verbs = verbsOf(all)
  for (const word of all) {
    if (verbs.includes(word)) for (const act of actsOf(word)) acts.add(act)
    for (const topic of topicsOf(word)) topics.add(topic)
    if (actsOf(word).size === 0) others.push(stem(word))
  }
  const words = { acts, topics, others }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(name, words)
  return words
}

/** `delete_email` deletes: a word that may be a thing is an act where it comes first, or where nothing else is. */
function verbsOf(words: readonly string[]): readonly string[] {
  const sure = words.filter((word, at) => actsOf(word).size > 0 && (at === 0 || !isEither(word)))
  return sure.length > 0 ? sure : words.filter((word) => actsOf(word).size > 0)
}

const BY_VERB: Readonly<Partial<Record<Verb, Act>>> = {
  send: 'send',
  publish: 'post',
  pay: 'pay',
  delete: 'delete',
  change: 'change',
  write: 'create',
  persist: 'create',
  execute: 'execute',
  fetch: 'open',
}

/** Gravest first. */
const GRAVITY: readonly Act[] = ['pay', 'book', 'post', 'send', 'grant', 'delete', 'execute', 'change', 'create', 'authenticate', 'open']

/** The gravest thing that the call does; null where it only reads what is its own. */
export function actOf(name: string, effects: readonly Effect[], hasArguments: boolean): Act | null {
  const words = wordsOf(name)
  const first = words[0] ?? ''
  if (first === 'verify' || first === 'login' || first === 'signin' || first === 'authenticate') return 'authenticate'
  const acts = effects.flatMap((effect) => byEffect(effect) ?? [])
  const named = byName(name, words)
  if (named !== null) acts.push(named)
  // A tool of which nothing is known may do anything with what it is given.
  if (acts.length === 0 && hasArguments && effects.some(({ action }) => action === 'tool:unknown')) return 'change'
  return GRAVITY.find((act) => acts.includes(act)) ?? null
}

function byEffect({ verb, action }: Effect): Act | null {
  if (action === 'access:grant') return 'grant'
  // A guess from what a tool is given. Who registered the tool knows better; about others people are asked already.
  if (action === 'tool:change') return null
  return BY_VERB[verb] ?? null
}

/** Named acts count where no effect was seen, and where they are graver. */
function byName(name: string, words: readonly string[]): Act | null {
  if (words.some((word) => word === 'book' || word === 'reserve' || word === 'rent') && words[0] !== 'get') return 'book'
  const intent = intentOf(name)
  if (intent === null) {
    const said = words.length === 0 ? [] : [...actsOf(words.length > 1 ? (words.at(-1) ?? '') : (words[0] ?? ''))]
    return GRAVITY.find((act) => said.includes(act)) ?? null
  }
  if (intent.action === 'access:grant') return 'grant'
  if (intent.action === 'resource:create') return 'create'
  return intent.verb === 'read' ? null : (BY_VERB[intent.verb] ?? null)
}

/** `update_scheduled_transaction`: the tool's first word is a change of something that is there already. */
export function changesExisting(name: string): boolean {
  return CHANGES.has(wordsOf(name)[0] ?? '')
}

const CHANGES: ReadonlySet<string> = new Set('update change modify edit reschedule postpone adjust amend'.split(' '))

/** full: asked for, of such a thing · verb: asked for, of something else · noun: such a thing was spoken of · none. */
export type Match = 'full' | 'verb' | 'noun' | 'none'

export function matchOf(words: ToolWords, act: Act, { task, memory }: { readonly task: Task; readonly memory: SessionMemory }): Match {
  const acts = new Set([...words.acts, act])
  const about = ({ topics, stems }: Pick<Sentence, 'topics' | 'stems'>): boolean =>
    (words.topics.size === 0 && words.others.length === 0) || overlaps(words.topics, topics) || words.others.some((word) => stems.has(word))
  if (task.sentences.some((sentence) => overlaps(acts, sentence.acts) && about(sentence))) return 'full'
  if (memory.asked.some((asked) => hasAny(asked.acts, acts) && asked.topics.some((topic) => words.topics.has(topic)))) return 'full'
  if (hasAny(memory.handedActs, acts) && overlaps(words.topics, memory.handedTopics)) return 'full'
  if (
    isStepOfPurchase(words, act) &&
    task.sentences.some((sentence) => sentence.acts.has('pay') && overlaps(words.topics, sentence.topics))
  )
    return 'full'
  if (overlaps(acts, task.acts)) return 'verb'
  return about(task) ? 'noun' : 'none'
}

/** Buying leads through a cart: what is put into it or taken out was asked for with the purchase. Nobody is paid by that. */
function isStepOfPurchase({ topics }: ToolWords, act: Act): boolean {
  return (act === 'create' || act === 'change' || act === 'delete') && CART.some((topic) => topics.has(topic))
}

const CART: readonly number[] = [...topicsOf('cart')]

function overlaps<T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean {
  for (const one of some) if (others.has(one)) return true
  return false
}

function hasAny(bits: number, acts: ReadonlySet<Act>): boolean {
  for (const act of acts) if ((bits & (1 << ACTS.indexOf(act))) !== 0) return true
  return false
}

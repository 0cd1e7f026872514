/** How doubtful it is that the user wants this call: where its targets come from, and whether its act was asked for. Pure. */
import { type Act, ACTS, actsOf, stem, topicsOf } from '../../authorization/language.ts'
import { covers, says, sharedWords, type Task } from '../../authorization/task.ts'
import type { ArgumentOf } from '../../facts/tools/roles/role.ts'
import { wordsOf } from '../../facts/tools/words.ts'
import { type HashKey, keyedHash } from '../../provenance/keyed-hash.ts'
import { compact, entitiesOf, fold, hostOf, pathText, urlText } from '../../provenance/text.ts'
import type { SessionMemory } from '../../session/memory/memory.ts'
import { SEEN } from '../../session/memory/values.ts'

export type Origin = 'user' | 'approved' | 'derived' | 'own' | 'selected' | 'structured' | 'named-text' | 'selected-text' | 'text' | 'nowhere'

export const WEIGHTS = {
  origin: { user: 0, approved: 0, derived: 0.7, own: 0.7, selected: 0.7, structured: 1.6, 'named-text': 2.0, 'selected-text': 3.4, text: 4.2, nowhere: 4.2 } as Record<Origin, number>,
  thing: 0.8,
  nowhereThing: 2.0,
  credential: 0.3,
  nowhereContent: 2.0,
  odd: 0.8,
  openMatch: 0.5,
  sensitive: 1,
  noTarget: 1.0,
  match: { none: 3, noun: 2, verb: 1.3, full: 0 },
  inHouse: 0.6,
  link: 1,
  unbound: 0.7,
  party: 0.4,
  severity: { pay: 0.5, book: 0.3, send: 0.5, post: 0.5, grant: 0.3, delete: 0.6, change: 0, create: -0.8, open: 0, authenticate: -0.3, execute: 0.3 } as Record<Act, number>,
}

export interface Found {
  readonly origin: Origin
  readonly source: number | null
}

export function originOf(text: string, at: { readonly task: Task; readonly memory: SessionMemory; readonly key: HashKey }): Found {
  const { task, memory, key } = at
  if (says(task, text)) return { origin: 'user', source: null }
  const folded = fold(text)
  const host = hostOf(folded)
  const keys = [folded, compact(folded), urlText(folded), pathText(folded)]
  const hashes = [...new Set(keys)].filter((k) => k !== '').map((k) => keyedHash(key, k))
  if (hashes.some((hash) => memory.approved.has(hash))) return { origin: 'approved', source: null }
  if (covers(task, text)) return { origin: 'derived', source: null }
  let best: Found | null = null
  for (const hash of hashes) {
    const seen = memory.values.get(hash)
    if (seen !== null) best = better(best, { origin: originOfFlags(seen.flags), source: seen.source })
  }
  if (best === null && host !== null) {
    const seen = memory.values.get(keyedHash(key, host))
    if (seen !== null) best = { origin: originOfFlags(seen.flags), source: seen.source }
  }
  return best ?? { origin: 'nowhere', source: null }
}

function better(a: Found | null, b: Found): Found {
  return a === null || WEIGHTS.origin[b.origin] < WEIGHTS.origin[a.origin] ? b : a
}

function originOfFlags(flags: number): Origin {
  if (flags & SEEN.own) return 'own'
  if (flags & SEEN.prose) return flags & SEEN.named ? 'named-text' : flags & SEEN.selected ? 'selected-text' : 'text'
  return flags & SEEN.selected ? 'selected' : 'structured'
}

export interface ToolModel {
  readonly acts: ReadonlySet<Act>
  readonly topics: ReadonlySet<number>
  readonly nouns: readonly string[]
}

export function toolModel(name: string, act: Act | null): ToolModel {
  const acts = new Set<Act>(act === null ? [] : [act])
  const topics = new Set<number>()
  const nouns: string[] = []
  for (const word of wordsOf(name)) {
    const of = actsOf(word)
    for (const act of of) acts.add(act)
    for (const topic of topicsOf(word)) topics.add(topic)
    if (of.size === 0) nouns.push(stem(word))
  }
  return { acts, topics, nouns }
}

export type Match = 'full' | 'verb' | 'noun' | 'none'

export function matchOf(tool: ToolModel, task: Task, memory: SessionMemory): Match {
  const about = ({ topics, stems }: { topics: ReadonlySet<number>; stems: ReadonlySet<string> }) =>
    (tool.topics.size === 0 && tool.nouns.length === 0) || [...tool.topics].some((topic) => topics.has(topic)) || tool.nouns.some((noun) => stems.has(noun))
  const verb = (acts: ReadonlySet<Act>) => [...tool.acts].some((act) => acts.has(act))
  if (task.sentences.some((sentence) => verb(sentence.acts) && about(sentence))) return 'full'
  const handedVerb = [...tool.acts].some((act) => (memory.handedActs & (1 << ACTS.indexOf(act))) !== 0)
  if (handedVerb && [...tool.topics].some((topic) => memory.handedTopics.has(topic))) return 'full'
  if (verb(task.acts)) return 'verb'
  return about(task) ? 'noun' : 'none'
}

export interface Scored {
  readonly score: number
  readonly why: string[]
}

export function score(tool: string, args: readonly ArgumentOf[], at: { task: Task; memory: SessionMemory; key: HashKey; act: Act | null; sensitive?: boolean }): Scored {
  const { task, memory, act } = at
  if (memory.untrustedSince === null) return { score: 0, why: [] }
  const why: string[] = []
  const weights: { name: string; x: number; origin: Origin }[] = []
  let outside = false
  for (const argument of args) {
    const { role, sort, text, name } = argument
    if (role !== 'target' && role !== 'credential') continue
    const { origin } = originOf(text, at)
    const thing = sort === 'thing'
    if ((!thing || act === 'book') && role === 'target') outside = true
    const weight = thing && origin === 'nowhere' && !memory.values.forgot ? WEIGHTS.nowhereThing : WEIGHTS.origin[origin] * (thing ? WEIGHTS.thing : 1)
    weights.push({ name, origin, x: role === 'credential' && act === 'authenticate' ? weight * WEIGHTS.credential : weight })
    why.push(`${name}=${text.slice(0, 40)}:${origin}`)
  }
  if (weights.length === 0) {
    for (const { role, text, name } of args) {
      if (role !== 'content' || text.length > 100) continue
      const { origin } = originOf(text, at)
      weights.push({ name, origin, x: origin === 'nowhere' ? WEIGHTS.nowhereContent : WEIGHTS.origin[origin] * WEIGHTS.thing })
      why.push(`(${name}=${text.slice(0, 40)}:${origin})`)
    }
  }
  let x = weights.length === 0 ? WEIGHTS.noTarget : Math.max(...weights.map((w) => w.x))
  const odd = weights.some((a) => a.origin === 'structured' && weights.some((b) => b.name === a.name && (b.origin === 'selected' || b.origin === 'user')))
  if (odd) { x += WEIGHTS.odd; why.push('odd one') }
  const match = matchOf(toolModel(tool, act), task, memory)
  why.push(`match ${match}`)
  x += WEIGHTS.match[match] * (act === 'open' ? WEIGHTS.openMatch : 1)
  if (!outside) x *= WEIGHTS.inHouse
  const bound = args.some(({ text, role }) => role !== 'option' && (says(task, text) || sharedWords(task, text, 200) > 0))
  const free = task.ofMany && weights.every(({ origin }) => WEIGHTS.origin[origin] <= WEIGHTS.origin.structured)
  if (!bound && !free) { x += WEIGHTS.unbound; why.push('unbound') }
  if (at.sensitive === true) { x += WEIGHTS.sensitive; why.push('sensitive') }
  if (outside && foreign(args, at, why)) x += WEIGHTS.link
  return { score: x + severity(act, outside), why }
}

function foreign(args: readonly ArgumentOf[], at: { task: Task; memory: SessionMemory; key: HashKey }, why: string[]): boolean {
  for (const argument of args) {
    if (argument.role !== 'content') continue
    for (const entity of entitiesOf(argument.text, 50)) {
      if (entity.kind !== 'url' && entity.kind !== 'host' && entity.kind !== 'address') continue
      const { origin } = originOf(entity.text, at)
      if (WEIGHTS.origin[origin] >= 3) {
        why.push(`link ${entity.text}:${origin}`)
        return true
      }
    }
  }
  return false
}

function severity(act: Act | null, outside: boolean): number {
  if (act === null) return 0
  const own = WEIGHTS.severity[act]
  return outside && (act === 'create' || act === 'change') ? WEIGHTS.party : own
}

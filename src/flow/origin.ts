/** Where a value of a call comes from, as far as the session knows: the user's words, what people agreed to, a result, nowhere. Pure. */
import { covers, says, type Task } from '../authorization/task.ts'
import { decodedForms, reversed } from '../provenance/decode.ts'
import { type HashKey, keyedHash } from '../provenance/keyed-hash.ts'
import { comparedForms, entitiesOf, fold, hostOf } from '../provenance/text.ts'
import type { SessionMemory, ValueSource } from '../session/memory/memory.ts'
import { SEEN } from '../session/memory/values.ts'
import { type DeclassifyRule, type SourceTrust, trustIn } from './trust.ts'

/** From what the user said to what nobody knows, best first. */
export const ORIGINS = [
  'user', // stands in the user's words
  'approved', // people agreed to it in this session
  'declassified', // a person or a rule of the policy vouches for it here
  'derived', // below a host or a directory that the user named
  'own', // an action of the agent's own returned it
  'trusted', // a field that is believed
  'selected', // a value of its own, of a thing that the user spoke of
  'structured', // a value of its own, of some thing
  'named-text', // in a text that the user pointed at
  'selected-text', // in a text of a thing that the user spoke of
  'text', // in some other text
  'nowhere',
] as const
export type Origin = (typeof ORIGINS)[number]

export interface Provenance {
  readonly origin: Origin
  /** The result it stands in; null where it comes from none, or where its name is forgotten. */
  readonly source: ValueSource | null
  /** It stands in a file of which the user says what stands in it. */
  readonly located?: boolean
  /** It was found only in another form: decoded, or backwards. */
  readonly hidden: boolean
}

/** What provenance is looked up in. */
export interface Known {
  readonly task: Task
  readonly memory: SessionMemory
  readonly key: HashKey
  readonly trust: readonly SourceTrust[]
  /** Rules of the policy by which values of a source may go into arguments. Absent: none. */
  readonly rules?: readonly DeclassifyRule[]
  /** Milliseconds since the epoch. Absent: what ends has ended at no time. */
  readonly now?: number
}

/** Longest value that is looked up; a longer one is a text, and comes from nowhere. */
const MAX_VALUE = 2000

export function provenanceOf(text: string, known: Known): Provenance {
  if (text.length > MAX_VALUE) return NOWHERE
  const plain = lookUp(text, known)
  if (plain.origin !== 'nowhere') return plain
  for (const form of [...decodedForms(text), reversed(text)]) {
    const found = lookUp(form, known)
    if (found.origin !== 'nowhere') return { ...found, origin: worse(found.origin), hidden: true }
  }
  return plain
}

const NOWHERE: Provenance = { origin: 'nowhere', source: null, hidden: false }

/** Nobody writes a value that is to be believed backwards or in base64: what was found so is no better than some text. */
function worse(origin: Origin): Origin {
  return origin === 'user' || origin === 'approved' ? origin : 'text'
}

function lookUp(text: string, known: Known): Provenance {
  const { task, memory, key } = known
  if (says(task, text)) return { ...NOWHERE, origin: 'user' }
  const folded = fold(text)
  const hashes = comparedForms(folded).map((form) => keyedHash(key, form))
  if (hashes.some((hash) => memory.said.has(hash))) return { ...NOWHERE, origin: 'user' }
  if (hashes.some((hash) => memory.approved.has(hash))) return { ...NOWHERE, origin: 'approved' }
  if (covers(task, text)) return { ...NOWHERE, origin: 'derived' }
  return found(hashes, known, folded) ?? foundHost(folded, known) ?? foundInside(text, known) ?? NOWHERE
}

/** The value as it is, where it was seen so; what only its other forms say may have been written by the agent itself. */
function found([exact, ...others]: readonly number[], known: Known, value: string): Provenance | null {
  return bestOf(exact === undefined ? [] : [exact], known, value) ?? bestOf(others, known, value)
}

function bestOf(hashes: readonly number[], known: Known, value: string): Provenance | null {
  let best: Provenance | null = null
  for (const hash of hashes) {
    const seen = known.memory.values.get(hash)
    if (seen === null) continue
    const source = known.memory.sources.get(seen.source) ?? null
    const origin = originOf(seen.flags, source === null ? forgotten(seen.flags, known.trust) : trustIn(known.trust, source, value))
    if (best === null || ORIGINS.indexOf(origin) < ORIGINS.indexOf(best.origin))
      best = { origin, source, hidden: false, located: (seen.flags & SEEN.located) !== 0 }
  }
  return best
}

/** What was not to be believed is not believed once its field is forgotten, however much came in since. */
function forgotten(flags: number, policy: readonly SourceTrust[]): SourceTrust['trust'] | null {
  return (flags & SEEN.claimed) !== 0 || policy.some(({ trust }) => trust === 'untrusted') ? 'untrusted' : null
}

/** Another path on a host that was seen comes from where the host was. */
function foundHost(folded: string, known: Known): Provenance | null {
  const host = hostOf(folded)
  return host === null ? null : found([keyedHash(known.key, host)], known, host)
}

/** An address among other words: `Bob <bob@example.com>`, `mailto:…`. The worst of several counts. */
function foundInside(text: string, known: Known): Provenance | null {
  if (!/[@/.]/.test(text)) return null
  const within = entitiesOf(text, 8).filter(({ kind }) => kind === 'address' || kind === 'url')
  const [only, second] = within
  if (only !== undefined && second === undefined && isNamed(text, only.text) && says(known.task, only.text))
    return { ...NOWHERE, origin: 'user' }
  let worst: Provenance | null = null
  for (const entity of within) {
    const one = found([keyedHash(known.key, entity.text)], known, entity.text)
    if (one !== null && (worst === null || ORIGINS.indexOf(one.origin) > ORIGINS.indexOf(worst.origin))) worst = one
  }
  return worst
}

/** Nothing stands beside the address but a name. */
function isNamed(text: string, address: string): boolean {
  return /^[\p{L} .'"<>]*$/u.test(fold(text).replace(address, '').replace('mailto:', ''))
}

function originOf(flags: number, said: SourceTrust['trust'] | null): Origin {
  // What the agent has said itself it may have from anywhere.
  if ((flags & SEEN.made) !== 0) return 'text'
  const doubted = said === 'untrusted' || (said === null && (flags & SEEN.claimed) !== 0)
  if (doubted && (flags & SEEN.selected) === 0) return 'text'
  if (said === 'trusted' && (flags & SEEN.prose) === 0) return 'trusted'
  if ((flags & (SEEN.own | SEEN.prose)) === SEEN.own) return 'own'
  if ((flags & SEEN.prose) === 0) return (flags & SEEN.selected) === 0 ? 'structured' : 'selected'
  if ((flags & SEEN.named) !== 0) return 'named-text'
  return (flags & SEEN.selected) === 0 ? 'text' : 'selected-text'
}

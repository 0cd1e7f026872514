/** Where the user says that something is to be found: a file of theirs, and what they say stands in it. Pure. */
import { entitiesOf, fold, wordsIn } from '../provenance/text.ts'

/** party: who somebody is or is paid by · credential: what lets somebody in · place: where something is on the network. */
export type Sought = 'party' | 'credential' | 'place'

export interface Located {
  /** A file or a directory, in its compared form. */
  readonly place: string
  readonly sought: ReadonlySet<Sought>
}

const MAX_LOCATED = 8
/** Characters before a file in which the user says what stands in it. */
const REACH = 90

const PARTY = 'email emails address addresses contact contacts phone number numbers iban ibans account accounts username usernames'
const CREDENTIAL = 'password passwords passcode passcodes pin pins credential credentials login logins'
/** "My account information" is all of it. */
const BOTH = 'information info details'
const PLACE = 'link links url urls website websites webpage'
const SOUGHT = new Map<string, readonly Sought[]>([
  ...PARTY.split(' ').map((word) => [word, ['party']] as const),
  ...CREDENTIAL.split(' ').map((word) => [word, ['credential']] as const),
  ...BOTH.split(' ').map((word) => [word, ['party', 'credential']] as const),
  ...PLACE.split(' ').map((word) => [word, ['place']] as const),
])

const STANDS_IN = /\b(?:in|at|from|under|inside|within) (?:(?:the|my|our|a|file|files|folder|directory|document|called|named) ){0,4}["'`]?$/
/** What the user has written there does not stand there yet. */
const WRITES = /\b(?:write|save|put|store|add|append|copy|paste|record|insert|enter)\b/

/** The kinds of which a label speaks: `Bank account number`, `user_name`. */
export function labelKinds(label: string): readonly Sought[] {
  return wordsIn(label.replaceAll('_', ' '), 12)
    .slice(-LABEL_WORDS)
    .flatMap((word) => SOUGHT.get(word) ?? [])
}

const LABEL_WORDS = 4

/** "You can find my email in /user/info.txt": nothing but what the user wrote says so. */
export function locatedIn(text: string): readonly Located[] {
  const found: Located[] = []
  for (const part of text.split(/[.!?;]\s|\n/)) {
    const folded = fold(part)
    for (const { kind, text: place } of entitiesOf(part, 50)) {
      if (kind !== 'path' || found.length >= MAX_LOCATED) continue
      const at = folded.indexOf(place)
      const before = folded.slice(Math.max(0, at - REACH), Math.max(0, at))
      if (!STANDS_IN.test(before) || WRITES.test(before)) continue
      const sought = new Set(wordsIn(before, 40).flatMap((word) => SOUGHT.get(word) ?? []))
      if (sought.size > 0) found.push({ place, sought })
    }
  }
  return found
}

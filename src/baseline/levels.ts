/** What a term falls back on where its own context has seen little: from the most general to its own. Pure. */
import type { Term } from '../core/behaviour.ts'

/** One place where a value is counted. */
export interface Level {
  /** Names the context, and what is counted in it. */
  readonly place: string
  readonly value: string
}

export function levelsOf({ unit, context, value }: Term): readonly Level[] {
  const own = { place: `${unit}\t${context}`, value }
  switch (unit) {
    case 'source': {
      const origin = originOf(value)
      return [{ place: 'origin\t', value: origin }, { place: `origin\t${context}`, value: origin }, own]
    }
    case 'effect':
    case 'host':
    case 'path':
    case 'request':
    case 'doubt':
      return [{ place: `${unit}\t`, value }, own]
    default:
      return [own]
  }
}

/** The origin without the place it was found in: `text` of `text read_email.body`. */
function originOf(value: string): string {
  const [first = '', second = ''] = value.split(' ')
  return first === HIDDEN ? `${first} ${second}` : first
}

/** Stands before the origin of a value that was found in another form only. */
export const HIDDEN = 'hidden'

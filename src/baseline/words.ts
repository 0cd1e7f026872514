/** What a baseline says, in words for people. Pure. */
import type { Surprise, SurprisePart, Term } from '../core/behaviour.ts'
import { CALLS, DOUBT_STEPS } from './observe.ts'

const TOLD = 3

/** The strangest things first, each with its bits. */
export function explain({ parts }: Pick<Surprise, 'parts'>): string {
  const shown = parts.slice(0, TOLD).map(partText)
  return shown.length === 0 ? 'nothing in it is unusual' : shown.join('; ')
}

/** Null: all calls of every kind. */
export function roleText(role: string | null): string {
  return role === null || role === '' ? 'calls without a role' : `role \`${role}\``
}

function partText(part: SurprisePart): string {
  const often = part.seen === 0 ? 'never seen' : `seen in ${count(part.seen)} of ${count(part.of)}`
  return `${termText(part)}: ${often} (${part.bits.toFixed(1)} bits)`
}

export function termText({ unit, context, value }: Term): string {
  const [tool = '', argument = '', aim] = context.split('#')
  switch (unit) {
    case 'tool':
      return `tool \`${value}\``
    case 'effect':
      return `\`${tool}\` does \`${value}\``
    case 'host':
      return `${context} to \`${value}\``
    case 'path':
      return `${context} below \`${value}\``
    case 'command':
      return `command \`${value}\``
    case 'source':
      return `\`${argument}\` of \`${tool}\` from ${value}`
    case 'request':
      return `\`${tool}\` where the request matches it: ${value}`
    case 'volume':
      if (context === CALLS) return `${atLeast(value)} calls in one session`
      return `\`${argument}\` of \`${tool}\` of ${atLeast(value)} or more${aim === undefined ? '' : ` to the same target (#${aim})`}`
    case 'doubt':
      return `\`${context}\` with ${Number(value) / DOUBT_STEPS} points of doubt or more`
    case 'order':
      return `\`${value}\` right after \`${context}\``
  }
}

/** Least amount of a power of two. */
function atLeast(bucket: string): string {
  const power = Number(bucket)
  return power === 0 ? '0' : String(2 ** (power - 1))
}

function count(weight: number): string {
  return weight < 10 && !Number.isInteger(weight) ? weight.toFixed(1) : String(Math.round(weight))
}

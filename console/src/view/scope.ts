/** How far a yes would reach, in words a person reads in one go. Pure. */
import type { Proposal } from '../api/types.ts'

export interface ScopeWords {
  /** What is let through. */
  readonly what: string
  /** How often, and until when. */
  readonly bounds: string
}

/** `time` is milliseconds since the epoch; `clock` writes an instant as a time of day. */
export function scopeWords(proposal: Proposal, time: number, clock: (at: string) => string): ScopeWords {
  if (proposal.kind !== 'grant') return sessionWords(proposal.text)
  const { action, scope, count, expires } = proposal.grant
  const { target, details, ...rest } = scope
  const further = typeof details === 'object' && details !== null && !Array.isArray(details) ? Object.entries(details) : []
  const others = [...Object.entries(rest), ...further].filter(([, value]) => value !== target)
  const beside = others.map(([name, value]) => `${spaced(name)} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const what = [`${action} on ${typeof target === 'string' ? target : JSON.stringify(target ?? null)}`, ...beside].join(', ')
  const uses = count === null ? 'as often as asked' : `${count} more ${count === 1 ? 'time' : 'times'}`
  return { what, bounds: expires === null ? uses : `${uses}, until ${clock(expires)}${isLater(expires, time) ? ' tomorrow' : ''}` }
}

/** `exactly this in this session (…): up to 20 times within 60 minutes`, as the server says it. */
function sessionWords(text: string): ScopeWords {
  const at = text.lastIndexOf(': ')
  return at === -1 ? { what: text, bounds: '' } : { what: text.slice(0, at), bounds: text.slice(at + 2) }
}

function isLater(expires: string, time: number): boolean {
  return new Date(expires).getDate() !== new Date(time).getDate()
}

function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

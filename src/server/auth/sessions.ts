/** Console sessions in memory: a random cookie, its CSRF token, and one-time login codes. Nothing of them survives a restart. */
import { randomBytes } from 'node:crypto'
import type { Person } from './caller.ts'
import { digestOf, sameDigest } from './tokens.ts'

const SESSION_LIFE = 12 * 60 * 60 * 1000
const CODE_LIFE = 10 * 60 * 1000
const MAX_SESSIONS = 1_000

interface Kept {
  readonly person: Omit<Person, 'session'>
  readonly csrf: string
  readonly ends: number
}

export interface Sessions {
  /** The secret of the cookie, told once. */
  readonly open: (person: Omit<Person, 'session'>) => { readonly secret: string; readonly csrf: string }
  readonly find: (secret: string) => Person | null
  readonly close: (id: string) => void
  /** A code that logs one browser in, once, within ten minutes. */
  readonly code: (person: Omit<Person, 'session'>) => string
  readonly redeem: (code: string) => Omit<Person, 'session'> | null
}

/** Keeps digests only: a dump of memory that holds a session's key does not hold its cookie. `holds`: whether a token is still good. */
export function createSessions(now: () => number, holds: (token: string) => boolean): Sessions {
  const isOver = ({ person, ends }: Pick<Kept, 'person' | 'ends'>) => ends <= now() || (person.token !== undefined && !holds(person.token))
  const sessions = new Map<string, Kept>()
  const codes = new Map<string, { readonly person: Omit<Person, 'session'>; readonly ends: number }>()
  return {
    open: (person) => {
      drop(sessions, now())
      const secret = randomBytes(32).toString('base64url')
      const csrf = randomBytes(32).toString('base64url')
      sessions.set(digestOf(secret), { person, csrf, ends: now() + SESSION_LIFE })
      return { secret, csrf }
    },
    find: (secret) => {
      const id = digestOf(secret)
      const kept = sessions.get(id)
      if (kept === undefined || isOver(kept)) return null
      return { ...kept.person, session: { id, csrf: kept.csrf } }
    },
    close: (id) => void sessions.delete(id),
    code: (person) => {
      drop(codes, now())
      const code = randomBytes(24).toString('base64url')
      codes.set(digestOf(code), { person, ends: now() + CODE_LIFE })
      return code
    },
    redeem: (code) => {
      const id = digestOf(code)
      const kept = codes.get(id)
      codes.delete(id)
      return kept === undefined || isOver(kept) ? null : kept.person
    },
  }
}

/** True where the request carries the CSRF token of its session. */
export function holdsCsrf(person: Person, given: string | null): boolean {
  return person.session === null || (given !== null && sameDigest(digestOf(person.session.csrf), digestOf(given)))
}

function drop(kept: Map<string, { readonly ends: number }>, now: number): void {
  for (const [id, { ends }] of kept) if (ends <= now) kept.delete(id)
  for (const id of kept.keys()) {
    if (kept.size < MAX_SESSIONS) return
    kept.delete(id)
  }
}

/** Who answers here: nobody until the server knows this browser. */
import { signal } from '@preact/signals'
import { login, logout, Refused, whenSignedOut, whoami } from '../api/client.ts'
import { hangUp, listen } from '../api/live.ts'
import type { Role, Who } from '../api/types.ts'
import { decoded, href, parseRoute, route } from './route.ts'

export type Standing = 'asking' | 'out' | 'unreachable'

/** The person, or why there is none. */
export const who = signal<Who | Standing>('asking')

/** The person's name; empty where nobody is signed in. */
export function myName(): string {
  return typeof who.value === 'string' ? '' : who.value.name
}

const RANK: Readonly<Record<Role, number>> = { viewer: 0, approver: 1, admin: 2 }

/** Whether the person may do what the role may. The server decides; this only spares a button that cannot work. */
export function mayAs(role: Role): boolean {
  return typeof who.value !== 'string' && RANK[who.value.role] >= RANK[role]
}

/** Reads a one-time code from the address and takes it out of it, so that it stays in no history; then asks who this is. */
export async function arrive(): Promise<void> {
  whenSignedOut(() => {
    hangUp()
    localStorage.removeItem(BEEN_HERE)
    if (typeof who.value !== 'string') refusedLogin.value = 'the session is over; sign in again'
    who.value = 'out'
  })
  const code = /^#login=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1]
  const failed = /^#login-error=([^&]{1,2000})$/.exec(location.hash)?.[1]
  if (failed !== undefined) refusedLogin.value = decoded(failed)
  if (code !== undefined || failed !== undefined) {
    history.replaceState(null, '', `${location.pathname}${href(['inbox'])}`)
    route.value = parseRoute(location.hash)
  }
  if (code === undefined && localStorage.getItem(BEEN_HERE) === null) {
    who.value = 'out'
    return
  }
  try {
    enter(code === undefined ? await whoami() : await login({ code }))
  } catch (error) {
    who.value = error instanceof Refused && error.status === 0 ? 'unreachable' : 'out'
    if (who.value === 'out') localStorage.removeItem(BEEN_HERE)
    if (code !== undefined && error instanceof Refused && error.status !== 0) refusedLogin.value = error.message
  }
}

/** Why the last attempt to sign in failed. */
export const refusedLogin = signal<string | null>(null)

/** Signs in with a token; what the server says against it stands in `refusedLogin`. */
export async function signIn(token: string): Promise<void> {
  refusedLogin.value = null
  try {
    enter(await login({ token }))
  } catch (error) {
    refusedLogin.value = error instanceof Error ? error.message : String(error)
  }
}

export async function signOut(): Promise<void> {
  hangUp()
  try {
    await logout()
  } finally {
    localStorage.removeItem(BEEN_HERE)
    who.value = 'out'
  }
}

/** Set while a session may be open, so that a browser which has none does not ask. It is no secret: the session is a cookie. */
const BEEN_HERE = 'countersign'

/** The provider sends the browser back with a cookie that this page cannot see: it has to ask then. */
export function comeBack(): void {
  localStorage.setItem(BEEN_HERE, '1')
}

function enter(person: Who): void {
  refusedLogin.value = null
  localStorage.setItem(BEEN_HERE, '1')
  who.value = person
  listen()
}

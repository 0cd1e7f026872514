/** Asks the server. Every answer is JSON; everything that is none, or no success, becomes a `Refused`. */
import type { Who } from './types.ts'

/** Why the server would not, in its own words; `status` 0 where it could not be reached. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly code: string
  readonly pointer: string | null

  constructor(status: number, said: { code: string; message: string; pointer?: string | null }) {
    super(said.message)
    this.status = status
    this.code = said.code
    this.pointer = said.pointer ?? null
  }
}

/** The word that every changing request carries beside its cookie; learnt at login (T63). */
let csrf = ''
let onSignedOut: () => void = () => {}

/** What to do where the server no longer knows this browser. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, { method: 'GET', ...(signal === undefined ? {} : { signal }) })
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return ask<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-countersign-csrf': csrf },
    body: JSON.stringify(body),
  })
}

/** Trades a token or a one-time code for a session cookie. */
export async function login(secret: { token: string } | { code: string }): Promise<Who> {
  return remember(await post<Who>('/v1/login', secret))
}

/** The ways to log in, beside a token or a link. */
export function waysIn(): Promise<{ readonly oidc: boolean }> {
  return get('/v1/login')
}

/** Who this browser is; rejects with status 401 where it is nobody. */
export async function whoami(): Promise<Who> {
  return remember(await get<Who>('/v1/whoami'))
}

export async function logout(): Promise<void> {
  await post('/v1/logout')
  csrf = ''
}

/** A query string of what is set; empty values are left out. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`
}

function remember(who: Who): Who {
  csrf = who.csrf
  return who
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await reach(path, { ...init, credentials: 'same-origin', cache: 'no-store', redirect: 'error' })
  const body = await read(response)
  if (response.ok) return body as T
  if (response.status === 401 && path !== '/v1/login') onSignedOut()
  throw refusal(response.status, body)
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Refused(0, { code: 'offline', message: 'the gate cannot be reached' })
  }
}

async function read(response: Response): Promise<unknown> {
  try {
    return response.status === 204 ? null : await response.json()
  } catch {
    throw new Refused(response.status, {
      code: 'unreadable',
      message: `the gate answered ${response.status} with something that is no JSON`,
    })
  }
}

function refusal(status: number, body: unknown): Refused {
  const said = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
  return new Refused(status, {
    code: typeof said.error === 'string' ? said.error : `http.${status}`,
    message: typeof said.message === 'string' ? said.message : `the gate answered ${status}`,
    pointer: typeof said.pointer === 'string' ? said.pointer : null,
  })
}

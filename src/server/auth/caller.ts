/** Who sends a request, and what that lets them do. A person is never an agent, and an agent never answers for a person (T22). */

/** Ascending: an approver can look, an admin can approve. */
export const PERSON_ROLES = ['viewer', 'approver', 'admin'] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** Whom a token of an agent speaks for: these stand above whatever the call claims of itself (SIG-W3). */
export interface AgentClaims {
  readonly agent: string | null
  readonly role: string | null
  readonly user: string | null
  readonly tenant: string | null
}

export interface Person {
  readonly kind: 'person'
  /** `human:…`, as approvals name people. */
  readonly name: string
  readonly role: PersonRole
  /** Null: the local operator, who sees every tenant. */
  readonly tenant: string | null
  /** A cookie is sent by whatever page is open, so what changes something also needs its CSRF token. */
  readonly session: { readonly id: string; readonly csrf: string } | null
  /** Digest of the token by which they came: what was opened with it ends with it. Absent: by a link or a provider. */
  readonly token?: string
}

/** An agent with a token of its own. */
export interface AgentCaller {
  readonly kind: 'agent'
  readonly name: string
  readonly claims: AgentClaims
  /** Id of its token. */
  readonly token: string
  /** True where its host passes on what the user asked for, and is trusted to. */
  readonly vouches: boolean
}

export type Caller = Person | AgentCaller | { readonly kind: 'nobody' }

export const NOBODY: Caller = { kind: 'nobody' }

/** What a route asks of its caller. `agent`: an agent, or a person; on a private listener, anybody. */
export type Access = 'anyone' | 'agent' | PersonRole

export function isPersonRole(value: unknown): value is PersonRole {
  return PERSON_ROLES.some((role) => role === value)
}

/** True where the person may do what needs `role`. */
export function reaches(person: Person, role: PersonRole): boolean {
  return PERSON_ROLES.indexOf(person.role) >= PERSON_ROLES.indexOf(role)
}

/** True where the caller may see what belongs to `tenant`; names are compared exactly, and no tenant is nobody's but the operator's (T64). */
export function seesTenant(caller: Caller, tenant: string | null): boolean {
  const own = tenantOf(caller)
  return own === null || own === tenant
}

/** The tenant the caller is confined to; null: not confined. */
export function tenantOf(caller: Caller): string | null {
  if (caller.kind === 'person') return caller.tenant
  return caller.kind === 'agent' ? caller.claims.tenant : null
}

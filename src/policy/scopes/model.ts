/**
 * Whose policy it is. Three scopes in a fixed order: managed (the machine's), user (the operator's), project (what a repository
 * brings). One of them governs; the others are judged beside it and can only raise.
 */
import type { Policy } from '../policy.ts'

export const SCOPES = ['managed', 'user', 'project'] as const
export type ScopeName = (typeof SCOPES)[number]

/** One policy that judges a call, for showing. */
export interface ScopeInForce {
  readonly scope: ScopeName
  /** Null: it stands in no file. */
  readonly path: string | null
  readonly digest: string
  /** It decides what is permitted, who is asked and what is started; every other one only raises. */
  readonly governs: boolean
  /** True where the operator answers for it: a managed or user policy, or a project's file that was trusted as it is. */
  readonly trusted: boolean
}

/** A policy that only raises. */
export interface LowerPolicy extends ScopeInForce {
  readonly governs: false
  /** What is left of it: nothing that permits. Of an untrusted one also nothing that starts, reaches or reads anything. */
  readonly policy: Policy
  /** The whole of it, for its scanners, judges and lookups; null where the operator does not answer for it. */
  readonly whole: Policy | null
}

/** Why a project's policy file was not read. Each is also what the decision says of it. */
export const UNREAD = {
  link: 'it is a symbolic link',
  hard_link: 'it has a second name (hard link)',
  not_a_file: 'it is no regular file',
  owner: 'it belongs to another user',
  writable: 'others may write it',
  protected: 'it lies in a protected directory',
  too_large: 'it is larger than 256 KiB',
  unreadable: 'it cannot be read',
  invalid: 'it is not a valid policy',
  too_many: 'too many policy files lie above the directory',
} as const satisfies Record<string, string>

export type UnreadProblem = keyof typeof UNREAD

export interface UnreadPolicy {
  readonly path: string
  readonly problem: UnreadProblem
  /** Code and position of each error where it is no valid policy; never its text. */
  readonly errors: readonly { readonly code: string; readonly line: number; readonly column: number }[]
  /** True where the operator trusted a file of this path before. */
  readonly trusted: boolean
}

/** The policies beneath the one that governs. */
export interface PolicyScopes {
  /** Digest of the governing policy alone; `Policy.digest` is over all that judge. */
  readonly own: string
  readonly inForce: readonly ScopeInForce[]
  readonly lower: readonly LowerPolicy[]
  readonly unread: readonly UnreadPolicy[]
}

/** What a policy says itself, where its silence has a default. A lower policy counts only with what it says. */
export interface Stated {
  /** `named`: only levels of single hazards. */
  readonly hazards: 'nothing' | 'named' | 'packs'
  readonly schemas: boolean
  readonly unicode: boolean
  /** From how much doubt, or risk, on something is done. */
  readonly askAt: boolean
  readonly flagAt: boolean
}

/** Digest of the policy without those beneath it: the operator's, whatever a repository brings. */
export function ownDigest(policy: Policy): string {
  return policy.scopes?.own ?? policy.digest
}

/** The policies that the operator answers for, the governing one first: only they start programs, look things up and add effects. */
export function operatorPolicies(policy: Policy): readonly Policy[] {
  if (policy.scopes === undefined) return [policy]
  return [policy, ...policy.scopes.lower.flatMap(({ whole }) => whole ?? [])]
}

/** Every policy that judges, the governing one first. */
export function judgingPolicies(policy: Policy): readonly Policy[] {
  return [policy, ...(policy.scopes?.lower ?? []).map((lower) => lower.whole ?? lower.policy)]
}

/** The machine's policy and the user's, without any of a project, trusted or not: what holds wherever a call comes from. */
export function standingPolicies(policy: Policy): readonly Policy[] {
  if (policy.scopes === undefined) return [policy]
  const { inForce, lower } = policy.scopes
  const governs = inForce.some((each) => each.governs && each.scope !== 'project')
  return [...(governs ? [policy] : []), ...lower.flatMap(({ scope, whole }) => (scope === 'project' || whole === null ? [] : [whole]))]
}

/** Milliseconds within which a hook's call is decided: the shortest of whatever policies hold; null: none says. */
export function hookDeadline(policy: Policy | null): number | null {
  const given = policy === null ? [] : operatorPolicies(policy).flatMap(({ hooks }) => hooks.deadlineMs ?? [])
  return given.length === 0 ? null : Math.min(...given)
}

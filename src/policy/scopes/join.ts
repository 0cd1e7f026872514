/** Several policies as one: who governs, who only raises, and one digest over all. Pure. */
import { createDigester, type Sha256 } from '../../core/digest.ts'
import type { Policy } from '../policy.ts'
import type { LowerPolicy, ScopeInForce, ScopeName, UnreadPolicy } from './model.ts'
import { lowered, tightening } from './tighten.ts'

/** A policy file of a project. */
export interface ProjectPolicy {
  readonly policy: Policy
  /** The operator trusted it exactly as it is. */
  readonly trusted: boolean
}

export interface ScopeParts {
  readonly managed: Policy | null
  /** Null only where a managed policy stands alone. */
  readonly user: Policy | null
  /** Nearest first. */
  readonly project: readonly ProjectPolicy[]
  readonly unread: readonly UnreadPolicy[]
}

interface Standing {
  readonly scope: ScopeName
  readonly policy: Policy
  readonly trusted: boolean
}

/**
 * The policy in force. The managed one governs; without it the nearest file of a project that was trusted; without that the user's.
 * Every other one only raises. Null where there is none.
 */
export function joinPolicies(parts: ScopeParts, sha256: Sha256): Policy | null {
  const all = standing(parts)
  const governs = all.find(({ scope }) => scope === 'managed') ?? all.find(({ scope, trusted }) => scope === 'project' && trusted) ?? all[0]
  if (governs === undefined || (governs.scope === 'project' && !governs.trusted)) return null
  if (all.length === 1 && parts.unread.length === 0) return governs.policy
  const lower = all.filter((each) => each !== governs).map(beneath)
  const inForce = all.map((each) => inForceOf(each, each === governs))
  const { policy } = governs
  return {
    ...policy,
    // A file that a repository brought does not end enforcement, trusted or not.
    defaultRole:
      [governs, ...all.filter(({ trusted }) => trusted)].find(({ policy: { defaultRole } }) => defaultRole !== null)?.policy.defaultRole ??
      null,
    mode: all.some(({ trusted, policy: { mode } }) => trusted && mode === 'enforce') ? 'enforce' : policy.mode,
    digest: createDigester(sha256).digest('countersign/policy-scopes/v1', {
      policies: inForce.map(({ scope, digest, governs: leads, trusted }) => [scope, digest, leads, trusted]),
      unread: parts.unread.map(({ path, problem }) => [path, problem]),
    }),
    scopes: { own: policy.digest, inForce, lower, unread: parts.unread },
  }
}

/** In the fixed order of the scopes. */
function standing({ managed, user, project }: ScopeParts): readonly Standing[] {
  return [
    ...(managed === null ? [] : [{ scope: 'managed' as const, policy: managed, trusted: true }]),
    ...(user === null ? [] : [{ scope: 'user' as const, policy: user, trusted: true }]),
    ...project.map(({ policy, trusted }) => ({ scope: 'project' as const, policy, trusted })),
  ]
}

function inForceOf({ scope, policy, trusted }: Standing, governs: boolean): ScopeInForce {
  return { scope, path: policy.path, digest: policy.digest, governs, trusted }
}

/** Made once for each policy: what layers know of a policy is remembered by its identity. */
const LOWERED = new WeakMap<Policy, Policy>()
const TIGHTENED = new WeakMap<Policy, Policy>()

function beneath({ scope, policy, trusted }: Standing): LowerPolicy {
  const made = trusted ? once(LOWERED, policy, lowered) : once(TIGHTENED, policy, tightening)
  return { scope, path: policy.path, digest: policy.digest, governs: false, trusted, policy: made, whole: trusted ? policy : null }
}

function once(known: WeakMap<Policy, Policy>, policy: Policy, make: (policy: Policy) => Policy): Policy {
  const made = known.get(policy) ?? make(policy)
  known.set(policy, made)
  return made
}

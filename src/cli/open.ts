/** Opens what a command needs: the policy by the rules of discovery, the gate over it. */
import type { PolicyState } from '../gate.ts'
import { type OpenedGate, openGate, stateDirectory } from '../open.ts'
import { COMPILE, policyFileOptions } from '../open-policy.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { findPolicy, loadPolicyText } from '../policy/file.ts'
import { loadPolicy, watchPolicies } from '../policy/watch.ts'
import { keptPolicies } from './program/kept-policies.ts'

export { COMPILE, policyFileOptions } from '../open-policy.ts'

/** The path of the policy in force, or null for the shipped default. */
export function policyPath(explicit: string | null): string | null {
  return findPolicy(policyFileOptions(explicit).places)
}

/** Loads the policy that the operator answers for, whatever project this is; where none is found, the one that ships. */
export function loadInForce(explicit: string | null): PolicyState {
  const options = policyFileOptions(explicit)
  return loadPolicy({ ...options, places: { ...options.places, cwd: null } })
}

/** The policy that ships, whatever this machine has. */
export function loadShipped(): PolicyState {
  return loadPolicyText(DEFAULT_POLICY, COMPILE)
}

export interface CommandGateOptions {
  readonly policy: string | null
  /** False: decide without a log; for looking, never for enforcing. */
  readonly record: boolean
  /** Milliseconds that judges may take together, where a host waits. Default: as the policy says. */
  readonly patienceMs?: number
}

/**
 * A gate for one command; the policy is looked for from where the call comes from, and taken as it was compiled before. What writes no
 * record writes and believes nothing in the state directory.
 */
export function openForCommand({ policy, ...options }: CommandGateOptions): OpenedGate {
  const home = stateDirectory()
  const files = { ...policyFileOptions(policy), ...(options.record ? { kept: keptPolicies(home) } : {}) }
  return openGate({ home, policy: watchPolicies(files).current, ...options })
}

/** Opens what a command needs: the policy by the rules of discovery, the gate over it. */
import type { PolicyState } from '../gate.ts'
import { type OpenedGate, openGate, stateDirectory } from '../open.ts'
import { COMPILE, policyFileOptions } from '../open-policy.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { findPolicy, loadPolicyText } from '../policy/file.ts'
import type { KeptPolicies } from '../policy/section.ts'
import { loadPolicy, watchPolicies } from '../policy/watch.ts'

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
  /** Policies as they were compiled before. Default: each is compiled anew. */
  readonly kept?: KeptPolicies
}

/** A gate for one command; the policy is looked for from where the call comes from. */
export function openForCommand({ policy, kept, ...options }: CommandGateOptions): OpenedGate {
  const files = { ...policyFileOptions(policy), ...(kept === undefined ? {} : { kept }) }
  return openGate({ home: stateDirectory(), policy: watchPolicies(files).current, ...options })
}

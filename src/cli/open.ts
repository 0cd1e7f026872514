/** Opens what a command needs: the policy by the rules of discovery, the gate over it. */
import type { PolicyState } from '../gate.ts'
import { analyseCall, type OpenedGate, openGate, stateDirectory, VOCABULARY } from '../open.ts'
import type { CompileOptions } from '../policy/compile.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { findPolicy, loadPolicyText, type PolicyFileOptions } from '../policy/file.ts'
import { MANAGED_DIRECTORY } from '../policy/scopes/managed.ts'
import type { KeptPolicies } from '../policy/section.ts'
import { loadPolicy, watchPolicies } from '../policy/watch.ts'
import { NEUTRAL } from '../replay/world.ts'
import { emptySession } from '../session/state.ts'
import { createFixedView } from '../view/fixed.ts'

/** How every command compiles policies: the same vocabulary, and examples judged in a neutral world. */
export const COMPILE: Omit<CompileOptions, 'path' | 'sha256'> = {
  vocabulary: VOCABULARY,
  analyseExample: (call) => analyseCall(call, createFixedView(NEUTRAL), { state: emptySession(0), policy: null }),
  env: (name) => process.env[name],
}

/** Where the policy is looked for, and what holds where none is found. */
export function policyFileOptions(explicit: string | null): PolicyFileOptions {
  const variable = process.env.COUNTERSIGN_POLICY ?? null
  const places = { explicit, variable, cwd: process.cwd(), home: stateDirectory(), managed: MANAGED_DIRECTORY }
  return { ...COMPILE, places, shipped: DEFAULT_POLICY }
}

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

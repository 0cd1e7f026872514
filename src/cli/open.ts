/** Opens what a command needs: the policy by the rules of discovery, the gate over it. */
import { FAMILIES } from '../facts/tools/index.ts'
import type { PolicyState } from '../gate.ts'
import { HAZARD_RULES, PACK_GROUPS } from '../layers/hazard/index.ts'
import { analyseCall, LAYERS, type OpenedGate, openGate, stateDirectory } from '../open.ts'
import { type CompileOptions, compilePolicy } from '../policy/compile.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { formatPolicyError } from '../policy/errors.ts'
import { findPolicy, loadPolicy, sha256 } from '../policy/file.ts'
import type { Vocabulary } from '../policy/section.ts'
import { NEUTRAL } from '../replay/run.ts'
import { emptySession } from '../session/state.ts'
import { createFixedView } from '../view/fixed.ts'

/** Names that a policy may use. */
export const VOCABULARY: Vocabulary = {
  families: FAMILIES,
  packs: PACK_GROUPS,
  hazards: HAZARD_RULES.map((rule) => rule.id),
  layers: LAYERS.map((layer) => layer.name).filter((name) => name !== 'integrity'),
}

/** How every command compiles policies: the same vocabulary, and examples judged in a neutral world. */
export const COMPILE: Omit<CompileOptions, 'path' | 'sha256'> = {
  vocabulary: VOCABULARY,
  analyseExample: (call) => analyseCall(call, createFixedView(NEUTRAL), { state: emptySession(0), policy: null }),
  env: (name) => process.env[name],
}

/** The path of the policy in force, or null for the shipped default. */
export function policyPath(explicit: string | null, cwd: string = process.cwd()): string | null {
  return findPolicy({ explicit, variable: process.env.COUNTERSIGN_POLICY ?? null, cwd, home: stateDirectory() })
}

/** Loads the policy in force; where none is found, the one that ships. */
export function loadInForce(explicit: string | null): PolicyState {
  const path = policyPath(explicit)
  const result = path === null ? compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 }) : loadPolicy(path, COMPILE)
  if (result.ok) return { policy: result.policy, degraded: null }
  return { policy: null, error: result.errors.map(formatPolicyError).join('\n'), path }
}

export interface CommandGateOptions {
  readonly policy: string | null
  /** False: decide without a log; for looking, never for enforcing. */
  readonly record: boolean
}

/** A gate for one command. */
export function openForCommand(options: CommandGateOptions): OpenedGate & { readonly state: PolicyState } {
  const state = loadInForce(options.policy)
  const path = policyPath(options.policy)
  const opened = openGate({
    home: stateDirectory(),
    policy: () => state,
    protect: path === null ? [] : [path],
    record: options.record,
  })
  return { ...opened, state }
}

/** How this machine's policies are found and compiled, by whoever opens a gate: the command line, the daemon, a program of others. */
import { analyseCall, stateDirectory, VOCABULARY } from './open.ts'
import type { CompileOptions } from './policy/compile.ts'
import { DEFAULT_POLICY } from './policy/default.ts'
import type { PolicyFileOptions } from './policy/file.ts'
import { MANAGED_DIRECTORY } from './policy/scopes/managed.ts'
import { emptySession } from './session/state.ts'
import { createFixedView } from './view/fixed.ts'
import { NEUTRAL } from './view/world.ts'

/** How every policy is compiled: the same vocabulary, and examples judged in a neutral world. */
export const COMPILE: Omit<CompileOptions, 'path' | 'sha256'> = {
  vocabulary: VOCABULARY,
  analyseExample: (call) => analyseCall(call, createFixedView(NEUTRAL), { state: emptySession(0), policy: null }),
  env: (name) => process.env[name],
}

/** Where the policy is looked for, and what holds where none is found. `home`: the state directory. */
export function policyFileOptions(explicit: string | null, home = stateDirectory()): PolicyFileOptions {
  const variable = process.env.COUNTERSIGN_POLICY ?? null
  const places = { explicit, variable, cwd: process.cwd(), home, managed: MANAGED_DIRECTORY }
  return { ...COMPILE, places, shipped: DEFAULT_POLICY }
}

/** Gates for benches: the real parts; a described world and no log where these are not what is timed. */
import { COMPILE } from '../src/cli/open.ts'
import type { Gate } from '../src/gate.ts'
import type { JudgeFunction } from '../src/judges/providers/provider.ts'
import { type OpenedGate, openGate } from '../src/open.ts'
import { compilePolicy } from '../src/policy/compile.ts'
import { sha256 } from '../src/policy/file.ts'
import type { Policy } from '../src/policy/policy.ts'
import { createFixedView } from '../src/view/fixed.ts'

export const WORLD = { home: '/home/user', cwd: '/home/user/project' } as const

/** The compiled policy; throws with its errors. */
export function policyOf(text: string): Policy {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(compiled.errors.map(({ line, message }) => `line ${line}: ${message}`).join('\n'))
  return compiled.policy
}

export interface BenchGate {
  readonly policy: Policy
  /** Look at this machine instead of a described world. */
  readonly machine?: boolean
  /** Keep the log in this state directory. */
  readonly record?: string
  /** Judges of the bench, by name. */
  readonly judges?: ReadonlyMap<string, JudgeFunction>
}

/** A gate over a policy; without `record`, it keeps no log. */
export function gateOf(options: BenchGate): { readonly gate: Gate; readonly close: () => void } {
  return openBench(options)
}

/** The same with its store. */
export function openBench({ policy, machine = false, record, judges }: BenchGate): OpenedGate {
  return openGate({
    home: record ?? '/home/user/.countersign',
    policy: () => ({ policy, degraded: null }),
    record: record !== undefined,
    ...(judges === undefined ? {} : { judges }),
    ...(machine ? {} : { view: () => createFixedView(WORLD) }),
  })
}

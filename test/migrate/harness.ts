/** Imports a configuration and decides calls under the policy that came of it: what was imported is what is enforced. */
import { COMPILE } from '../../src/cli/open.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { IMPORTERS, noteLine, policyText } from '../../src/migrate/index.ts'
import { digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { formatPolicyError } from '../../src/policy/errors.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { createFixedView } from '../../src/view/fixed.ts'

export interface Imported {
  /** The policy as data, before it was written. */
  readonly data: JsonObject
  readonly policy: Policy
  /** `file:line: setting: kind: text`. */
  readonly notes: readonly string[]
  /** `line setting kind`, for tables. */
  readonly lines: readonly string[]
}

/** Imports one file. @throws where the policy that came of it does not load. */
export function imported(seed: string, text: string, path = 'config'): Imported {
  const importer = IMPORTERS.get(seed)
  if (importer === undefined) throw new Error(`no importer ${seed}`)
  const migrated = importer([{ path, text }])
  const compiled = compilePolicy(policyText(seed, migrated), { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(compiled.errors.map(formatPolicyError).join('\n'))
  return {
    data: migrated.policy,
    policy: compiled.policy,
    notes: migrated.notes.map(noteLine),
    lines: migrated.notes.map(({ place, setting, kind }) => `${place.line} ${setting} ${kind}`),
  }
}

const HOME = '/home/user'

/** The decision on one call under an imported policy. */
export async function decide({ policy }: Imported, call: JsonObject): Promise<Decision> {
  const read = callFromJson({ cwd: `${HOME}/project`, ...call }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  const { gate } = openGate({
    home: `${HOME}/.countersign`,
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: ({ cwd }) => createFixedView({ home: HOME, cwd: cwd ?? HOME, roots: [cwd ?? HOME] }),
  })
  return gate.decide(read.call)
}

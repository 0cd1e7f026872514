/** Says once in a session that a policy of a project is not trusted, with the command that changes it. */
import type { ToolCall } from '../core/call.ts'
import type { Finding } from '../core/finding.ts'
import { finding } from '../layers/finding.ts'
import type { LowerPolicy } from '../policy/scopes/model.ts'
import type { SessionState } from '../session/state.ts'
import type { CounterKey } from '../store/store.ts'
import type { Spender } from './commit.ts'

/** How long a session is remembered, in milliseconds. */
const REMEMBERED_MS = 86_400_000

/** A flag for each file that this session was not told of. Without a session every call is told. */
export function untrustedNotes(call: ToolCall, lower: readonly LowerPolicy[], state: SessionState): readonly Finding[] {
  return lower
    .filter((each) => !each.trusted && (call.session === null || state.count(keyOf(call, each.digest)) === 0))
    .map(({ scope, path, digest }) => ({
      ...finding({
        layer: 'policy',
        rule: 'untrusted',
        verdict: 'flag',
        code: 'policy.untrusted',
        message: 'the policy of this project only tightens yours; run `countersign trust` there to see and trust it',
        evidence: { digest },
      }),
      scope: { name: scope, path, line: null },
    }))
}

/** Counts with the record what was said. */
export const scopeNotes: Spender = {
  wants: ({ findings }, { call }) => call.session !== null && findings.some(({ code }) => code === 'policy.untrusted'),
  spend: (tx, { findings }, { call, at }) => {
    for (const { code, evidence } of findings) {
      if (code !== 'policy.untrusted' || typeof evidence.digest !== 'string') continue
      tx.add(keyOf(call, evidence.digest), 1, { now: at, expiresAt: at + REMEMBERED_MS })
    }
    return undefined
  },
}

function keyOf({ principal, session }: ToolCall, digest: string): CounterKey {
  return [principal.tenant ?? '', 'untrusted', session ?? '', digest]
}

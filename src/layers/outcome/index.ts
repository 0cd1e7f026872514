/** What may have happened already is not done again without a person's word: an equal call was let through, and its result is not known. */
import type { Finding } from '../../core/finding.ts'
import { type KeyedEffect, keyedEffects } from '../../outcome/effect-key.ts'
import type { Attempt } from '../../session/attempts.ts'
import { finding, spanJson } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'

export const outcome: Layer = {
  name: 'outcome',
  onError: 'deny',
  evaluate: ({ call, facts, policy, state }: LayerInput): readonly Finding[] => {
    const { onUnknown, rememberMs } = policy.outcome
    if (onUnknown === 'pass') return []
    const keyed = keyedEffects(call, facts, policy)
    if (keyed.length === 0) return []
    const found = state.attempts(keyed)
    return keyed.flatMap((each, index) => {
      const open = (found[index] ?? []).filter(({ at, sameKey }) => !sameKey && at > state.now - rememberMs)
      return open.length === 0 ? [] : [mayHaveHappened(each, open, onUnknown)]
    })
  },
}

function mayHaveHappened({ effect }: KeyedEffect, open: readonly Attempt[], verdict: 'ask' | 'deny'): Finding {
  const { verb, action, target, span } = effect
  const newest = open[0]
  return finding({
    layer: 'outcome',
    rule: 'unknown',
    verdict,
    code: 'outcome.unknown',
    message: `${action ?? verb} of \`${target.value}\` may have happened ${newest === undefined ? 'before' : `at ${minute(newest.at)}: ${because(newest)}`}`,
    evidence: { verb, action, target: target.value, span: spanJson(span), attempts: open.map(({ record }) => record), times: open.length },
    // A grant or a judge allows an act, not its repetition.
    resolvers: ['human'],
  })
}

function because({ state, why, attended }: Attempt): string {
  if (state === 'unknown') return `the same act was let through then, and its result does not tell${why === null ? '' : ` (${why})`}`
  return attended
    ? 'the same act was left to the person at the host then, and no result of it came'
    : 'the same act was let through then, and no result of it came'
}

/** To the minute, in UTC: whoever reads it may be anywhere. */
function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

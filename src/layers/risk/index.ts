/** What the risk of a run leads to: calls that change something are marked or asked about, and in the end the session is stopped. */
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import { stepText } from '../../session/risk/risk.ts'
import { type RunRisk, runRisk } from '../../session/risk/run.ts'
import { finding } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'

const TOLD = 4

export const risk: Layer = {
  name: 'risk',
  onError: 'ask',
  evaluate: ({ call, facts, policy, state }): readonly Finding[] => {
    const { flagAt, askAt, haltAt, approvers } = policy.risk
    const lowest = Math.min(flagAt ?? 2, askAt ?? 2, haltAt ?? 2)
    if (lowest > 1) return []
    const run = runRisk({ call, state, halfLife: policy.risk.halfLife })
    if (run === null || run.score < lowest) return []
    if (haltAt !== null && run.score >= haltAt) return [raised(run, 'halt')]
    if (!changes(facts)) return []
    if (askAt !== null && run.score >= askAt) return [raised(run, 'ask', approvers)]
    return flagAt !== null && run.score >= flagAt ? [raised(run, 'flag')] : []
  },
}

/** A call of which nothing is known may change something. */
function changes({ effects }: LayerInput['facts']): boolean {
  return effects.length === 0 || effects.some(({ verb }) => verb !== 'read')
}

const CODES = { flag: 'risk.raised', ask: 'risk.asked', halt: 'risk.halted' } as const

function raised({ score, steps }: RunRisk, verdict: keyof typeof CODES, approvers: readonly string[] = []): Finding {
  const shown = steps.slice(0, TOLD)
  const more = steps.length > TOLD ? ` and ${steps.length - TOLD} more` : ''
  const evidence: JsonObject = {
    score,
    steps: shown.map(({ step, verdict: was, because }) => ({ step, verdict: was, code: because })),
    ...(approvers.length === 0 ? {} : { requires_approval_from: [...approvers] }),
  }
  return finding({
    layer: 'risk',
    rule: 'run',
    verdict,
    code: CODES[verdict],
    message: `the session's risk is ${score.toFixed(2)}: ${shown.map(stepText).join(', ')}${more}`,
    evidence,
    resolvers: verdict === 'ask' ? ['human'] : [],
  })
}

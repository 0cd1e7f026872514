/** The decision on a call that people changed: it says which arguments run, and is a denial that tells them where the host cannot put them in. */
import { isCode } from '../core/codes.ts'
import type { Decision } from '../core/decision.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import { runs } from '../core/verdict.ts'
import { finding } from '../layers/finding.ts'
import { overruled } from './compose.ts'

/** What people made of a call. */
export interface Instead {
  /** All arguments, those that were left alone included. */
  readonly args: JsonObject
  readonly approval: string
  /** Digest of what was changed. */
  readonly edit: string
  /** Of the call as it came. */
  readonly originalDigest: string
}

/** What the changed call would do, or why it is asked, is not what people agreed to any more: the call is asked as it came. */
export const NO_LONGER: Finding = finding({
  layer: 'approvals',
  rule: 'changed',
  verdict: 'ask',
  code: 'approval.stale',
  message: 'what the changed call would do is not what was approved any more',
  resolvers: ['human'],
})

/** A denial or an ask keeps its own reason; what would run is told with its arguments. */
export function asChanged(decision: Decision, { args, approval, edit, originalDigest }: Instead, rewrites: boolean): Decision {
  const modified = { arguments: args, originalDigest, approval, edit }
  if (!runs(decision.decision)) return decision
  const shown = `with modified arguments: ${JSON.stringify(args)}`
  if (rewrites) return { ...decision, modified, agentReason: `Approved ${shown}` }
  const message = `people agreed to the call with other arguments (${approval}); it has to be sent ${shown}`
  const denied = overruled(decision, { layer: 'approvals', rule: 'changed', code: 'approval.with_changes', message })
  return { ...denied, modified, agentReason: `${denied.agentReason} Arguments: ${JSON.stringify(args)}` }
}

type Said = Pick<Decision, 'findings'> & Partial<Pick<Decision, 'resolutions'>>

/**
 * What judges said of the other of the two calls, the one that was proposed or the one that people made of it. It weighs nothing,
 * but they were asked and paid, so it stands in the record.
 */
export function saidByJudges({ findings, resolutions = [] }: Said): readonly Finding[] {
  const found = findings.filter(({ layer }) => layer === 'judge')
  const answers = resolutions.flatMap(({ by, id, reason, evidence }): readonly Finding[] => {
    const { code } = evidence
    if (by !== 'judge' || typeof code !== 'string' || !isCode(code)) return []
    return [{ layer: 'judge', rule: id, verdict: 'abstain', code, message: reason, advice: null, evidence, resolvers: [] }]
  })
  return [...found.map((each): Finding => ({ ...each, verdict: 'abstain', resolvers: [] })), ...answers]
}

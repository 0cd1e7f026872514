/** What a judge said → a finding of a gate or an adviser, or the resolution of an ask. Pure. */
import type { Code } from '../core/codes.ts'
import type { Resolution } from '../core/decision.ts'
import type { Finding } from '../core/finding.ts'
import type { Outcome } from '../core/verdict.ts'
import { accepts } from '../judges/combine.ts'
import type { Consulted } from '../judges/question.ts'
import type { JudgePolicy } from '../policy/judges.ts'
import { isAdviser } from './judge-ceiling.ts'

/** Advice only: what it rejects is flagged. No answer is no answer, and never a sign that the call conforms. */
export function adviceOf(judge: JudgePolicy, consulted: Consulted): Finding {
  const { ruling, failure, evidence } = consulted
  const rejected = ruling !== null && !accepts(ruling.verdict)
  return {
    layer: 'judge',
    rule: judge.name,
    verdict: rejected && judge.mode === 'enforce' ? 'flag' : 'abstain',
    code: ruling === null ? (failure?.code ?? 'judge.unavailable') : rejected ? 'judge.advises' : 'judge.accepted',
    message: `judge \`${judge.name}\`: ${ruling?.reason ?? failure?.message ?? 'no answer'}`,
    advice: null,
    evidence,
    resolvers: [],
  }
}

/** What a judge in shadow says is in the record, and nowhere else. */
export function findingOf(judge: JudgePolicy, consulted: Consulted): Finding {
  const finding = enforcedFinding(judge, consulted)
  if (judge.mode === 'enforce') return finding
  const { verdict, code, evidence } = finding
  return {
    ...finding,
    verdict: 'abstain',
    code: 'judge.shadow',
    resolvers: [],
    evidence: { ...evidence, would: verdict, would_code: code },
  }
}

function enforcedFinding(judge: JudgePolicy, { ruling, failure, evidence }: Consulted): Finding {
  const base = { layer: 'judge', rule: judge.name, advice: null, evidence }
  const made = (verdict: Finding['verdict'], code: Code, message: string): Finding => {
    return { ...base, verdict, code, message: `judge \`${judge.name}\`: ${message}`, resolvers: verdict === 'ask' ? ['human'] : [] }
  }
  if (ruling === null) return made(judge.onError ?? 'deny', failure?.code ?? 'judge.unavailable', failure?.message ?? 'no answer')
  if (ruling.verdict === 'ask') return made('ask', 'judge.split', ruling.reason)
  if (!accepts(ruling.verdict)) return made(isAdviser(judge) ? 'ask' : ruling.verdict, 'judge.rejected', ruling.reason)
  if (evidence.truncated === true) return made('ask', 'judge.truncated', 'it accepts the call, but was not shown all of it')
  // An acceptance permits nothing; it is here to be recorded (AEG-W11).
  return made(ruling.verdict === 'flag' ? 'flag' : 'abstain', 'judge.accepted', ruling.reason)
}

/** Where it may only raise: what it rejects is rejected, and what it accepts stays a question. */
export function ceiling(judge: JudgePolicy, consulted: Consulted): Resolution {
  const resolution = resolutionOf(judge, consulted)
  if (!accepts(resolution.verdict)) return resolution
  const reason = `judge \`${judge.name}\` accepts the call, and may not settle it: a person answers. ${resolution.reason}`
  return { ...resolution, verdict: 'ask', reason, evidence: { ...resolution.evidence, code: 'judge.ceiling' } }
}

export function resolutionOf(judge: JudgePolicy, consulted: Consulted): Resolution {
  const resolution = enforcedResolution(judge, consulted)
  if (judge.mode === 'enforce') return resolution
  const { verdict, evidence } = resolution
  return {
    ...resolution,
    verdict: 'ask',
    evidence: { ...evidence, code: 'judge.shadow', would: verdict, would_code: evidence.code ?? null },
  }
}

function enforcedResolution(judge: JudgePolicy, { ruling, failure, evidence }: Consulted): Resolution {
  const made = (verdict: Outcome, code: Code, message: string): Resolution => {
    return { by: 'judge', id: judge.name, verdict, reason: `judge \`${judge.name}\`: ${message}`, evidence: { ...evidence, code } }
  }
  if (ruling === null) return made(judge.onError ?? 'ask', failure?.code ?? 'judge.unavailable', failure?.message ?? 'no answer')
  if (ruling.verdict === 'ask') return made('ask', 'judge.split', ruling.reason)
  if (!accepts(ruling.verdict)) return made(isAdviser(judge) ? 'ask' : ruling.verdict, 'judge.rejected', ruling.reason)
  if (evidence.truncated === true) return made('ask', 'judge.truncated', 'it accepts the call, but was not shown all of it')
  return made(ruling.verdict, 'judge.accepted', ruling.reason)
}

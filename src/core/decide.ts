import type { Finding } from './finding.ts'
import { compare, type Enforcement, enforced, join, type Outcome, type Verdict } from './verdict.ts'

/** A layer with the level and the fail mode it is bound at. `I` is what layers see; core does not care. */
export interface BoundLayer<I> {
  readonly name: string
  /** Null: every finding keeps the verdict its rule gave it. */
  readonly enforcement: Enforcement | null
  readonly onError: 'ask' | 'deny'
  readonly evaluate: (input: I) => readonly Finding[]
}

/** The settled findings of one call, before anybody resolves an `ask`. */
export interface Judgement {
  readonly verdict: Outcome
  readonly findings: readonly Finding[]
  /** Indices of the findings that carry the verdict, in the fixed order of `findings`. */
  readonly determining: readonly number[]
}

/**
 * Joins what every layer says. The verdict is the maximum; a permit lifts only the default, never a finding; a layer that
 * throws counts as violated (P1-P4, T13, T14). The order of layers and rules changes neither verdict nor determining rules.
 */
export function decide<I>(input: I, layers: readonly BoundLayer<I>[], fallback: 'ask' | 'deny'): Judgement {
  const findings = evaluateLayers(input, layers)
  if (!findings.some((finding) => finding.verdict === 'allow'))
    findings.push(unpermitted(findings.some(asksForLeave) ? 'ask' : fallback, fallback))
  return settle(findings)
}

/** What every layer says, at the level it is bound at. */
export function evaluateLayers<I>(input: I, layers: readonly BoundLayer<I>[]): Finding[] {
  const findings: Finding[] = []
  for (const layer of layers) evaluate(input, layer, findings)
  return findings
}

/** The verdict of a set of findings, and which of them carry it. */
export function settle(findings: readonly Finding[]): Judgement {
  let verdict: Verdict = 'abstain'
  for (const finding of findings) verdict = join(verdict, finding.verdict)
  // INVARIANT: nothing is allowed by the absence of findings.
  const outcome: Outcome = verdict === 'abstain' ? 'deny' : verdict
  const determining: number[] = []
  for (const [index, finding] of findings.entries()) if (finding.verdict === outcome) determining.push(index)
  return { verdict: outcome, findings, determining }
}

/** Adds what the layer says; of one that throws only the failure. */
function evaluate<I>(input: I, layer: BoundLayer<I>, findings: Finding[]): void {
  const before = findings.length
  try {
    for (const finding of layer.evaluate(input)) findings.push(bind(finding, layer.enforcement))
  } catch (error) {
    findings.length = before
    findings.push(failed(layer, error))
  }
}

/** Enforcement is set where a rule is bound, not inside it; `halt` and permits are not violations of a level. */
function bind(finding: Finding, level: Enforcement | null): Finding {
  if (level === null || (finding.verdict !== 'ask' && finding.verdict !== 'deny' && finding.verdict !== 'flag')) return finding
  const verdict = enforced(level)
  if (verdict === finding.verdict) return finding
  return { ...finding, verdict, resolvers: verdict === 'ask' ? ['human'] : [] }
}

function failed<I>(layer: BoundLayer<I>, error: unknown): Finding {
  const verdict = compare(layer.onError, 'ask') < 0 ? 'ask' : layer.onError
  const detail = error instanceof Error ? error.message : String(error)
  return {
    layer: layer.name,
    rule: 'error',
    verdict,
    code: 'infra.layer_error',
    message: `layer \`${layer.name}\` failed: ${detail}`,
    advice: null,
    evidence: {},
    resolvers: verdict === 'ask' ? ['human'] : [],
  }
}

/**
 * True where a yes of people permits the call: a registered tool that cannot be undone, and a rule that is written to ask. A denial that
 * is bound to ask is still against the call, what other layers ask is about what it would do, and a rule that failed says nothing.
 */
function asksForLeave({ layer, verdict, code, evidence, resolvers }: Finding): boolean {
  if (verdict !== 'ask' || !resolvers.includes('human')) return false
  return layer === 'registry' ? code !== 'infra.layer_error' : layer === 'rules' && code === 'rules.asked' && evidence.kind === 'ask'
}

/** Where people are asked for leave, their yes is the permit that the default misses: nobody else's is. */
function unpermitted(verdict: 'ask' | 'deny', fallback: 'ask' | 'deny'): Finding {
  const lifted = verdict !== fallback
  const message = `no finding permits this call; the policy's default is \`${fallback}\`${lifted ? ', unless people agree to it' : ''}`
  const resolvers: Finding['resolvers'] = verdict === 'deny' ? [] : lifted ? ['human'] : ['grant', 'judge', 'human']
  return { layer: 'policy', rule: 'default', verdict, code: 'policy.default', message, advice: null, evidence: {}, resolvers }
}

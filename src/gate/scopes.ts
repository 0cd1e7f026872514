/**
 * Judges a call by every policy that is in force for it. The one that governs judges as if it stood alone; of each other one only what
 * raises is joined, so that no policy beneath another ever makes a verdict milder. Of a policy that the operator does not answer for
 * no text gets into a finding: what it says of a call is told by code and place.
 */
import { canonicalJson } from '../core/canonical.ts'
import { CODES } from '../core/codes.ts'
import { decide, evaluateLayers, type Judgement, settle } from '../core/decide.ts'
import type { Finding, FindingScope } from '../core/finding.ts'
import { compare } from '../core/verdict.ts'
import type { ResolveContext, Review } from '../gate.ts'
import { finding } from '../layers/finding.ts'
import { statedGuards } from '../layers/integrity/index.ts'
import type { Layer, LayerInput } from '../layers/layer.ts'
import type { Policy } from '../policy/policy.ts'
import { type LowerPolicy, operatorPolicies, UNREAD, type UnreadPolicy } from '../policy/scopes/model.ts'
import type { SessionState } from '../session/state.ts'
import { bound } from './bound.ts'
import { untrustedNotes } from './scope-notes.ts'

export interface ScopeContext {
  readonly layers: readonly Layer[]
  /** The session as another policy knows it: its tables, its grants. */
  readonly stateFor: (policy: Policy) => SessionState
}

/** The judgement of all policies together. */
export function judgeScopes(input: LayerInput, context: ScopeContext): Judgement {
  const { policy } = input
  const governing = decide(input, bound(context.layers, policy), policy.default)
  if (policy.scopes === undefined) return governing
  const { lower, unread } = policy.scopes
  const known = new Set(governing.findings.map(identity))
  const added = lower.flatMap((each) => findingsOf(each, input, context).filter((found) => !known.has(identity(found.raw))))
  return settle([
    ...governing.findings,
    ...added.map(({ told }) => told),
    ...unread.map(unreadFinding),
    ...untrustedNotes(input.call, lower, input.state),
  ])
}

/** Scanners and judges of every policy that the operator answers for, one after the other. They only raise. */
export function reviewScopes(review: Review, judgement: Judgement, context: ResolveContext): Judgement | Promise<Judgement> {
  const [, ...others] = operatorPolicies(context.policy)
  return others.reduce<Judgement | Promise<Judgement>>(
    (before, policy) => {
      const next = (found: Judgement) => review(found, { ...context, policy })
      return before instanceof Promise ? before.then(next) : next(before)
    },
    review(judgement, context),
  )
}

interface Found {
  /** As the layer found it. */
  readonly raw: Finding
  /** As the decision holds it. */
  readonly told: Finding
}

function findingsOf(lower: LowerPolicy, input: LayerInput, { layers, stateFor }: ScopeContext): readonly Found[] {
  const { policy, whole } = lower
  const judging = whole === null ? untrustedLayers(layers) : layers
  const state = needsOwnState(policy, whole) ? stateFor(whole ?? policy) : input.state
  const found = evaluateLayers({ ...input, policy, state }, bound(judging, policy))
  return found.flatMap((raw) => {
    const raised = raisedBy(raw, policy)
    return raised === null ? [] : [{ raw, told: whole === null ? anonymous(raised, lower) : named(raised, lower) }]
  })
}

function needsOwnState({ contracts, capabilities }: Policy, whole: Policy | null): boolean {
  return contracts.tables.length > 0 || capabilities.grants.length > 0 || (whole !== null && whole.contracts.providers.length > 0)
}

/** Once for each list: layers are bound by the identity of their list. */
const UNTRUSTED = new WeakMap<readonly Layer[], readonly Layer[]>()

function untrustedLayers(layers: readonly Layer[]): readonly Layer[] {
  const known = UNTRUSTED.get(layers) ?? layers.map((layer) => (layer.name === 'integrity' ? statedGuards : layer))
  UNTRUSTED.set(layers, known)
  return known
}

/**
 * What is left of a finding of a policy that only raises. A permit is no part of it; that a grant covers an effect is kept as a trace,
 * since the grant is used up by it. A policy in shadow mode stops nothing.
 */
function raisedBy(raw: Finding, { mode }: Policy): Finding | null {
  if (raw.code === 'capability.granted') return { ...raw, verdict: 'abstain' }
  if (compare(raw.verdict, 'flag') < 0) return null
  if (mode === 'shadow' && compare(raw.verdict, 'flag') > 0) return { ...raw, verdict: 'flag', resolvers: [] }
  return raw
}

/** Of the operator's own: as it is. Judges are the governing policy's, so they answer only what it asks. */
function named(found: Finding, { scope, path }: LowerPolicy): Finding {
  const resolvers = found.resolvers.filter((resolver) => resolver !== 'judge')
  const asked = found.verdict === 'ask' && resolvers.length === 0 ? (['human'] as const) : resolvers
  return { ...found, resolvers: asked, scope: { name: scope, path, line: lineOf(found) } }
}

/** Of a repository's: whose it is, and where, in our own words. Only a person answers what it asks. */
function anonymous(found: Finding, { scope, path, policy }: LowerPolicy): Finding {
  const { layer, verdict, code } = found
  const place: FindingScope = { name: scope, path, line: lineOf(found) }
  const trace = code === 'capability.granted' ? found.evidence : {}
  return {
    layer,
    rule: ruleOf(found, policy),
    verdict,
    code,
    message: `${CODES[code].operator} (policy of the project${place.line === null ? '' : `, line ${place.line}`})`,
    advice: null,
    evidence: trace,
    resolvers: verdict === 'ask' ? ['human'] : [],
    scope: place,
  }
}

/** Hazards have names of ours; a rule is named by its place, and everything else by its scope. */
function ruleOf({ layer, rule }: Finding, { rules }: Policy): string {
  if (layer === 'hazard') return rule
  const written = layer === 'rules' ? rules.all.find(({ id }) => id === rule) : undefined
  return written === undefined ? 'project' : `${written.kind}[${written.index}]`
}

function lineOf({ layer, evidence }: Finding): number | null {
  return layer === 'rules' && typeof evidence.line === 'number' ? evidence.line : null
}

/** The same hazard, guard or limit from two policies is one finding. */
function identity({ layer, rule, verdict, code, message, evidence }: Finding): string {
  return canonicalJson([layer, rule, verdict, code, message, evidence])
}

/** A file that the operator relied on and that cannot be read is asked about; any other is only said to be there. */
function unreadFinding({ path, problem, errors, trusted }: UnreadPolicy): Finding {
  const [first] = errors
  const at = first === undefined ? '' : ` (${first.code} at ${first.line}:${first.column})`
  return {
    ...finding({
      layer: 'policy',
      rule: 'project',
      verdict: trusted ? 'ask' : 'flag',
      code: 'policy.unread',
      message: `a policy file of the project is not read: ${UNREAD[problem]}${at}`,
      evidence: { problem },
      resolvers: ['human'],
    }),
    scope: { name: 'project', path, line: first?.line ?? null },
  }
}

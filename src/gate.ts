/**
 * The one orchestrator: only this file knows the whole line from a call to a recorded decision. It is handed every part
 * that does I/O; it never lets a failure become an allow (P4) and never allows what was not durably recorded (P5).
 */
import type { ToolCall } from './core/call.ts'
import type { Code } from './core/codes.ts'
import { type Judgement, settle } from './core/decide.ts'
import type { Decision, Resolution } from './core/decision.ts'
import type { Finding } from './core/finding.ts'
import type { History } from './core/history.ts'
import { underAllNames } from './core/other-names.ts'
import type { Preview } from './core/preview.ts'
import { type Answer, type Ask, applyAnswers, openAsks } from './core/resolve.ts'
import { toolIdentity } from './core/tool-name.ts'
import { type Outcome, runs } from './core/verdict.ts'
import type { Facts } from './facts/facts.ts'
import type { View } from './facts/view.ts'
import type { Basis, Commit } from './gate/commit.ts'
import { callOf, compose, enforceMode, overruled, type Refused, recorded, refusal, unjudged } from './gate/compose.ts'
import type { Handover } from './gate/handover.ts'
import { asChanged, type Instead, NO_LONGER, saidByJudges } from './gate/instead.ts'
import { type Capturing, withCapture } from './gate/preview/captured.ts'
import { isToBeTried, tryOut } from './gate/preview/seen.ts'
import { judgeScopes, reviewScopes } from './gate/scopes.ts'
import type { Layer } from './layers/layer.ts'
import type { Policy } from './policy/policy.ts'
import { type RunRisk, runRisk } from './session/risk/run.ts'
import type { SessionState } from './session/state.ts'

/** The policy in force, or why there is none: then nothing is allowed (T41, PIT-11). */
export type PolicyState =
  | { readonly policy: Policy; readonly degraded: string | null }
  /** `detail`: with the text of the file, for the operator's terminal alone. */
  | { readonly policy: null; readonly error: string; readonly path: string | null; readonly detail?: string }

export interface ResolveContext {
  readonly call: ToolCall
  readonly facts: Facts
  readonly policy: Policy
  readonly callDigest: string
  readonly state: SessionState
  /** Set where the call is one that people changed. */
  readonly instead?: Instead | null
  /** What the call was seen to do before anybody is asked; absent or null: it was not tried out. */
  readonly preview?: Preview | null
}

/** Answers one open ask, or does not: undefined leaves it open. */
export type Resolver = (ask: Ask, context: ResolveContext) => Promise<Resolution | undefined>

/** What an approval, or a no of before, says of a call. */
export interface Examined {
  /** Only ever raise. */
  readonly findings: readonly Finding[]
  /** Answers asks with an approval that binds to exactly this call; null: there is none. */
  readonly resolver: Resolver | null
  /** Asked before every other: the call was answered before under the same id of its host. */
  readonly before?: Resolver | null
  /** People agreed to other arguments: the call is judged with those, from the start. */
  readonly instead?: Instead
}

/** The judgement with what gate judges find; at once where none is asked. */
export type Review = (judgement: Judgement, context: ResolveContext) => Judgement | Promise<Judgement>

/** Everything the gate does not do itself. */
export interface GateParts {
  /** For a call from this directory. */
  readonly policy: (cwd: string | null) => PolicyState
  readonly view: (call: ToolCall) => View
  readonly analyse: (call: ToolCall, view: View, context: { state: SessionState; policy: Policy }) => Facts
  /** What rules over time and flow may ask of the session. Absent or null: nothing is known of one. */
  readonly history?: (call: ToolCall, facts: Facts, context: { state: SessionState; policy: Policy }) => History | null
  readonly layers: readonly Layer[]
  readonly resolvers: readonly Resolver[]
  /** Asked once the layers have judged. Absent: nobody approves anything here. */
  readonly examine?: (judgement: Judgement, context: ResolveContext) => Examined
  /** Tries a call out, without its effects, where people would be asked or the policy says so. Absent: nothing is tried out. */
  readonly preview?: (context: ResolveContext) => Promise<Preview | null>
  /** Keeps what a call that runs would delete or overwrite. Absent: nothing is kept. */
  readonly capture?: Capturing
  /** Gate judges, after the layers; and judges as the last to answer an ask. Absent: there are none. */
  readonly judges?: { readonly review: Review; readonly resolver: Resolver }
  /** Looks up what a call that people changed has to be judged by, as was done for the call itself. */
  readonly prepare?: (call: ToolCall, policy: Policy) => Promise<void>
  readonly state: (call: ToolCall, now: number, policy: Policy) => SessionState
  readonly callDigest: (call: ToolCall) => string
  readonly commit: Commit
  /** The time by which ends are judged, in milliseconds since the epoch. Throws where the store cannot tell it. */
  readonly now: () => number
  /** Monotonic clock in microseconds. */
  readonly micros: () => number
}

/** What the side that asks can do. */
export interface HostSide {
  /** A person sits at the host and is asked there, so an ask opens no approval of ours. */
  readonly attended: boolean
  /** It runs a call with the arguments that a decision gives instead; where it cannot, such a decision is a denial that tells them. */
  readonly rewrites: boolean
  /** The event of a hook that decides by itself once nobody answers. */
  readonly handover?: Handover | null
}

export interface Gate {
  /**
   * Judges, resolves and records one call. Never rejects: a failure is a recorded denial. `true` for the host: a person sits
   * there and is asked there. Default: nobody does, and it runs calls as they are.
   */
  readonly decide: (call: ToolCall, ingressMicros?: number, host?: boolean | HostSide) => Promise<Decision>
  /** Records the denial of input that never became a call. */
  readonly refuse: (refused: Refused, handover?: Handover | null) => Promise<Decision>
  /** The analysis alone: nothing is judged, nothing is recorded. */
  readonly facts: (call: ToolCall) => Facts
}

export interface ConsideringGate extends Gate {
  /** What the layers alone say of a call; nobody is asked and nothing is recorded. */
  readonly consider: (call: ToolCall) => Promise<Recording>
}

/** A gate over these parts. */
export function createGate(parts: GateParts): ConsideringGate {
  return {
    decide: async (given, ingressMicros = 0, attended = false) => {
      const call = identified(given)
      const host = typeof attended === 'boolean' ? { attended, rewrites: false } : attended
      const { handover = null } = host
      try {
        const recording = await judge(parts, call, { ingress: ingressMicros, instead: null, ...host })
        return await record(parts, recording.call ?? call, { ...recording, handover })
      } catch (error) {
        return record(parts, call, {
          decision: unjudged(storeCode(error) ?? 'infra.internal', describe(error), digestOf(parts, call)),
          handover,
        })
      }
    },
    refuse: (refused, handover = null) => record(parts, callOf(refused), { decision: refusal(refused), handover }),
    consider: (given) => {
      const call = identified(given)
      const { judges: _judges, examine: _examine, ...layersAlone } = parts
      return judge({ ...layersAlone, resolvers: [] }, call, { ingress: 0, instead: null, attended: false, rewrites: false })
    },
    facts: (given) => {
      const call = identified(given)
      const { policy } = parts.policy(call.cwd)
      if (policy === null) throw new Error('no valid policy is loaded')
      return parts.analyse(call, parts.view(call), { state: parts.state(call, parts.now(), policy), policy })
    },
  }
}

/** Entries take names apart; a program that makes calls of its own may not have. */
function identified(call: ToolCall): ToolCall {
  const { server, name } = toolIdentity(call.tool.server, call.tool.name)
  return name === call.tool.name ? call : { ...call, tool: { ...call.tool, server, name } }
}

interface Arrival extends HostSide {
  /** Microseconds that reading the call took. */
  readonly ingress: number
  /** What people changed the call into, where it is judged for the second time. */
  readonly instead: Instead | null
}

/** Waits only for judges and resolvers: a decision that asks nobody is made in one go. */
async function judge(parts: GateParts, call: ToolCall, arrival: Arrival): Promise<Recording> {
  const { ingress, attended, instead } = arrival
  const loaded = parts.policy(call.cwd)
  const callDigest = parts.callDigest(call)
  if (loaded.policy === null) {
    const decision = { ...unjudged('policy.invalid', loaded.error, callDigest), policySource: { path: loaded.path, degraded: null } }
    return { decision }
  }
  const { policy } = loaded
  const started = parts.micros()
  const view = parts.view(call)
  const state = parts.state(call, timeOf(parts), policy)
  const facts = parts.analyse(call, view, { state, policy })
  const analysed = parts.micros()
  const stateFor = (lower: Policy): SessionState => parts.state(call, state.now, lower)
  const history = parts.history?.(call, facts, { state, policy }) ?? null
  const judgedAs = (known: Facts) =>
    underAllNames(call, judgeScopes({ call, facts: known, policy, state, history }, { layers: parts.layers, stateFor }), {
      spelled: (other) => judgedBy(parts, other, { policy, view, facts: known }),
      judged: (other) => judgedBy(parts, other, { policy, view, facts: null }),
    })
  const layered = judgedAs(facts)
  const judged = parts.micros()
  const asked: ResolveContext = { call, facts, policy, callDigest, state, instead }
  const reviewed = parts.judges === undefined ? layered : reviewScopes(parts.judges.review, layered, asked)
  const given = reviewed instanceof Promise ? await reviewed : reviewed
  const trying = { found: given, context: asked, judged: (known: Facts) => judgedAs(known).findings }
  const { found, preview } = isToBeTried(parts, given, asked) ? await tryOut(parts, trying) : { found: given, preview: null }
  const context: ResolveContext = { ...asked, preview }
  const examined = parts.examine?.(found, context) ?? NOTHING_SAID
  const changed = examined.instead === undefined ? null : await judgeChanged(parts, context, { arrival, instead: examined.instead })
  if (changed !== null && changed.decision.would !== 'ask') {
    const { decision } = changed
    return { ...changed, decision: { ...decision, findings: [...decision.findings, ...saidByJudges(found)] } }
  }
  const findings = changed === null ? examined.findings : [...examined.findings, NO_LONGER, ...saidByJudges(changed.decision)]
  const judgement = findings.length === 0 ? found : settle([...found.findings, ...findings])
  const open = judgement.verdict === 'ask'
  const { verdict, resolutions } = open ? await resolve(resolversOf(parts, examined), judgement, context) : unresolved(judgement)
  const resolved = parts.micros()
  const decision = compose({
    judgement,
    verdict,
    resolutions,
    facts,
    policy,
    call,
    callDigest,
    view: view.answers(),
    degraded: loaded.degraded,
    run: runOf(asked),
    timings: { ingress, facts: analysed - started, layers: judged - analysed, resolve: resolved - judged, record: 0 },
  })
  return { decision: enforceMode(decision, policy.mode), basis: { facts, policy, state, preview }, attended }
}

interface Renaming {
  readonly policy: Policy
  readonly view: View
  /** Null: those that a call of this tool has. */
  readonly facts: Facts | null
}

/** The call under another name of its tool, or as a call of another tool. */
function judgedBy(parts: GateParts, call: ToolCall, { policy, view, facts: known }: Renaming): Judgement {
  const state = parts.state(call, timeOf(parts), policy)
  const facts = known ?? parts.analyse(call, view, { state, policy })
  const stateFor = (lower: Policy): SessionState => parts.state(call, state.now, lower)
  const history = parts.history?.(call, facts, { state, policy }) ?? null
  return judgeScopes({ call, facts, policy, state, history }, { layers: parts.layers, stateFor })
}

/** For the record alone: where it cannot be read, the layer of risk says so. */
function runOf({ call, state, policy }: ResolveContext): RunRisk | null {
  try {
    return runRisk({ call, state, halfLife: policy.risk.halfLife })
  } catch {
    return null
  }
}

interface Changed {
  readonly arrival: Arrival
  readonly instead: Instead
}

/** Without a store by the wall clock: what a decision takes from grants and approvals is judged again with its record, or nothing is. */
function timeOf({ now }: GateParts): number {
  try {
    return now()
  } catch {
    return Date.now()
  }
}

/** The whole line once more, for the call that people made of this one. An `ask`: what they agreed to does not hold any more. */
async function judgeChanged(parts: GateParts, { call, policy }: ResolveContext, { arrival, instead }: Changed): Promise<Recording> {
  const changed = { ...call, args: instead.args }
  await parts.prepare?.(changed, policy)
  const recording = await judge(parts, changed, { ...arrival, instead })
  return { ...recording, call: changed, decision: asChanged(recording.decision, instead, arrival.rewrites) }
}

/** In the order in which they are asked: what a grant or a person has said already comes before a judge. */
function resolversOf({ resolvers, judges }: GateParts, { before = null, resolver }: Examined): readonly Resolver[] {
  const said = resolver === null ? [] : [resolver]
  return [...(before === null ? [] : [before]), ...resolvers, ...said, ...(judges === undefined ? [] : [judges.resolver])]
}

function unresolved({ verdict }: Judgement): Resolved {
  return { verdict, resolutions: [] }
}

const NOTHING_SAID: Examined = { findings: [], resolver: null }

interface Resolved {
  readonly verdict: Outcome
  readonly resolutions: readonly Resolution[]
}

/** Costly resolvers run only when an `ask` is left (D7); one that throws gave no answer (P4). */
async function resolve(resolvers: readonly Resolver[], judgement: Judgement, context: ResolveContext): Promise<Resolved> {
  const answers: Answer[] = []
  for (const ask of openAsks(judgement.findings)) {
    const resolution = await firstAnswer(resolvers, ask, context)
    if (resolution !== undefined) answers.push({ index: ask.index, resolution })
  }
  return { verdict: applyAnswers(judgement.findings, answers), resolutions: answers.map((answer) => answer.resolution) }
}

async function firstAnswer(resolvers: readonly Resolver[], ask: Ask, context: ResolveContext): Promise<Resolution | undefined> {
  let unsettled: Resolution | undefined
  for (const resolver of resolvers) {
    try {
      const resolution = await resolver(ask, context)
      // Who may not settle a question may still raise it, and is recorded.
      if (resolution === undefined || (runs(resolution.verdict) && !ask.resolvers.includes(resolution.by))) continue
      if (resolution.verdict !== 'ask') return resolution
      // It leaves the ask as it is; what it said is recorded.
      unsettled ??= resolution
    } catch {
      // No answer: the ask stays open.
    }
  }
  return unsettled
}

/** Durable first, then the reply. What cannot be recorded is not allowed; a denial stands either way (P5, T32). */
async function record(
  parts: GateParts,
  call: ToolCall,
  { decision, basis = null, attended = false, handover = null }: Recording,
): Promise<Decision> {
  const started = parts.micros()
  try {
    const kept = await withCapture(parts, decision, { call, basis, attended })
    const committed = await parts.commit(kept, { call, at: parts.now(), basis, attended, handover })
    return recorded(committed.decision, committed.receipt.id, parts.micros() - started)
  } catch (error) {
    const message = `the decision could not be recorded: ${describe(error)}`
    return { ...overruled(decision, { layer: 'record', rule: 'append', code: codeOf(error), message }), auditEntryId: null }
  }
}

export interface Recording {
  readonly decision: Decision
  /** Absent: the call as it came. */
  readonly call?: ToolCall
  /** Absent where nothing was analysed. */
  readonly basis?: Basis | null
  readonly attended?: boolean
  readonly handover?: Handover | null
}

function codeOf(error: unknown): Code {
  return storeCode(error) ?? 'infra.audit_unavailable'
}

/** What a store says of itself; null for any other failure. */
function storeCode(error: unknown): 'infra.store_corrupt' | 'infra.audit_unavailable' | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'infra.store_corrupt' || code === 'infra.audit_unavailable' ? code : null
}

function digestOf(parts: GateParts, call: ToolCall): string {
  try {
    return parts.callDigest(call)
  } catch {
    return 'unknown'
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

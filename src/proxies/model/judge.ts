/** Asks the gate about what a model proposes, and says what becomes of it. An adapter: it decides nothing by itself. */
import type { Principal, ToolCall } from '../../core/call.ts'
import { CODES, type Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import type { Digester } from '../../core/digest.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { runs } from '../../core/verdict.ts'
import type { Gate, PolicyState } from '../../gate.ts'
import { readJson } from '../../ingress/json.ts'
import type { ApiName, Begun, Judge, Proposal, RequestFacts, Ruling, Unjudged } from './api.ts'

/** On whose behalf a request came. */
export interface Requester {
  readonly principal: Principal
  readonly session: string | null
  readonly cwd: string | null
  /** The task of its requests is what the user wrote. */
  readonly vouches: boolean
}

/** What the proxy learnt of one decision. */
export interface Outcome {
  readonly decision: Decision
  readonly tool: string
  /** Null: the call goes on. Else why it does not. */
  readonly stopped: 'blocked' | 'pending' | null
  /** True where nothing was judged, as nothing could be read. */
  readonly unjudged: boolean
}

export interface JudgeParts {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly digester: Pick<Digester, 'definitionDigest'>
  readonly digest: (bytes: Uint8Array) => string
  readonly policy: () => PolicyState
  /** Names of tools whose programs describe them anew in each session: nothing is pinned of those. */
  readonly ownTools: ReadonlySet<string>
  readonly api: ApiName | null
  readonly requester: Requester
  readonly facts: Pick<RequestFacts, 'task' | 'definitions'>
  /** Kinds of tools that the provider may run in this request. */
  readonly offered: ReadonlySet<string>
  /** An approval of an earlier answer, as the request brought it. */
  readonly approval: string | null
  /** Waits until people answered (true), or for as long as the client can wait. */
  readonly hold: (decision: Decision) => Promise<boolean>
  readonly seen: (outcome: Outcome) => void
  /** What earlier calls returned is known to the session once this is done: later calls are judged by it. */
  readonly told?: Promise<void>
  readonly withheld?: NonNullable<Judge['withheld']>
}

const HOST = { attended: false, rewrites: true } as const
const MAX_TASK = 16 * 1024
const MAX_SAMPLE = 4 * 1024
/** Characters of a tool's name that are repeated to a model. */
const MAX_NAME = 64

export function createJudge(parts: JudgeParts): Judge {
  return {
    begin: (proposal) => begin(parts, proposal),
    unjudged: (unjudged) => judgeUnjudged(parts, unjudged),
    offered: (kind) => parts.offered.has(kind),
    ...(parts.withheld === undefined ? {} : { withheld: parts.withheld }),
  }
}

/** Decides a call and waits for people, where they are asked. */
export async function judgeCall(judge: Judge, proposal: Proposal): Promise<Ruling> {
  const { ruling, wait } = await judge.begin(proposal)
  return ruling ?? wait()
}

export function settled(ruling: Ruling): Begun {
  return { ruling, wait: async () => ruling }
}

async function begin(parts: JudgeParts, proposal: Proposal): Promise<Begun> {
  const started = performance.now()
  const limits = parts.policy().policy?.limits
  const bounds = limits === undefined ? {} : { maxBytes: limits.maxBytes, maxDepth: limits.maxDepth, maxString: limits.maxBytes }
  const text = proposal.form === 'text' ? JSON.stringify({ input: proposal.input }) : proposal.input
  const read = readJson(text, bounds)
  if (!read.ok) return settled(await refuse(parts, proposal, { code: read.refusal.code, message: read.refusal.message }))
  if (!isJsonObject(read.value))
    return settled(await refuse(parts, proposal, { code: 'ingress.wrong_type', message: 'the arguments are no object' }))
  const call = callOf(parts, proposal, read.value)
  await parts.told
  const decision = await parts.gate.decide(call, Math.round((performance.now() - started) * 1000), HOST)
  if (!waits(decision)) return settled(ruled(parts, proposal, decision))
  return { ruling: null, wait: async () => ruled(parts, proposal, await afterPeople(parts, call, decision)) }
}

function waits({ decision, approval }: Decision): boolean {
  return decision === 'ask' && approval !== null
}

function ruled(parts: JudgeParts, proposal: Proposal, decision: Decision): Ruling {
  const { modified = null } = decision
  const passes = runs(decision.decision)
  parts.seen({ decision, tool: proposal.name, stopped: passes ? null : stoppedBy(decision), unjudged: false })
  if (!passes) return { kind: 'block', text: noteOf(proposal.name, decision) }
  if (modified === null) return { kind: 'run' }
  const text = modified.arguments.input
  return { kind: 'change', input: proposal.form === 'text' && typeof text === 'string' ? text : JSON.stringify(modified.arguments) }
}

/** What waits for people is decided again once they answered. */
async function afterPeople(parts: JudgeParts, call: ToolCall, first: Decision): Promise<Decision> {
  return waits(first) && (await parts.hold(first)) ? parts.gate.decide(call, 0, HOST) : first
}

export function callOf(
  { requester, facts, ownTools, digester, approval }: CallParts,
  { server, name }: Proposal,
  args: JsonObject,
): ToolCall {
  const identity = toolIdentity(server, name)
  const found =
    identity.server === null && ownTools.has(identity.name)
      ? undefined
      : facts.definitions.get(server === null ? name : `${server}/${name}`)
  const definition = found ?? null
  const task = facts.task === null ? null : facts.task.slice(0, MAX_TASK)
  return {
    tool: { ...identity, definition: definition === null ? null : digester.definitionDigest(definition) },
    args,
    principal: requester.principal,
    session: requester.session,
    cwd: requester.cwd,
    context: { task, vouched: task !== null && requester.vouches, recent: [] },
    definition,
    approval,
    // Ids are the provider's: some use the same ones in every answer.
    callId: null,
  }
}

/** What a call takes from the request that its answer belongs to. */
export type CallParts = Pick<JudgeParts, 'requester' | 'facts' | 'ownTools' | 'digester' | 'approval'>

interface Why {
  readonly code: Code
  readonly message: string
}

async function refuse(parts: JudgeParts, { server, name, input }: Omit<Proposal, 'form'>, why: Why): Promise<Ruling> {
  const { gate, digest, requester, policy } = parts
  const decision = await gate.refuse({
    ...why,
    digest: digest(Buffer.from(input)),
    agent: requester.principal.agent,
    session: requester.session,
    cwd: requester.cwd,
    tool: { ...toolIdentity(server, name), definition: null },
    mode: policy().policy?.mode ?? 'enforce',
  })
  const passes = runs(decision.decision)
  parts.seen({ decision, tool: name, stopped: passes ? null : 'blocked', unjudged: true })
  return passes ? { kind: 'run' } : { kind: 'block', text: noteOf(name, decision) }
}

/** The policy's fail mode. A yes to what nobody could read must be a person's or a grant's, never that of a rule for all tools. */
async function judgeUnjudged(parts: JudgeParts, { why, what, name, sample }: Unjudged): Promise<Ruling> {
  const code = `proxy.${why}` as const
  const refused = { server: null, name: name ?? '', input: sample }
  if (why !== 'uninspected' || parts.policy().policy?.modelProxy.uninspected !== 'ask')
    return refuse(parts, refused, { code, message: `${CODES[code].operator}: ${what}` })
  const args = { api: parts.api, what, name, sample: sample.slice(0, MAX_SAMPLE) }
  const call = callOf(parts, { server: 'countersign', name: 'uninspected', form: 'json', input: '' }, args)
  const decision = await afterPeople(parts, call, await parts.gate.decide(call, 0, HOST))
  const passes = runs(decision.decision) && (decision.resolutions.length > 0 || decision.mode === 'shadow')
  parts.seen({ decision, tool: name ?? '', stopped: passes ? null : stoppedBy(decision), unjudged: true })
  return passes ? { kind: 'run' } : { kind: 'block', text: noteOf(name ?? '', decision) }
}

function stoppedBy({ decision }: Decision): Outcome['stopped'] {
  return decision === 'ask' ? 'pending' : 'blocked'
}

/** For the model and its user: no line of it comes from the model, but for the name of the tool. */
function noteOf(name: string, { decision, agentReason }: Decision): string {
  const safe = [...name.replaceAll(/[^\p{L}\p{N}_.:/ -]/gu, '')].slice(0, MAX_NAME).join('')
  const which = safe === '' ? 'A tool call' : `The call of \`${safe}\``
  const what = decision === 'ask' ? 'waits for a person and did not run' : 'did not run'
  return `[countersign] ${which} ${what}. ${runs(decision) ? CODES['proxy.uninspected'].agent : agentReason}`
}

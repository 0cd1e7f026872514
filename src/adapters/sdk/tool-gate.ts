/**
 * Tools of a host program behind the gate: nothing of them runs but through it, those that declare that they need a person are
 * asked about whatever the policy says, and a tool that is declared and not gated does not get past the start (PRO-29).
 */
import { randomUUID } from 'node:crypto'
import { noticeOf } from '../../approvals/channels/notice.ts'
import { type ApprovalHandler, checkedAnswer, type HandlerAnswer, HandlerRefusal, type HandlerRequest } from '../../approvals/handlers.ts'
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { StoredApproval } from '../../approvals/store.ts'
import { redactJson } from '../../audit/redact.ts'
import type { Principal, ToolCall } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { runs } from '../../core/verdict.ts'
import { readJson } from '../../ingress/json.ts'
import { finding } from '../../layers/finding.ts'
import type { Layer } from '../../layers/layer.ts'
import { LAYERS, type OpenedGate, type OpenOptions, openGate } from '../../open.ts'

export interface GatedTool {
  readonly name: string
  /** True: a person is asked for each call, unless the policy denies it. Default: as the policy says. */
  readonly requiresApproval?: boolean
  readonly run: (args: JsonObject) => Json | Promise<Json>
}

export interface ToolGateOptions extends Omit<OpenOptions, 'layers' | 'record'> {
  readonly tools: readonly GatedTool[]
  /** What the program offers to agents, where it is offered elsewhere: every tool that needs a person has to be one of `tools`. */
  readonly declared?: readonly Pick<GatedTool, 'name' | 'requiresApproval'>[]
  /** Who is asked; null: whoever answers in the console, a terminal or a channel. */
  readonly handler: ApprovalHandler | null
  /** Milliseconds that a call waits for an answer; default 300000, at most a day. Then it is denied. */
  readonly timeoutMs?: number
}

export interface Caller {
  readonly principal?: Partial<Principal>
  readonly session?: string
  readonly cwd?: string
  /** What the user asked for, in words that this program vouches for: judges are shown them as the user's. */
  readonly task?: string
}

export type ToolOutcome =
  /** `modified`: people changed the arguments, and it ran with theirs. */
  | { readonly ran: true; readonly result: Json; readonly decision: Decision; readonly modified: boolean }
  /** `message` is for the agent. */
  | { readonly ran: false; readonly code: Code; readonly message: string; readonly decision: Decision }

export interface ToolGate {
  /** Decides, asks, decides again and runs, or does not. Rejects only with what the tool itself throws. */
  readonly call: (name: string, args: JsonObject, caller?: Caller) => Promise<ToolOutcome>
  readonly opened: OpenedGate
  readonly queue: ApprovalQueue
  readonly close: () => void
}

/** The tools could not be put behind the gate. */
export class ToolGateError extends Error {
  override readonly name = 'ToolGateError'
}

const LONGEST = 24 * 60 * 60 * 1_000

/** @throws {ToolGateError} where a tool that needs a person is not gated, stands twice, or nobody could be asked about it. */
export function createToolGate(options: ToolGateOptions): ToolGate {
  const { tools, declared = [], handler, timeoutMs = 300_000, ...open } = options
  checkTools(options)
  const needing = new Set([...tools, ...declared].filter(({ requiresApproval }) => requiresApproval === true).map(({ name }) => name))
  const opened = openGate({ ...open, layers: [...LAYERS, declaring(needing)] })
  const { queue } = opened
  const known = new Map(tools.map((tool) => [tool.name, tool]))
  const session = `process-${randomUUID()}`
  const parts: Parts = { opened, queue, handler, timeoutMs }
  return {
    opened,
    queue,
    close: opened.close,
    call: async (name, given, caller = {}) => {
      const args = copied(given)
      if (args === null)
        return refusedBy(await opened.gate.refuse({ ...UNREADABLE, session: caller.session ?? null, cwd: caller.cwd ?? null }))
      const call = callOf(name, args, { session, ...caller })
      const decision = await settled(call, parts)
      const tool = known.get(name)
      if (!runs(decision.decision)) return refusedBy(decision)
      if (tool === undefined) return { ran: false, code: 'registry.unregistered', message: 'There is no such tool.', decision }
      const changed = decision.modified?.arguments ?? null
      const result = await tool.run(changed ?? args)
      opened.observe(changed === null ? call : { ...call, args: changed }, result)
      return { ran: true, result, decision, modified: changed !== null }
    },
  }
}

function checkTools({ tools, declared = [], handler, timeoutMs = 1 }: ToolGateOptions): void {
  const names = new Set<string>()
  for (const { name, run } of tools) {
    if (names.has(name)) throw new ToolGateError(`the tool \`${name}\` stands twice`)
    if (typeof run !== 'function') throw new ToolGateError(`the tool \`${name}\` has nothing to run`)
    names.add(name)
  }
  const ungated = declared.filter(({ name, requiresApproval }) => requiresApproval === true && !names.has(name)).map(({ name }) => name)
  if (ungated.length > 0)
    throw new ToolGateError(`declared to need a person, but not gated: ${ungated.join(', ')}; put them into \`tools\``)
  if (handler !== null && typeof handler?.requestApproval !== 'function') {
    const needing = [...tools, ...declared].filter(({ requiresApproval }) => requiresApproval === true).map(({ name }) => name)
    throw new ToolGateError(
      `there is no handler to ask about ${needing.join(', ') || 'any call'}; pass one, or \`null\` to wait for the console`,
    )
  }
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST)) throw new ToolGateError(`\`timeoutMs: ${timeoutMs}\` is no time up to a day`)
}

/** Asks about every call of a tool that says of itself that it needs a person: no rule that allows can outweigh it. */
function declaring(names: ReadonlySet<string>): Layer {
  return {
    name: 'declared',
    onError: 'deny',
    evaluate: ({ call }) => {
      if (!names.has(call.tool.name)) return []
      const message = `\`${call.tool.name}\` declares that it needs a person`
      return [finding({ layer: 'declared', rule: 'requires-approval', verdict: 'ask', code: 'rules.asked', message, resolvers: ['human'] })]
    },
  }
}

interface Parts {
  readonly opened: OpenedGate
  readonly queue: ApprovalQueue
  readonly handler: ApprovalHandler | null
  readonly timeoutMs: number
}

/** Tools run here, so they can run with what people changed. */
const REWRITES = { attended: false, rewrites: true } as const

/** The decision once whoever had to be asked has answered. An approval is used by the second look at the very same call. */
async function settled(call: ToolCall, parts: Parts): Promise<Decision> {
  const first = await parts.opened.gate.decide(call, 0, REWRITES)
  if (first.decision !== 'ask' || first.approval === null) return first
  const answered = await people(first.approval.id, parts).catch(unheard)
  if (answered !== null) return { ...first, decision: 'deny', ...answered }
  const token = first.approval.token
  const second = await parts.opened.gate.decide(token === null ? call : { ...call, approval: token }, 0, REWRITES)
  return second
}

/** The store is gone in the middle of it: whatever somebody said is not known to be kept (P5). */
function unheard(error: unknown): Told {
  return told('infra.audit_unavailable', error instanceof Error ? error.message : 'the answer could not be kept')
}

type Told = Pick<Decision, 'code' | 'reason' | 'agentReason'>

/** Null once it is approved; else why not. */
async function people(id: string, { queue, handler, timeoutMs }: Parts): Promise<Told | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  for (let looked = -1; ; ) {
    const approval = queue.show(id, { tenant: null })
    if (approval === null) return told('approval.unknown', 'the approval is gone')
    if (approval.status === 'approved') return null
    if (approval.status === 'denied') return told('approval.denied', approval.answers.at(-1)?.reason ?? '')
    if (approval.status !== 'pending') return told('timeout.approval', `the approval is ${approval.status}`)
    // Whoever agreed need not be asked twice; another person has to.
    if (approval.version === looked) return withdrawn(queue, id, { code: 'approval.pending', message: 'not enough people agreed' })
    looked = approval.version
    const fault = await oneAnswer(approval, { queue, handler, signal })
    if (fault !== null) return fault
  }
}

interface Asking {
  readonly queue: ApprovalQueue
  readonly handler: ApprovalHandler | null
  readonly signal: AbortSignal
}

/** One answer, of the handler or of whoever is faster in the console. Null: look at how it stands now. */
async function oneAnswer(approval: StoredApproval, { queue, handler, signal }: Asking): Promise<Told | null> {
  const { id, version } = approval
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  try {
    const elsewhere = queue.wait(id, { tenant: null, version, signal: both }).then(() => null)
    const answer = handler === null ? await elsewhere : await Promise.race([asked(approval, handler, both), elsewhere])
    if (answer === null) return signal.aborted ? await late(queue, id) : null
    const { refused } = await queue.answer(id, {
      tenant: null,
      by: answer.by,
      verdict: answer.approved ? 'approve' : 'deny',
      comment: answer.comment ?? '',
      version,
    })
    // Changed while it was looked at: what it is now has to be asked about.
    if (refused?.code === 'approval.changed') return null
    return refused === null ? null : await withdrawn(queue, id, refused)
  } catch (error) {
    if (signal.aborted) return late(queue, id)
    // An error of the handler is no denial of a person, and is not remembered as one (PRO-27).
    const refusal = error instanceof HandlerRefusal ? error : new HandlerRefusal('approval.malformed', 'the handler failed')
    return withdrawn(queue, id, refusal)
  } finally {
    over.abort()
  }
}

async function asked(approval: StoredApproval, handler: ApprovalHandler, signal: AbortSignal): Promise<HandlerAnswer> {
  const request = requestOf(approval)
  // Without a redacted copy there is nothing that could be shown (PRO-W7).
  if (request === null) throw new HandlerRefusal('approval.not_shown', 'the call could not be redacted')
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new HandlerRefusal('timeout.approval', 'nobody answered in time')), { once: true })
  })
  return checkedAnswer(await Promise.race([handler.requestApproval(request, { signal }), stopped]), '')
}

/** Nobody answered: that is a no, and counts as one, so that nobody is asked the same again and again. */
async function late(queue: ApprovalQueue, id: string): Promise<Told> {
  await queue.answer(id, { tenant: null, by: 'gate:timeout', verdict: 'deny', comment: 'nobody answered in time' })
  return told('timeout.approval', 'nobody answered in time')
}

async function withdrawn(
  queue: ApprovalQueue,
  id: string,
  { code, message }: { readonly code: Code; readonly message: string },
): Promise<Told> {
  await queue.cancel(id, { tenant: null, by: 'gate:handler', comment: message })
  return told(code, message)
}

function told(code: Code, reason: string): Told {
  return {
    code,
    reason,
    agentReason: 'Nobody agreed to this call. Do not send it again in another form; go on without it or ask your user.',
  }
}

/** The redacted call, as channels are told it; null where it cannot be redacted. */
function requestOf(approval: StoredApproval): HandlerRequest | null {
  const notice = noticeOf(approval, {
    phase: 'requested',
    channel: IN_PROCESS,
    now: approval.createdAt,
    redact: (value) => redactJson(value).value,
  })
  if (notice === null) return null
  const { data } = notice
  const text = (name: string): string | null => {
    const value = own(data, name)
    return typeof value === 'string' ? value : null
  }
  const requester = own(data, 'requester')
  const who = (name: string): string | null => {
    const value = isJsonObject(requester) ? own(requester, name) : null
    return typeof value === 'string' ? value : null
  }
  return {
    requestId: approval.id,
    digest: notice.digest,
    toolName: text('tool') ?? '',
    server: text('server'),
    arguments: own(data, 'args') ?? null,
    agentId: who('agent'),
    callerUserId: who('user'),
    tenant: text('tenant'),
    session: text('session'),
    code: text('code'),
    reason: text('reason') ?? '',
    effects: own(data, 'effects') ?? [],
    excluded: approval.terms.excluded,
    createdAt: approval.createdAt,
    answerBy: approval.approveBy,
  }
}

const IN_PROCESS = {
  kind: 'command' as const,
  name: 'in-process',
  approvers: new Map<string, string>(),
  show: 'call' as const,
  tenants: null,
  link: null,
  timeoutMs: 0,
  attempts: 1,
  command: [],
  answers: true,
}

const UNREADABLE = { code: 'ingress.syntax', message: 'the arguments are no JSON object', digest: '', agent: null } as const

/** What was judged is what runs: whoever holds the arguments could change them while somebody is asked (T01). Null: they are no JSON object. */
function copied(args: JsonObject): JsonObject | null {
  try {
    const read = readJson(JSON.stringify(args))
    return read.ok && isJsonObject(read.value) ? read.value : null
  } catch {
    return null
  }
}

function callOf(name: string, args: JsonObject, { principal = {}, session, cwd, task }: Caller): ToolCall {
  return {
    tool: { ...toolIdentity(null, name), definition: null },
    args,
    principal: { agent: null, role: null, user: null, tenant: null, chain: [], ...principal },
    session: session ?? null,
    cwd: cwd ?? null,
    context: { task: task ?? null, vouched: true, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

function refusedBy(decision: Decision): ToolOutcome {
  return { ran: false, code: decision.code, message: decision.agentReason, decision }
}

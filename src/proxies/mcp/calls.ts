/** Calls on their way to the server: judged, held while people are asked, and then let through, answered, or forgotten with their client. */
import type { StoredApproval } from '../../approvals/store.ts'
import type { Principal, ToolCall } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import { type Json, own } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import { isQuiet } from '../../open-results.ts'
import { type Settled, settle } from '../settle.ts'
import { errorAnswer, INTERNAL_ERROR, metaOf, progressMessage, statelessVersion, stoppedAnswer } from './answers.ts'
import { type CallSide, callText, toolCallOf, withArguments } from './call.ts'
import { BEAT_MS, patienceOf } from './clients.ts'
import { answererOf, answerIn, canElicit, elicitationFor, inputRequired, readInput } from './elicit.ts'
import { createLists, introduced } from './lists.ts'
import { createMemory, type Memory } from './memory.ts'
import { encode, idKey, idOf, type Request } from './message.ts'
import type { AskTool } from './preview-mode.ts'
import { type Exchange, type JudgedCall, type Onward, remember, type Shared } from './shared.ts'

export interface Calls {
  readonly call: (request: Request, exchange: Exchange) => Promise<Onward>
  /** Forgets a call that did not go on yet; false: there is none of this key. */
  readonly cancel: (key: string) => boolean
  /** True while a call of this key is being judged or waits for people. */
  readonly holds: (key: string) => boolean
  /** The call behind a question for the state or the result of a task; null for every other request. */
  readonly taskOf: (request: Request) => JudgedCall | null
  readonly taskBegan: (id: string, judged: JudgedCall) => void
  /** The server wants to know something first: the call that comes again with this state is the same call. */
  readonly willContinue: (state: Json | undefined, judged: JudgedCall) => void
  /** The next call is judged after this: it may depend on what a result told the session. */
  readonly after: (kept: Promise<unknown>) => void
  /** The session does not know what a call returned, and cannot be told: no later call is judged by what it knows. */
  readonly lose: () => void
}

/** Tasks, and calls that go on, of one client and server. */
const MAX_KNOWN = 1_000

export function createCalls(shared: Shared): Calls {
  const held = new Map<string, AbortController>()
  const tasks = createMemory<JudgedCall>(MAX_KNOWN)
  const continued = createMemory<string>(MAX_KNOWN)
  const lists = createLists(shared)
  const run = `mcp-${crypto.randomUUID()}`
  let count = 0
  /** Only a new connection helps then; whether the session was halted, the gate knows, and when a person lifts that. */
  const lost = new AbortController()
  const results = createTurn()

  const judge = async (given: Request, exchange: Exchange, signal: AbortSignal): Promise<Onward> => {
    const side: CallSide = { ...shared.side, principal: principalOf(shared) }
    const input = readInput(given, side)
    const request = input.kind === 'answer' ? input.request : given
    const name = own(request.params, 'name')
    const definition = typeof name === 'string' ? await lists.definitionOf(name, request, exchange) : shared.catalog.unlisted
    await results.done()
    count += 1
    const judging: Judging = { shared, side, request, exchange, signal, elicited: input.kind === 'answer' }
    const refusal = lost.signal.aborted ? LOST : neverRuns({ name, input: input.kind }, shared)
    if (refusal !== null) return refused(judging, refusal)
    const callId = begunAs(request, continued) ?? `${run}-${count}`
    const read = toolCallOf(request, { side, definition, digester: shared.parts.digester, callId })
    if (!read.ok) return refused(judging, read)
    const call = shared.parts.withWords(read.call)
    if (input.kind === 'answer') await answered(input.approval, input.verdict, judging)
    const settled = await shared.parts.asking(callId, askTool(judging), () => settle(call, settlingOf(judging)))
    return onwardOf(settled, call, judging)
  }

  return {
    call: async (request, exchange) => {
      const key = exchange.scope + idKey(request.id)
      const controller = new AbortController()
      held.set(key, controller)
      try {
        return await judge(request, exchange, AbortSignal.any([controller.signal, exchange.signal]))
      } catch (error) {
        return { kind: 'answer', bytes: gateFailed(request, error) }
      } finally {
        held.delete(key)
      }
    },
    cancel: (key) => {
      const controller = held.get(key)
      controller?.abort()
      return controller !== undefined
    },
    holds: (key) => held.has(key),
    taskOf: ({ method, params }) => {
      const id = method === 'tasks/result' || method === 'tasks/get' ? own(params, 'taskId') : null
      return typeof id === 'string' ? tasks.get(id) : null
    },
    taskBegan: tasks.set,
    willContinue: (state, { request, call }) => continued.set(continuation(state, request), call.callId ?? ''),
    after: results.after,
    lose: () => lost.abort(),
  }
}

function gateFailed({ id }: Request, error: unknown): Uint8Array {
  const why = error instanceof Error ? error.name : 'unknown'
  return errorAnswer(id, INTERNAL_ERROR, `the gate failed (${why}), so the call did not run`)
}

/** Calls the tool of a request with other arguments, in the gate's own name. */
function askTool({ shared, request, exchange, signal }: Judging): AskTool {
  const params = { name: own(request.params, 'name') ?? null, ...introduced(request) }
  return (args, patience) =>
    shared.askServer('tools/call', { ...params, arguments: args }, { send: exchange.ask, signal: AbortSignal.any([signal, patience]) })
}

/** Waits for what was begun, however it ends. */
function createTurn(): { readonly after: (begun: Promise<unknown>) => void; readonly done: () => Promise<unknown> | null } {
  const under = new Set<Promise<unknown>>()
  return {
    after: (begun) => {
      const quiet = begun
        .catch(() => {})
        .then(() => {
          under.delete(quiet)
        })
      under.add(quiet)
    },
    done: () => (under.size === 0 ? null : Promise.all(under)),
  }
}

/** The id of a call that comes again with what its server wanted to know. Few do, and the text of a large one takes long. */
function begunAs(request: Request, continued: Memory<string>): string | null {
  return continued.isEmpty() ? null : continued.take(continuation(own(request.params, 'requestState'), request))
}

function continuation(state: Json | undefined, request: Request): string {
  return `${typeof state === 'string' ? state : ''}\n${callText(request)}`
}

/** A client that is not known by the operator goes by the name that it gives itself. */
function principalOf({ side, client }: Shared): Principal {
  if (side.principal.agent !== null) return side.principal
  const { name } = client()
  const plain = name !== null && /^[\p{L}\p{N}][\p{L}\p{N}\p{P}\p{S} ]{0,99}$/u.test(name)
  return plain ? { ...side.principal, agent: name } : side.principal
}

interface Judging {
  readonly shared: Shared
  readonly side: CallSide
  readonly request: Request
  readonly exchange: Exchange
  readonly signal: AbortSignal
  /** The person at the client was asked already. */
  readonly elicited: boolean
}

const LOST: Refused = { code: 'infra.internal', message: 'the session does not know what a call before returned' }

interface Proposed {
  readonly name: Json | undefined
  readonly input: 'none' | 'forged' | 'answer'
}

/** Why a call is refused before it is judged; null where it is judged. */
function neverRuns({ name, input }: Proposed, { catalog, side }: Shared): Refused | null {
  if (input === 'forged') return { code: 'approval.mismatch', message: 'the state of the request is not ours' }
  if (typeof name !== 'string' || !catalog.isAmbiguous(name)) return null
  return { code: 'integrity.lookalike_tool', message: `two tools of \`${side.server}\` are called \`${name}\`` }
}

interface Refused {
  readonly code: Code
  readonly message: string
}

/** What never became a call is recorded as a denial. */
async function refused(
  { shared, side, request, signal }: Judging,
  why: { readonly code: Code; readonly message: string },
): Promise<Onward> {
  const { parts } = shared
  const { code, message } = why
  const { session, cwd, principal } = side
  const decision = await parts.gate.refuse({
    code,
    message,
    digest: parts.bytesDigest(request.bytes),
    agent: principal.agent,
    session,
    cwd,
  })
  return signal.aborted ? { kind: 'drop' } : { kind: 'answer', bytes: stoppedAnswer(request, decision) }
}

/** What the person at the client said; whether it counts is for the queue to say. */
async function answered(approval: string, verdict: 'approve' | 'deny' | null, { shared, side }: Judging): Promise<void> {
  if (verdict === null) return
  await shared.parts.queue
    .answer(approval, { tenant: null, by: answererOf(side), verdict, comment: 'at the MCP client' })
    // Without an answer the call waits on.
    .catch(() => {})
}

function settlingOf(judging: Judging): Parameters<typeof settle>[1] {
  const { shared, request, exchange, signal, elicited } = judging
  const { parts, client } = shared
  const token = idOf(own(metaOf(request.params), 'progressToken'))
  const policy = parts.policy()
  const stateless = statelessVersion(request) !== null
  return {
    gate: parts.gate,
    queue: parts.queue,
    signal,
    // A stateless client is asked by the answer itself.
    holdMs: (asked) =>
      stateless && !elicited && canElicit(policy, asked, client())
        ? 0
        : Math.min(policy?.mcpProxy.hold ?? 0, patienceOf(client().name, token !== null)),
    holding: (approval, asked, over) => {
      let beats = 0
      const beat = (): void => {
        beats += 1
        if (token !== null) exchange.tell(progressMessage(token, beats / 1_000_000, `Waiting for a person to approve ${approval.id}.`))
      }
      beat()
      const timer = setInterval(beat, BEAT_MS)
      if (!stateless && canElicit(policy, asked, client())) void askThere(approval, judging, over)
      return () => clearInterval(timer)
    },
  }
}

/** Asks the person at the client of a session, beside whoever else may answer. */
async function askThere(approval: StoredApproval, judging: Judging, signal: AbortSignal): Promise<void> {
  const { shared, exchange } = judging
  const question = elicitationFor(approval, shared.parts.redact)
  if (question === null) return
  const answer = await shared.askClient('elicitation/create', question, { send: exchange.tell, signal })
  await answered(approval.id, answerIn(answer?.result), judging)
}

function onwardOf(settled: Settled, call: ToolCall, judging: Judging): Onward {
  const { shared, request, exchange } = judging
  const { decision } = settled
  switch (settled.kind) {
    case 'gone':
      // It was counted as under way, and never will be.
      if (runs(decision.decision)) cancelled(call, shared)
      return { kind: 'drop' }
    case 'stopped':
      return { kind: 'answer', bytes: stoppedAnswer(request, decision) }
    case 'pending':
      return { kind: 'answer', bytes: pendingAnswer(decision, judging) }
    case 'run': {
      const args = decision.modified?.arguments ?? null
      const ran = args === null ? call : { ...call, args }
      const judged = { request, call: ran, notes: notesOf(decision), quiet: isQuiet(decision, ran, shared.parts.policy()) }
      remember(shared.open, exchange.scope + idKey(request.id), { kind: 'call', judged })
      return { kind: 'forward', bytes: args === null ? request.bytes : encode(withArguments(request, args)) }
    }
  }
}

function cancelled(call: ToolCall, { parts }: Shared): void {
  parts.keep({ call, response: { failed: true, error: 'cancelled before it ran' }, failed: true }).kept.catch(() => {})
}

/** A stateless client is asked by the answer, where it can be asked at all. */
function pendingAnswer(decision: Decision, { shared, side, request, elicited }: Judging): Uint8Array {
  const { parts, client } = shared
  const open = own(request.params, 'requestState') === undefined && statelessVersion(request) !== null
  if (open && !elicited && decision.approval !== null && canElicit(parts.policy(), decision, client())) {
    const waiting = parts.queue.show(decision.approval.id, { tenant: null })
    const question = waiting === null ? null : elicitationFor(waiting, parts.redact)
    if (question !== null) return inputRequired(request, { approval: decision.approval.id, question, side })
  }
  return stoppedAnswer(request, decision)
}

/** What the model has to know of a call that runs: that it was changed, and what rules of the policy have it do. */
function notesOf({ decision, would, findings, modified = null, agentReason }: Decision): readonly string[] {
  if (modified !== null) return [agentReason]
  if (decision !== 'flag' || would !== decision) return []
  const advice = findings.flatMap((each) =>
    each.verdict === 'flag' && each.layer !== 'hazard' && each.advice !== null ? [each.advice] : [],
  )
  return [...new Set(advice)]
}

/**
 * The gate behind `createGate`: decides calls of this program, asks people, runs tools. A tool that declares that it needs a person is
 * asked about whatever the policy says, and one that is declared and not gated does not get past the start (PRO-29).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { NoApproval } from '../../approvals/answer.ts'
import type { GivenAnswer } from '../../approvals/queue.ts'
import type { StoredApproval } from '../../approvals/store.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import type { Json } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { runs } from '../../core/verdict.ts'
import type { PolicyState } from '../../gate.ts'
import { finding } from '../../layers/finding.ts'
import type { Layer } from '../../layers/layer.ts'
import { LAYERS, type OpenedGate, openGate, stateDirectory } from '../../open.ts'
import { COMPILE, policyFileOptions } from '../../open-policy.ts'
import { landResult } from '../../open-results.ts'
import { loadPolicyText } from '../../policy/file.ts'
import { watchPolicies } from '../../policy/watch.ts'
import { CallRefused, GateError } from './errors.ts'
import type { Caller, Gate, GateOptions, Outcome, ProposedCall, WrapOptions } from './gate.ts'
import { askPeople, type People } from './people.ts'
import { toolPreviews } from './previews.ts'
import { asJson, copyOf, type Read, readProposed } from './proposed.ts'
import { createTickets, type Tickets } from './tickets.ts'

const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000

interface Engine {
  readonly opened: OpenedGate
  /** Null: calls wait for nobody. */
  readonly people: People | null
  readonly tickets: Tickets
  readonly read: (call: ProposedCall) => Read
}

/** @throws {GateError} */
export function openEngine(options: GateOptions): Gate {
  const { policy: _policy, handler, timeoutMs = 300_000, home = stateDirectory(), caller, layers = LAYERS, ...open } = options
  checkOptions(options)
  const { current, stop } = policyOf(options, home)
  const needing = new Set<string>()
  const gated = new Set<string>()
  const previews = toolPreviews(() => opened.reviewing.consider, open.preview)
  const opened = openGate({ ...open, home, policy: current, layers: [...layers, declaring(needing)], preview: previews.preview })
  const session = `process-${randomUUID()}`
  const inside = new AsyncLocalStorage<Caller>()
  const engine: Engine = {
    opened,
    people: handler === undefined ? null : { queue: opened.queue, handler, timeoutMs },
    tickets: createTickets(),
    read: (call) => {
      try {
        return readProposed(call, { session, ...caller?.(), ...inside.getStore() }, opened.limits())
      } catch {
        return { ok: false, code: 'infra.internal', message: 'the program could not say who calls' }
      }
    },
  }
  const run: Gate['run'] = (call, tool) => runCall(engine, call, tool)
  return {
    decide: (call) => decideOnly(engine, call),
    run,
    report: async (given, result) => {
      const read = engine.read(given)
      if (!read.ok) throw new GateError(read.message, read.code)
      return report(engine, read.call, asJson(result))
    },
    approve: (id, answer) => answered(engine, id, { ...answer, tenant: null, verdict: 'approve' }),
    deny: (id, { by, comment = '' }) => answered(engine, id, { by, comment, tenant: null, verdict: 'deny' }),
    wrap: <A extends object, R extends readonly unknown[], T>(tool: (args: A, ...rest: R) => T, wrapping: WrapOptions = {}) => {
      const name = named(tool, wrapping, handler === undefined)
      gated.add(name)
      if (wrapping.preview !== undefined) previews.add(name, wrapping.preview)
      if (wrapping.requiresApproval === true) needing.add(identityOf(toolIdentity(null, name)))
      return async (args?: A, ...rest: R): Promise<Awaited<T>> => {
        const proposed = proposedOf(wrapping, { name, args: args === undefined && tool.length === 0 ? {} : args, rest })
        // The copy has the form of what was handed in.
        const outcome = await run(proposed, (judged) => tool(judged as A, ...rest))
        if (outcome.ran) return outcome.result
        throw new CallRefused(outcome.message, outcome)
      }
    },
    assertGated: (names) => {
      const missing = [...names].filter((name) => !gated.has(name))
      if (missing.length > 0) throw new GateError(`declared, but not gated: ${missing.join(', ')}`)
    },
    as: (who, work) => inside.run({ ...inside.getStore(), ...who }, work),
    approvals: opened.queue,
    waits: engine.people !== null,
    close: () => {
      stop()
      opened.close()
    },
  }
}

function checkOptions({ handler, timeoutMs = 1 }: GateOptions): void {
  if (handler !== undefined && handler !== null && typeof handler?.requestApproval !== 'function')
    throw new GateError('`handler` has no `requestApproval`; pass one, or `null` to wait for the console')
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_WAIT_MS)) throw new GateError(`\`timeoutMs: ${timeoutMs}\` is no time up to a day`)
}

function named(tool: unknown, { name, requiresApproval }: WrapOptions, nobody: boolean): string {
  if (typeof tool !== 'function') throw new GateError(`the tool \`${name ?? ''}\` has nothing to run`)
  const known = name ?? tool.name
  if (known === '') throw new GateError('a tool needs a name: pass `{ name }`, or a function that has one')
  if (requiresApproval === true && nobody)
    throw new GateError(`there is no handler to ask about ${known}; pass one, or \`null\` to wait for the console`)
  return known
}

interface Wrapped {
  readonly name: string
  readonly args: unknown
  readonly rest: readonly unknown[]
}

/** What is no object is nothing that could be judged; reading the call refuses it. */
function proposedOf({ definition, caller, callId }: WrapOptions, { name, args, rest }: Wrapped): ProposedCall {
  const id = callId?.(...rest)
  return {
    ...caller?.(),
    tool: name,
    args: args as object,
    ...(definition === undefined ? {} : { definition }),
    ...(id === undefined ? {} : { callId: id }),
  }
}

interface Policies {
  readonly current: (cwd: string | null) => PolicyState
  readonly stop: () => void
}

/** A policy that cannot be used at the start is an error there; one that breaks later stays in force as it was. */
function policyOf({ policy }: GateOptions, home: string): Policies {
  if (typeof policy === 'function') return { current: policy, stop: () => {} }
  if (typeof policy === 'string') {
    const state = usable(loadPolicyText(policy, COMPILE))
    return { current: () => state, stop: () => {} }
  }
  const watched = watchPolicies(policyFileOptions(policy?.file ?? null, home))
  usable(watched.current(null))
  return watched
}

function usable(state: PolicyState & { readonly detail?: string }): PolicyState {
  if (state.policy === null) throw new GateError(`the policy cannot be used: ${state.detail ?? state.error}`, 'policy.invalid')
  return state
}

/** A name may say which server the tool is of; both are one tool. */
function identityOf({ server, name }: Pick<ToolCall['tool'], 'server' | 'name'>): string {
  return JSON.stringify([server, name])
}

/** Asks about every call of a tool that says of itself that it needs a person: no rule that allows can outweigh it. */
function declaring(names: ReadonlySet<string>): Layer {
  return {
    name: 'declared',
    onError: 'deny',
    evaluate: ({ call }) => {
      if (!names.has(identityOf(call.tool))) return []
      const message = `\`${call.tool.name}\` declares that it needs a person`
      return [finding({ layer: 'declared', rule: 'requires-approval', verdict: 'ask', code: 'rules.asked', message, resolvers: ['human'] })]
    },
  }
}

async function decideOnly({ opened, tickets, read: reading }: Engine, given: ProposedCall): Promise<Decision> {
  const read = reading(given)
  if (!read.ok) return refuse(opened, read, given)
  const held = tickets.held(read.call)
  if (held !== null) return held
  const decision = await opened.gate.decide(read.call)
  tickets.issue(read.call, decision)
  return decision
}

/** Input that never became a call is denied, and the denial is recorded. */
function refuse({ gate }: OpenedGate, { code, message }: Read & { readonly ok: false }, given: unknown): Promise<Decision> {
  const digest = `sha256:${createHash('sha256').update(textOf(given)).digest('hex')}`
  return gate.refuse({ code, message, digest, agent: null, session: null, cwd: null })
}

/** Only for a digest: two inputs that JSON cannot say need not differ. */
function textOf(given: unknown): string {
  try {
    return JSON.stringify(given) ?? ''
  } catch {
    return ''
  }
}

async function runCall<T>(engine: Engine, given: ProposedCall, tool: (args: ToolCall['args']) => T): Promise<Outcome<Awaited<T>>> {
  const read = engine.read(given)
  if (!read.ok) return refusedBy(await refuse(engine.opened, read, given))
  const { call } = read
  const decision = await settled(engine, call)
  if (!runs(decision.decision)) return refusedBy(decision)
  const changed = decision.modified?.arguments ?? null
  const ran = changed === null ? call : { ...call, args: changed }
  try {
    const result = await tool(copyOf(ran.args))
    await reported(engine, ran, asJson(result))
    return { ran: true, result, decision, modified: changed !== null }
  } catch (error) {
    await reported(engine, ran, { failed: true, error: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

/** Tools run here, so they can run with what people changed. */
const REWRITES = { attended: false, rewrites: true } as const

/** The decision once whoever had to be asked has answered. An approval is used by the second look at the very same call. */
async function settled({ opened, people, tickets }: Engine, call: ToolCall): Promise<Decision> {
  const ticket = tickets.take(call)
  if (ticket?.fresh === true) return ticket.decision
  const first = await opened.gate.decide(call, 0, REWRITES)
  if (first.repeats === true && ticket === null) return { ...first, decision: 'deny', ...RAN_BEFORE }
  if (first.decision !== 'ask' || first.approval === null || people === null) return first
  const unanswered = await askPeople(first.approval.id, people)
  if (unanswered !== null) return { ...first, decision: 'deny', ...unanswered }
  const { token } = first.approval
  return opened.gate.decide(token === null ? call : { ...call, approval: token }, 0, REWRITES)
}

/** Who agreed to it agreed to one call: whoever sends the same messages again sends the same id. */
const RAN_BEFORE = {
  code: 'session.call_id',
  reason: 'a call of this id ran before with the same approval',
  agentReason: 'This call ran before. Make a new call if it has to run again.',
} as const

function refusedBy(decision: Decision): Outcome<never> {
  return { ran: false, code: decision.code, message: decision.agentReason, decision }
}

/** Answers what is wrong with the result. */
async function report({ opened }: Engine, call: ToolCall, response: Json): Promise<string | null> {
  const { seen, kept } = landResult(opened, { call, response })
  await kept
  return seen?.note ?? null
}

/** The tool has run: a log that is gone can neither undo that nor keep the result from whoever called it. The next call is denied. */
async function reported(engine: Engine, call: ToolCall, response: Json): Promise<void> {
  try {
    await report(engine, call, response)
  } catch {
    // The store says so at the next decision.
  }
}

async function answered({ opened }: Engine, id: string, answer: GivenAnswer): Promise<StoredApproval> {
  try {
    const { approval, refused } = await opened.queue.answer(id, answer)
    if (refused !== null) throw new GateError(refused.message, refused.code)
    return approval
  } catch (error) {
    if (error instanceof NoApproval) throw new GateError(error.message, 'approval.unknown' satisfies Code)
    throw error
  }
}

/**
 * Answers the questions of Claude Managed Agents: a session stands still before a call that needs a confirmation, and goes on with what
 * the gate says. Nothing is confirmed that was not decided and recorded; a call that nobody answers does not run.
 */
import type { Principal } from '../../core/call.ts'
import { CODES } from '../../core/codes.ts'
import { callFromJson } from '../../ingress/call.ts'
import type { SessionParts } from '../session-parts.ts'
import { settle } from '../settle.ts'
import { type AgentsApi, ApiFault } from './api.ts'
import { confirmation, eventOf, type Read, type SessionEvent, type ToolUse } from './wire.ts'

export interface WorkerParts extends SessionParts {
  readonly api: AgentsApi
  /** Ids of calls whose results are in the log, and whether it has a prompt of the session. */
  readonly known: (session: string) => { readonly results: ReadonlySet<string>; readonly prompted: boolean }
  readonly principal: Principal
  /** Milliseconds before the first new try; each further one waits twice as long, up to a minute. */
  readonly retryMs?: number
}

export interface Worker {
  /** Resolves once the session is over, or nobody wants it attended any more. @throws {ApiFault} where the API refuses us. */
  readonly attend: (session: string, signal: AbortSignal) => Promise<void>
}

interface Attended {
  readonly session: string
  /** Aborted with the session. */
  readonly signal: AbortSignal
  readonly seen: Set<string>
  /** Null: two events of one id say different things. */
  readonly uses: Map<string, ToolUse | null>
  readonly custom: Set<string>
  /** Answered by whomever. */
  readonly answered: Set<string>
  readonly results: Set<string>
  /** Being decided here. */
  readonly held: Map<string, AbortController>
  waiting: readonly string[]
  over: boolean
}

const RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
/** Waits as long as the approval does. */
const HOLD_MS = 2 ** 31 - 1

export function createWorker(parts: WorkerParts): Worker {
  return {
    attend: async (session, outer) => {
      const end = new AbortController()
      const signal = AbortSignal.any([outer, end.signal])
      const known = parts.known(session)
      const at: Attended = {
        ...{ session, signal, seen: new Set<string>(), uses: new Map<string, ToolUse | null>(), custom: new Set<string>() },
        ...{ answered: new Set<string>(), results: new Set(known.results), held: new Map<string, AbortController>() },
        ...{ waiting: [], over: false },
      }
      try {
        await followed(at, known.prompted, parts)
      } finally {
        end.abort()
      }
    },
  }
}

async function followed(at: Attended, prompted: boolean, parts: WorkerParts): Promise<void> {
  let delay = parts.retryMs ?? RETRY_MS
  let isFirst = !prompted
  while (!at.signal.aborted && !at.over) {
    try {
      // The stream first: what happens while the history is read stands in it.
      const stream = await parts.api.stream(at.session, at.signal)
      const history = (await parts.api.history(at.session, at.signal)).map(eventOf)
      // Prompts of an earlier worker are in the log.
      const before = isFirst ? history.findLast((read) => read?.event.kind === 'prompt') : undefined
      if (before?.event.kind === 'prompt') await parts.prompt(at.session, before.event.text)
      for (const read of history) await take(read, { at, parts, past: true })
      isFirst = false
      act(at, parts)
      delay = parts.retryMs ?? RETRY_MS
      for await (const value of stream) {
        await take(eventOf(value), { at, parts, past: false })
        if (at.over) return
        act(at, parts)
      }
    } catch (error) {
      if (at.signal.aborted) return
      if (!(error instanceof ApiFault)) throw error
      if (!error.passes) throw error
      parts.note(`${at.session}: ${error.message}; trying again`)
    }
    await pause(delay, at.signal)
    delay = Math.min(delay * 2, MAX_RETRY_MS)
  }
}

interface Taking {
  readonly at: Attended
  readonly parts: WorkerParts
  /** It is of the history, and not of the stream. */
  readonly past: boolean
}

/** Learns from an event; each counts once. */
async function take(read: Read | null, taking: Taking): Promise<void> {
  const { at, parts } = taking
  if (read === null) return parts.uninspected('an event that cannot be read', true)
  const { id, event } = read
  // The same id with another call is looked at: it must not hide behind the first.
  if (id !== null && at.seen.has(id) && event.kind !== 'use') return
  if (id !== null) at.seen.add(id)
  await learn(event, taking)
}

async function learn(event: SessionEvent, { at, parts, past }: Taking): Promise<void> {
  switch (event.kind) {
    case 'use':
      return learnUse(event.use, at, parts)
    case 'custom':
      at.custom.add(event.call)
      return
    case 'result':
      return observed(event, at, parts)
    case 'confirmed':
      at.answered.add(event.call)
      at.held.get(event.call)?.abort()
      return
    case 'idle':
      at.waiting = event.waiting
      return
    case 'interrupted':
      for (const each of at.held.values()) each.abort()
      at.waiting = []
      return
    case 'prompt':
      return past ? undefined : parts.prompt(at.session, event.text)
    case 'over':
      at.over = true
      return
  }
}

function learnUse(use: ToolUse, at: Attended, parts: WorkerParts): void {
  const before = at.uses.get(use.id)
  if (before === undefined) {
    at.uses.set(use.id, use)
    if (use.permission === 'allow') parts.uninspected('a call that ran without a question', true)
  } else if (before !== null && JSON.stringify(before) !== JSON.stringify(use)) {
    at.uses.set(use.id, null)
    at.held.get(use.id)?.abort()
    at.held.delete(use.id)
  }
}

/** What a call returned, of those too that ran unasked: later calls of the session are judged by it. */
function observed({ call: id, content, failed }: Extract<SessionEvent, { kind: 'result' }>, at: Attended, parts: WorkerParts): void {
  const use = at.uses.get(id) ?? null
  at.answered.add(id)
  if (use === null || at.results.has(id)) return
  at.results.add(id)
  const read = callOf(use, at.session, parts)
  if (!read.ok) return
  parts.keep(read.call, content, failed).kept.catch((error: unknown) => {
    parts.note(`${at.session}: a result could not be kept: ${error instanceof Error ? error.message : String(error)}`)
  })
}

/** Decides whatever waits and is not being decided. */
function act(at: Attended, parts: WorkerParts): void {
  for (const id of at.waiting) {
    if (at.answered.has(id) || at.held.has(id) || at.custom.has(id)) continue
    const stop = new AbortController()
    at.held.set(id, stop)
    void answer(id, { at, parts, signal: AbortSignal.any([at.signal, stop.signal]) }).finally(() => {
      if (at.held.get(id) === stop) at.held.delete(id)
    })
  }
}

interface Answering {
  readonly at: Attended
  readonly parts: WorkerParts
  /** Aborted once nobody waits for our answer. */
  readonly signal: AbortSignal
}

/** Never rejects. */
async function answer(id: string, { at, parts, signal }: Answering): Promise<void> {
  const message = await messageFor(id, { at, parts, signal }).catch((error: unknown) => {
    parts.note(`${at.session}: the gate failed: ${error instanceof Error ? error.message : String(error)}`)
    return CODES['infra.internal'].agent
  })
  if (message === undefined) return
  let delay = parts.retryMs ?? RETRY_MS
  while (!signal.aborted) {
    // What was decided holds for the call that was looked at.
    if (message === null && at.uses.get(id) === null) return
    try {
      await parts.api.send(at.session, [confirmation(id, message)], signal)
      at.answered.add(id)
      return
    } catch (error) {
      if (signal.aborted) return
      const passes = !(error instanceof ApiFault) || error.passes
      parts.note(`${at.session}: the answer to ${id} was not taken: ${error instanceof Error ? error.message : String(error)}`)
      if (!passes) {
        at.answered.add(id)
        return
      }
    }
    await pause(delay, signal)
    delay = Math.min(delay * 2, MAX_RETRY_MS)
  }
}

/** Null: the call may run. A text: it may not, and that is why. Undefined: nobody waits for the answer any more. */
async function messageFor(id: string, { at, parts, signal }: Answering): Promise<string | null | undefined> {
  if (!at.uses.has(id))
    for (const event of await parts.api.history(at.session, signal)) await take(eventOf(event), { at, parts, past: true })
  if (signal.aborted) return undefined
  const use = at.uses.get(id)
  if (use === undefined || use === null) {
    const message = use === null ? `two calls have the id ${id}` : `nothing tells what the call ${id} would do`
    return refused(message, at, parts)
  }
  const read = callOf(use, at.session, parts)
  if (!read.ok) return refused(read.refusal.message, at, parts)
  const { gate, queue } = parts
  const settled = await settle(parts.withWords(read.call), { gate, queue, signal, rewrites: false, holdMs: () => HOLD_MS })
  if (settled.kind === 'gone' || signal.aborted) return undefined
  return settled.kind === 'run' ? null : `${settled.decision.agentReason} (${settled.decision.code})`
}

/** What never became a call is recorded as a denial. */
async function refused(message: string, { session }: Attended, { gate, bytesDigest, principal }: WorkerParts): Promise<string> {
  const digest = bytesDigest(new TextEncoder().encode(message))
  const { agentReason, code } = await gate.refuse({
    ...{ code: 'ingress.wrong_type', message, digest },
    ...{ agent: principal.agent, session, cwd: null },
  })
  return `${agentReason} (${code})`
}

function callOf(
  { id, server, name, input }: ToolUse,
  session: string,
  { principal, digester }: WorkerParts,
): ReturnType<typeof callFromJson> {
  const { agent, role, user, tenant, chain } = principal
  const whose = { principal: { agent, role, user, tenant, chain }, session, call_id: id }
  return callFromJson({ tool: name, server, args: input ?? null, ...whose }, { digester })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}

/** One hook event in, one answer out: the same for the daemon and for the process that stands in for it. */
import { createHash, randomUUID } from 'node:crypto'
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Decision } from '../core/decision.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Handover } from '../gate/handover.ts'
import type { Gate } from '../gate.ts'
import type { HookContext, HookEvent, HostAdapter, PromptEvent, ResultEvent, Speaker } from './adapter.ts'
import type { Answered, Deliveries } from './deliveries.ts'

/** What answering needs of the gate. */
export interface HookParts extends HookContext {
  readonly gate: Gate
  /** Records what a tool returned; the call has run, so a failure is reported, not refused. Answers a note for the agent, or null. */
  readonly result: (event: ResultEvent, handover?: Handover | null) => Promise<string | null>
  /** Keeps what the user asked for. Absent: nobody is told. */
  readonly prompt?: (event: PromptEvent) => Promise<void>
  /** The call with what the host told of its session. Absent: as it came. */
  readonly withWords?: (call: ToolCall) => ToolCall
  /** Milliseconds within which a call is decided, as the policy says; null or absent: it says nothing. */
  readonly deadline?: () => number | null
  /** Where the hook decides by itself once nobody answers; default it does not. */
  readonly handover?: Handover | null
  /** What came through other hooks of the same host a moment ago. Absent or null: every event is answered by itself. */
  readonly deliveries?: Deliveries | null
  /** Whose settings hold the hook, as its script says; null or absent: it does not say. */
  readonly place?: string | null
}

/** Answers one event of this host. Never rejects: a failure is a denial. */
export async function answerFor(host: HostAdapter, bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  const { gate, result, handover = null } = parts
  const arrived = performance.now()
  let side: Speaker = host
  try {
    const event = host.parse(bytes, parts)
    const speaker = event.speaker ?? host
    side = speaker
    const once = (act: () => Promise<Answered>): Promise<JsonObject> => onceOf({ hook: host, side: speaker, event }, parts, act)
    switch (event.kind) {
      case 'call': {
        const { rewrites } = speaker
        return await once(async () => {
          const decision = await decidedInTime(event, { ...parts, bytes, rewrites, arrived })
          const { auditEntryId: record } = decision
          // Nothing else may stand for a second hook: what was not recorded is decided again.
          return { answer: speaker.reply(decision, event.headless), holds: record !== null, record }
        })
      }
      case 'result':
        return await once(async () => kept(speaker.noted(await result(event, handover), event)))
      case 'prompt':
        return await once(async () => {
          await parts.prompt?.(event)
          return kept(speaker.noted(null))
        })
      case 'settings':
        return side.noOpinion
      case 'refused':
        return side.reply(await gate.refuse(event.refused, handover), true)
    }
  } catch (error) {
    return side.denial(
      `Countersign: the gate failed (${error instanceof Error ? error.name : 'unknown'}), so the call was refused. (infra.internal)`,
    )
  }
}

function kept(answer: JsonObject): Answered {
  return { answer, holds: true, record: null }
}

interface Arrived {
  /** Whose hook it is. */
  readonly hook: HostAdapter
  /** Whose event it is. */
  readonly side: Speaker
  readonly event: HookEvent
}

/** Only what names its session can be known again; a hook that is asked twice for one call is asked about two. */
async function onceOf({ hook, side, event }: Arrived, { deliveries, place }: HookParts, act: () => Promise<Answered>): Promise<JsonObject> {
  const same = deliveries === undefined || deliveries === null ? null : sameEvent(side, event)
  if (deliveries === undefined || deliveries === null || same === null) return (await act()).answer
  const name = createHash('sha256').update(canonicalJson(same)).digest('hex')
  return deliveries.once({ event: name, hook: canonicalJson([hook.name, place ?? null, event.via ?? null]) }, act)
}

/** All that makes it this event, in the words of its own host; null: it may be any. */
function sameEvent({ name, rewrites, callIds }: Speaker, event: HookEvent): readonly Json[] | null {
  if (event.kind === 'prompt') return event.session === null ? null : [event.kind, name, event.session, event.text]
  if (event.kind !== 'call' && event.kind !== 'result') return null
  const { tool, args, principal, session, subagent = null, cwd, callId, inert = [] } = event.call
  if (session === null) return null
  const { agent, role, user, tenant } = principal
  const told = Object.fromEntries(Object.entries(args).filter(([each]) => !inert.includes(each)))
  const about = event.kind === 'call' ? event.headless : [event.response, event.failed === true]
  const id = callIds === 'some' ? null : callId
  return [
    event.kind,
    name,
    rewrites,
    id,
    tool.server,
    tool.name,
    tool.definition,
    told,
    [agent, role, user, tenant],
    [session, subagent],
    cwd,
    about,
  ]
}

type CallEvent = Extract<HookEvent, { kind: 'call' }>

interface Incoming {
  readonly bytes: Uint8Array
  /** Whether the host takes other arguments in the place of those that it proposed. */
  readonly rewrites: boolean
  /** When the event came, by the clock of the process: waiting for another hook's answer counts, too. */
  readonly arrived: number
}

/**
 * The decision, or a denial once the policy's time is over. The denial is recorded in the decision's place: what is decided later
 * finds that, records nothing and spends nothing.
 */
async function decidedInTime(
  event: CallEvent,
  { gate, handover = null, withWords = (call) => call, deadline, digest, bytes, rewrites, arrived }: HookParts & Incoming,
): Promise<Decision> {
  const limit = deadline?.() ?? null
  const decide = (own: Handover | null): Promise<Decision> =>
    gate.decide(withWords(event.call), 0, { attended: !event.headless, rewrites, handover: own })
  if (limit === null) return decide(handover)
  let state: 'open' | 'recorded' | 'late' = 'open'
  const lapsed = (): boolean => {
    if (state === 'open') state = 'recorded'
    return state === 'late'
  }
  const decided = decide({ ...(handover ?? { nonce: randomUUID(), takesOver: false }), lapsed })
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(
      () => {
        // What is in the log already is what whoever asked hears.
        if (state === 'recorded') return
        state = 'late'
        resolve(null)
      },
      Math.max(0, limit - (performance.now() - arrived)),
    )
  })
  const first = await Promise.race([decided, over]).finally(() => clearTimeout(timer))
  if (first !== null) return first
  const { tool, principal, session, cwd } = event.call
  const message = `nothing was decided within ${limit} ms (\`hooks.deadline\`)`
  return gate.refuse({ code: 'timeout.gate', message, digest: digest(bytes), agent: principal.agent, session, cwd, tool }, handover)
}

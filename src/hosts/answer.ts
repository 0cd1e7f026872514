/** One hook event in, one answer out: the same for the daemon and for the process that stands in for it. */
import { randomUUID } from 'node:crypto'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { Handover } from '../gate/handover.ts'
import type { Gate } from '../gate.ts'
import type { HookContext, HookEvent, HostAdapter, PromptEvent, ResultEvent } from './adapter.ts'

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
}

/** Answers one event of this host. Never rejects: a failure is a denial. */
export async function answerFor(host: HostAdapter, bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  const { gate, result, handover = null } = parts
  try {
    const event = host.parse(bytes, parts)
    switch (event.kind) {
      case 'call':
        return host.reply(await decidedInTime(host, event, { ...parts, bytes }), event.headless)
      case 'result':
        return host.noted(await result(event, handover), event)
      case 'prompt':
        await parts.prompt?.(event)
        return host.noted(null)
      case 'settings':
        return host.noOpinion
      case 'refused':
        return host.reply(await gate.refuse(event.refused, handover), true)
    }
  } catch (error) {
    return host.denial(
      `Countersign: the gate failed (${error instanceof Error ? error.name : 'unknown'}), so the call was refused. (infra.internal)`,
    )
  }
}

type CallEvent = Extract<HookEvent, { kind: 'call' }>

/**
 * The decision, or a denial once the policy's time is over. The denial is recorded in the decision's place: what is decided later
 * finds that, records nothing and spends nothing.
 */
async function decidedInTime(
  host: HostAdapter,
  event: CallEvent,
  { gate, handover = null, withWords = (call) => call, deadline, digest, bytes }: HookParts & { readonly bytes: Uint8Array },
): Promise<Decision> {
  const limit = deadline?.() ?? null
  const decide = (own: Handover | null): Promise<Decision> =>
    gate.decide(withWords(event.call), 0, { attended: !event.headless, rewrites: host.rewrites, handover: own })
  if (limit === null) return decide(handover)
  let state: 'open' | 'recorded' | 'late' = 'open'
  const lapsed = (): boolean => {
    if (state === 'open') state = 'recorded'
    return state === 'late'
  }
  const decided = decide({ ...(handover ?? { nonce: randomUUID(), takesOver: false }), lapsed })
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      // What is in the log already is what whoever asked hears.
      if (state === 'recorded') return
      state = 'late'
      resolve(null)
    }, limit)
  })
  const first = await Promise.race([decided, over]).finally(() => clearTimeout(timer))
  if (first !== null) return first
  const { tool, principal, session, cwd } = event.call
  const message = `nothing was decided within ${limit} ms (\`hooks.deadline\`)`
  return gate.refuse({ code: 'timeout.gate', message, digest: digest(bytes), agent: principal.agent, session, cwd, tool }, handover)
}

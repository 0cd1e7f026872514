/** One hook event in, one answer out: the same for the daemon and for the process that stands in for it. */
import type { ToolCall } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import type { Handover } from '../gate/handover.ts'
import type { Gate } from '../gate.ts'
import type { HookContext, HostAdapter, PromptEvent, ResultEvent } from './adapter.ts'

/** What answering needs of the gate. */
export interface HookParts extends HookContext {
  readonly gate: Gate
  /** Records what a tool returned; the call has run, so a failure is reported, not refused. Answers a note for the agent, or null. */
  readonly result: (event: ResultEvent, handover?: Handover | null) => Promise<string | null>
  /** Keeps what the user asked for. Absent: nobody is told. */
  readonly prompt?: (event: PromptEvent) => Promise<void>
  /** The call with what the host told of its session. Absent: as it came. */
  readonly withWords?: (call: ToolCall) => ToolCall
  /** Where the hook decides by itself once nobody answers; default it does not. */
  readonly handover?: Handover | null
}

/** Answers one event of this host. Never rejects: a failure is a denial. */
export async function answerFor(host: HostAdapter, bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  const { gate, result, handover = null, withWords = (call) => call } = parts
  try {
    const event = host.parse(bytes, parts)
    switch (event.kind) {
      case 'call':
        return host.reply(
          await gate.decide(withWords(event.call), 0, { attended: !event.headless, rewrites: host.rewrites, handover }),
          event.headless,
        )
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

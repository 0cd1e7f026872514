/** One hook event in, one answer out: the same for the daemon and for the process that stands in for it. */
import type { JsonObject } from '../core/json.ts'
import type { Gate } from '../gate.ts'
import type { HookContext, HostAdapter, ResultEvent } from './adapter.ts'

/** What answering needs of the gate. */
export interface HookParts extends HookContext {
  readonly gate: Gate
  /** Records what a tool returned; the call has run, so a failure is reported, not refused. Answers a note for the agent, or null. */
  readonly result: (event: ResultEvent) => Promise<string | null>
}

/** Answers one event of this host. Never rejects: a failure is a denial. */
export async function answerFor(host: HostAdapter, bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  try {
    const event = host.parse(bytes, parts)
    switch (event.kind) {
      case 'call':
        return host.reply(await parts.gate.decide(event.call, 0, { attended: !event.headless, rewrites: true }), event.headless)
      case 'result':
        return host.noted(await parts.result(event))
      case 'settings':
        return host.noOpinion
      case 'refused':
        return host.reply(await parts.gate.refuse(event.refused), true)
    }
  } catch (error) {
    return host.denial(
      `Countersign: the gate failed (${error instanceof Error ? error.name : 'unknown'}), so the call was refused. (infra.internal)`,
    )
  }
}

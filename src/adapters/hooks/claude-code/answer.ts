/** One hook event in, one answer out: the same for the daemon and for the process that stands in for it. */
import type { JsonObject } from '../../../core/json.ts'
import type { Gate } from '../../../gate.ts'
import { type HookContext, type HookEvent, parseHook } from './parse.ts'
import { denial, NO_OPINION, replyTo } from './reply.ts'

/** What the adapter needs of the gate. */
export interface HookParts extends HookContext {
  readonly gate: Gate
  /** Records what a tool returned; the call has run, so a failure is reported, not refused. Answers a note for the agent, or null. */
  readonly result: (event: Extract<HookEvent, { kind: 'result' }>) => Promise<string | null>
}

const QUIET: JsonObject = { suppressOutput: true }

function noted(note: string | null): JsonObject {
  return note === null ? QUIET : { ...QUIET, hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } }
}

/** Answers one event. Never rejects: a failure is a denial. */
export async function answerHook(bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  try {
    const event = parseHook(bytes, parts)
    switch (event.kind) {
      case 'call':
        return replyTo(await parts.gate.decide(event.call, 0, { attended: !event.headless, rewrites: true }), event.headless)
      case 'result':
        return noted(await parts.result(event))
      case 'settings':
        return NO_OPINION
      case 'refused':
        return replyTo(await parts.gate.refuse(event.refused), true)
    }
  } catch (error) {
    return denial(
      `Countersign: the gate failed (${error instanceof Error ? error.name : 'unknown'}), so the call was refused. (infra.internal)`,
    )
  }
}

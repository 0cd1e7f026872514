/** `countersign/hooks/claude-code`: Claude Code's hook protocol and settings, for a program that installs or answers hooks itself. */
import type { JsonObject } from '../../core/json.ts'
import { answerFor, type HookParts } from '../../hosts/answer.ts'
import { claudeCode } from '../../hosts/claude-code/adapter.ts'

export { withHooks } from '../../hosts/claude-code/settings.ts'
export { withoutHooks } from '../../hosts/lists.ts'
export { shimScript } from '../../hosts/shim.ts'

/** Answers one event. Never rejects: a failure is a denial. */
export function answerHook(bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  return answerFor(claudeCode, bytes, parts)
}

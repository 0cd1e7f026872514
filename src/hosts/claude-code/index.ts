/** `countersign/hooks/claude-code`: Claude Code's hook protocol and settings, for a program that installs or answers hooks itself. */
import type { JsonObject } from '../../core/json.ts'
import { answerFor, type HookParts } from '../answer.ts'
import { claudeCode } from './adapter.ts'

export type { HookContext, HookEvent } from '../adapter.ts'
export type { HookParts } from '../answer.ts'
export { parseHook } from './parse.ts'
export { denial, replyTo } from './reply.ts'
export { installedCommand, weaknesses, withHooks, withoutHooks } from './settings.ts'
export { hookCommand, type ShimOptions, shimScript } from './shim.ts'

/** Answers one event. Never rejects: a failure is a denial. */
export function answerHook(bytes: Uint8Array, parts: HookParts): Promise<JsonObject> {
  return answerFor(claudeCode, bytes, parts)
}

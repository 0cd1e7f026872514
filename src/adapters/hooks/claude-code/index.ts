/** `countersign/hooks/claude-code`: Claude Code's hook protocol and settings, for a program that installs or answers hooks itself. */
export { answerHook, type HookParts } from './answer.ts'
export { type HookContext, type HookEvent, parseHook } from './parse.ts'
export { denial, replyTo } from './reply.ts'
export { installedCommand, weaknesses, withHooks, withoutHooks } from './settings.ts'
export { hookCommand, type ShimOptions, shimScript } from './shim.ts'

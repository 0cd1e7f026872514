/** The tools room: calls of known and unknown tools to effects, and what the registry needs to know of families. */
export { Collector } from './collect.ts'
export { declareEffects, readCall } from './read-call.ts'
export { families, familyNames, familyTool, runsCommands, splitName } from './registry.ts'
export type { Analysers, ToolEffect } from './spec.ts'

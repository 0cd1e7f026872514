/** The tools room: calls of known and unknown tools to effects, and what the registry needs to know of families. */
export { Collector, type CollectorOptions } from './collect.ts'
export { readCall } from './read-call.ts'
export { FAMILIES, familyTool, findTool, type KnownTool, splitName } from './registry.ts'
export type { Analysed, Analysers } from './spec.ts'

/** `countersign/facts`: what a call would do, without judging it. */
import type { ToolCall } from '../core/call.ts'
import { type AnalyseOptions, analyse as analyseWith } from '../facts/analyse.ts'
import type { Facts } from '../facts/facts.ts'
import type { View } from '../facts/view.ts'
import { emptySession } from '../session/state.ts'

export { explainFacts } from '../facts/explain/explain.ts'
export type { Facts } from '../facts/facts.ts'
export type { View } from '../facts/view.ts'
export { createFixedView } from '../view/fixed.ts'
export { createNodeView } from '../view/node.ts'

const DEFAULTS: AnalyseOptions = { state: emptySession(0), canaryTokens: [], maxCommandBytes: 64 * 1024 }

/**
 * The facts of a call over a View. Never throws: what cannot be read is an opaque effect.
 * @param options default: a session in which nothing happened, no canary tokens, commands up to 64 KiB.
 */
export function analyse(call: ToolCall, view: View, options: Partial<AnalyseOptions> = {}): Facts {
  return analyseWith(call, view, { ...DEFAULTS, ...options })
}

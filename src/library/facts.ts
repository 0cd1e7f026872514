/** `countersign/facts`: what a call would do, without judging it. */
export type { Effect, Target, Verb } from '../core/effect.ts'
export { type AnalyseOptions, analyse } from '../facts/analyse.ts'
export { explainEffect, explainFacts } from '../facts/explain/explain.ts'
export type { Facts } from '../facts/facts.ts'
export type { View } from '../facts/view.ts'
export { emptySession, type SessionState } from '../session/state.ts'

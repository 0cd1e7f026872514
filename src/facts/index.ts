/** `countersign/facts`: what a call would do, without judging it. */
export type { Effect, Target, Verb } from '../core/effect.ts'
export { emptySession, type SessionState } from '../session/state.ts'
export { type AnalyseOptions, analyse } from './analyse.ts'
export { explainEffect, explainFacts } from './explain/explain.ts'
export type { Facts } from './facts.ts'
export type { View } from './view.ts'

/** `countersign/facts`: what a call would do, without judging it. */
export { analyse } from '../facts/analyse.ts'
export { explainFacts } from '../facts/explain/explain.ts'
export type { Facts } from '../facts/facts.ts'
export type { View } from '../facts/view.ts'
export { emptySession } from '../session/state.ts'
export { createFixedView } from '../view/fixed.ts'
export { createNodeView } from '../view/node.ts'

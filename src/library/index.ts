/**
 * `countersign`: a gate in a program of your own. Importing it loads nothing but names; `createGate` loads the gate. Every name of every
 * sub-path is a promise, and stands in one of them only; `test/docs/surface.test.ts` counts them.
 */
export { CallRefused, GateError } from '../adapters/sdk/errors.ts'
export {
  type Caller,
  createGate,
  type Gate,
  type GateOptions,
  type Outcome,
  type ProposedCall,
  type WrapOptions,
} from '../adapters/sdk/gate.ts'
export type { ApprovalHandler } from '../approvals/handlers.ts'
export type { StoredApproval } from '../approvals/store.ts'
export type { Code } from '../core/codes.ts'
export type { Decision } from '../core/decision.ts'
export type { Effect } from '../core/effect.ts'
export type { Finding } from '../core/finding.ts'
export type { Json, JsonObject } from '../core/json.ts'

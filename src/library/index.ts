/** The public API. Every name here is a promise; nothing is exported by wildcard. */
export {
  type ApprovalDecision,
  AutoApprovalClassifier,
  type ClassifierOptions,
  type ClassifierStats,
} from '../adapters/sdk/classifier.ts'
export type { ApprovalRequest, ApprovalRule } from '../adapters/sdk/classifier-rules.ts'
export { NoApproval, type Outcome as AnswerOutcome } from '../approvals/answer.ts'
export {
  type ApprovalQueue,
  createApprovalQueue,
  type GivenAnswer,
  type QueueParts,
  type Reviewing,
} from '../approvals/queue.ts'
export type { StoredApproval } from '../approvals/store.ts'
export { approvalStatus, approvalView } from '../approvals/view.ts'
export type { Principal, ToolCall, ToolDefinition, ToolIdentity } from '../core/call.ts'
export { CODES, type Code, isCode } from '../core/codes.ts'
export type { Decision, Resolution } from '../core/decision.ts'
export type { Effect, Target, Verb } from '../core/effect.ts'
export type { Finding } from '../core/finding.ts'
export type { Json, JsonObject } from '../core/json.ts'
export { join, type Outcome, VERDICTS, type Verdict } from '../core/verdict.ts'
export { decisionToJson, effectToJson } from '../core/wire.ts'
export { analyse } from '../facts/analyse.ts'
export { explainEffect, explainFacts } from '../facts/explain/explain.ts'
export type { Facts } from '../facts/facts.ts'
export type { View } from '../facts/view.ts'
export { createGate, type Gate, type GateParts, type HostSide, type PolicyState, type Resolver } from '../gate.ts'
export { callFromJson, parseCall } from '../ingress/call.ts'
export { readJson } from '../ingress/json.ts'
export type { Layer, LayerInput } from '../layers/layer.ts'
export { type CodeRule, createCodeRules } from '../layers/rules/code.ts'
export type { StateProvider } from '../lookup/index.ts'
export { digester, LAYERS, type OpenedGate, type OpenOptions, openGate, stateDirectory, VOCABULARY } from '../open.ts'
export { compilePolicy } from '../policy/compile.ts'
export { DEFAULT_POLICY } from '../policy/default.ts'
export type { Policy } from '../policy/policy.ts'
export { openStore } from '../store/sqlite/open.ts'
export type { Receipt, RecordInput, Store, StoredRecord } from '../store/store.ts'
export { createFixedView } from '../view/fixed.ts'
export { createNodeView } from '../view/node.ts'

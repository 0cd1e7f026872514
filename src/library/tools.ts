/** `countersign/tools`: tools of agent frameworks behind the gate. Every name here is a promise. */
export {
  CallRefused,
  type FrameworkOptions,
  type Gated,
  gateRunnableTools,
  gateToolSet,
  type RunnableTools,
  type ToolSet,
} from '../adapters/sdk/frameworks.ts'
export { type Caller, type ToolGate, ToolGateError } from '../adapters/sdk/tool-gate.ts'

/** `countersign/approvals`: people are asked inside of a host program, or from it. Every name here is a promise. */

export {
  type Caller,
  createToolGate,
  type GatedTool,
  type ToolGate,
  ToolGateError,
  type ToolGateOptions,
  type ToolOutcome,
} from '../adapters/sdk/tool-gate.ts'
export { WebhookApprovalHandler, type WebhookHandlerOptions } from '../adapters/sdk/webhook-handler.ts'
export type { ChannelAnswer, Incoming } from '../approvals/channels/channel.ts'
export { type Channels, type ChannelsParts, createChannels, type Received } from '../approvals/channels/index.ts'
export { type SignedHeaders, signWebhook, type Verified, verifyWebhook, webhookSecret } from '../approvals/channels/standard-webhooks.ts'
export {
  type ApprovalHandler,
  CallbackHandler,
  type Elicitation,
  ElicitationHandler,
  type Elicited,
  type HandlerAnswer,
  HandlerRefusal,
  type HandlerRequest,
  QueueHandler,
  type QueueOptions,
  UnknownRequest,
} from '../approvals/handlers.ts'
export { type ApprovalQueue, createApprovalQueue, type QueueParts } from '../approvals/queue.ts'

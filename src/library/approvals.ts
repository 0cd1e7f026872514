/** `countersign/approvals`: handlers that ask people inside of a program, or from it, and the signatures of webhooks. */
export { WebhookApprovalHandler } from '../adapters/sdk/webhook-handler.ts'
export { signWebhook, verifyWebhook } from '../approvals/channels/standard-webhooks.ts'
export { CallbackHandler, ElicitationHandler, type HandlerRequest, QueueHandler } from '../approvals/handlers.ts'

/** `countersign/ai-sdk`: tools of the AI SDK behind the gate. */
export { gateApproval, gateTools } from '../adapters/sdk/frameworks/ai-sdk.ts'

/** `countersign/anthropic`: tools of the Anthropic SDK's tool runner behind the gate. */
export { gateTools } from '../adapters/sdk/frameworks/anthropic.ts'

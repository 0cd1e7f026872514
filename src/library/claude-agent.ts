/** `countersign/claude-agent`: every tool of the Claude Agent SDK behind the gate. */
export { gateOptions } from '../adapters/sdk/frameworks/claude-agent.ts'

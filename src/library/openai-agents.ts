/** `countersign/openai-agents`: tools of OpenAI Agents behind the gate. */
export { gateTools } from '../adapters/sdk/frameworks/openai-agents.ts'

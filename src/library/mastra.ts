/** `countersign/mastra`: tools of Mastra agents behind the gate. */
export { gateHooks, gateTools } from '../adapters/sdk/frameworks/mastra.ts'

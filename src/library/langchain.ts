/** `countersign/langchain`: tools of LangChain and LangGraph agents behind the gate. */
export { gateToolCalls } from '../adapters/sdk/frameworks/langchain.ts'

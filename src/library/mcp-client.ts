/** `countersign/mcp-client`: tools of MCP servers behind the gate, where the program is the client itself. */
export { gateClient } from '../adapters/sdk/frameworks/mcp-client.ts'

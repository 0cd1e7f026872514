/** Where the MCP proxy is measured: a directory, a policy, a scripted server, and the proxy before it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI, type Home, makeHome } from '../test/hosts/harness.ts'

export interface McpPlace {
  readonly home: Home
  readonly work: string
  /** How the server is started. */
  readonly server: readonly string[]
  /** How the proxy in front of it is, with these options. */
  readonly proxy: (name: string, ...options: readonly string[]) => readonly string[]
}

export interface Scripted {
  readonly tools: readonly string[]
  /** Names of arguments, all texts. */
  readonly argument: string
  /** The text of a result: an expression over `params`. */
  readonly text: string
  readonly policy: string
}

export function mcpPlace({ tools, argument, text, policy }: Scripted): McpPlace {
  const home = makeHome()
  const work = join(home.user, 'work')
  mkdirSync(work)
  const file = join(home.user, 'policy.yaml')
  writeFileSync(file, policy)
  const server = [process.execPath, '-e', scriptOf({ tools, argument, text })]
  return {
    home,
    work,
    server,
    proxy: (name, ...options) => [process.execPath, CLI, 'mcp', '--policy', file, '--name', name, ...options, '--', ...server],
  }
}

function scriptOf({ tools, argument, text }: Omit<Scripted, 'policy'>): string {
  return `
const properties = { ${argument}: { type: 'string' } }
const tools = ${JSON.stringify(tools)}.map((name) => ({ name, description: name, inputSchema: { type: 'object', properties } }))
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools } : method === 'tools/call' ? { content: [{ type: 'text', text: ${text} }] } : {}
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})
`
}

/** What every client begins with. */
export const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }

/** Frameworks whose agents run here with a model that proposes the call, clients of MCP servers, and Python. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ToolMessage } from '@langchain/core/messages'
import { createTool } from '@mastra/core/tools'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { Agent, type AgentInputItem, tool as functionTool, type Model, type ModelResponse, Runner, Usage } from '@openai/agents-core'
import { tool as langchainTool } from 'langchain'
import { z } from 'zod'
import { CallRefused } from '../../../src/adapters/sdk/errors.ts'
import { gateToolCalls } from '../../../src/adapters/sdk/frameworks/langchain.ts'
import { gateTools as gateMastraTools } from '../../../src/adapters/sdk/frameworks/mastra.ts'
import { gateClient } from '../../../src/adapters/sdk/frameworks/mcp-client.ts'
import { gateTools as gateFunctionTools } from '../../../src/adapters/sdk/frameworks/openai-agents.ts'
import type { Case } from '../corpus.ts'
import type { Place } from '../place.ts'
import type { Heard } from '../seam.ts'
import { benchOf, house, type Opened } from './direct.ts'
import { embedded, HANDLER, namesOf, nextId, proposed, run, within, written } from './frameworks.ts'

const ANY = { type: 'object', properties: {}, required: [], additionalProperties: true } as const

/** What the loop was told, in the end: the tool's own answer, or anything else in its place. */
const isRefused = (told: unknown): boolean => !JSON.stringify(told).includes('it ran')

class OpenAiModel implements Model {
  async getResponse({ input }: { readonly input: string | AgentInputItem[] }): Promise<ModelResponse> {
    const isFirst = typeof input === 'string' || !input.some(({ type }) => type === 'function_call_result')
    const { named } = proposed()
    const call = { type: 'function_call' as const, callId: nextId(), name: written(named), arguments: JSON.stringify(named.args) }
    const said = { type: 'message' as const, role: 'assistant' as const, content: [{ type: 'output_text' as const, text: 'done' }] }
    return { usage: new Usage(), output: [{ ...(isFirst ? call : said), status: 'completed' as const }] }
  }

  getStreamedResponse(): never {
    throw new Error('not streamed here')
  }
}

export async function openAiAgents(place: Place, cases: readonly Case[]): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'openai-agents', HANDLER)
  const own = namesOf(cases).map((name) =>
    functionTool({ name, description: name, parameters: { ...ANY, required: [] }, strict: false, execute: async () => run() }),
  )
  const agent = new Agent({ name: 'a', tools: gateFunctionTools(gate, own) })
  const runner = new Runner({ model: new OpenAiModel(), tracingDisabled: true })
  return { ...bench, send: (sent) => within(sent, async () => isRefused((await runner.run(agent, 'go')).history)) }
}

/** The middleware's hook, before tools of the framework; its agent runs in `langchain.test.ts`, and takes more time than the gate. */
export async function langchain(place: Place, cases: readonly Case[]): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'langchain', HANDLER)
  const own = namesOf(cases).map((name) => [name, langchainTool(() => run(), { name, description: name, schema: ANY })] as const)
  const tools = new Map(own)
  const hook = gateToolCalls(gate, { ToolMessage })
  return {
    ...bench,
    send: (sent) =>
      within(sent, async () => {
        const toolCall = { id: nextId(), name: written(sent.named), args: { ...sent.named.args }, type: 'tool_call' as const }
        return isRefused(await hook({ toolCall }, async ({ toolCall: judged }) => tools.get(judged.name)?.invoke(judged)))
      }),
  }
}

/** Tools of the framework as its agent calls them; the agent itself runs in `mastra.test.ts`. */
export async function mastra(place: Place, cases: readonly Case[]): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'mastra', HANDLER)
  const inputSchema = z.looseObject({})
  const own = namesOf(cases).map((id) => [id, createTool({ id, description: id, inputSchema, execute: async () => run() })] as const)
  const tools = gateMastraTools(gate, Object.fromEntries(own))
  return {
    ...bench,
    send: (sent) =>
      within(sent, async () => {
        const context = { agent: { toolCallId: nextId() } }
        try {
          return isRefused(await tools[written(sent.named)]?.execute?.({ ...sent.named.args }, context as never))
        } catch (error) {
          return error instanceof CallRefused
        }
      }),
  }
}

/** A real client of a real server each, over a transport in memory. */
export async function mcpClient(place: Place, cases: readonly Case[]): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'mcp-client', HANDLER)
  const servers = new Set(cases.flatMap(({ form }) => (form.kind === 'server' ? [form.server] : [])))
  const clients = new Map<string, Client>()
  for (const name of servers) {
    const server = new Server({ name, version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/call', async () => ({ content: [{ type: 'text', text: run() }] }))
    const [here, there] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'test', version: '1' })
    await server.connect(there)
    await client.connect(here)
    clients.set(name, gateClient(gate, client, { server: name }))
  }
  return {
    ...bench,
    send: (sent) =>
      within(sent, async () => {
        const { server, tool, args } = sent.named
        return isRefused(await clients.get(server ?? '')?.callTool({ name: tool, arguments: args }))
      }),
    close: async () => {
      for (const client of clients.values()) await client.close()
      await bench.close()
    },
  }
}

/** One process of the interpreter that is here, which asks the daemon as the client does. */
export async function python(place: Place): Promise<Opened> {
  const { opened, socket, close } = await house(place, 'python', true)
  const env = { PATH: process.env.PATH, PYTHONPATH: 'examples/python', PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn('python3', ['test/conformance/seams/python.py', socket ?? ''], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let turn: Promise<unknown> = Promise.resolve()
  return {
    ...benchOf(opened),
    send: ({ named, one, session }) => {
      const call = { ...named, session, principal: { role: one.role }, cwd: place.repo, call_id: nextId() }
      const asked = turn.then(async (): Promise<Heard> => {
        child.stdin.write(`${JSON.stringify(call)}\n`)
        const { value } = (await lines.next()) as { value?: string }
        return value === 'ran' ? 'runs' : value === 'refused' ? 'stopped' : 'unclear'
      })
      turn = asked
      return asked
    },
    close: async () => {
      child.stdin.end()
      await once(child, 'close')
      await close()
    },
  }
}

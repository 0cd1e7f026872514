/** What the peer client does with any server: lists everything, calls every tool, reads every resource and prompt. */
import { Client, type Tool } from '@modelcontextprotocol/client'

export interface Exercise {
  /** Instead of one call of each tool. */
  readonly calls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] | undefined
  /** Runs a request, and what has to come before it. */
  readonly act?: <T>(request: () => Promise<T>) => Promise<T>
}

/** A client that agrees to everything that a server asks. */
export function createClient(stateless: boolean): Client {
  const made = new Client(
    { name: 'conformance-peer', version: '1.0.0' },
    {
      versionNegotiation: { mode: stateless ? { pin: '2026-07-28' } : 'legacy' },
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    },
  )
  made.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }))
  made.setRequestHandler('sampling/createMessage', () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } }))
  made.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }))
  return made
}

/** What came of each request, by its name: its answer, or the error. */
export async function exercise(client: Client, { calls, act = (request) => request() }: Exercise = {}): Promise<Map<string, unknown>> {
  const came = new Map<string, unknown>()
  const note = async (name: string, request: () => Promise<unknown>): Promise<void> => {
    came.set(name, await act(request).catch((error: unknown) => error))
  }
  const { tools } = await act(() => client.listTools())
  came.set('tools/list', tools)
  const one = (tool: Tool) => ({ name: tool.name, arguments: argumentsOf(tool, tools) })
  const all = calls ?? tools.filter(({ name }) => name !== RICH).map(one)
  await Promise.all(all.map((call) => note(`tools/call ${call.name}`, () => client.callTool(call))))
  const offered = client.getServerCapabilities()
  if (offered?.resources !== undefined)
    for (const { uri } of (await client.listResources()).resources) await note(`resources/read ${uri}`, () => client.readResource({ uri }))
  if (offered?.prompts !== undefined)
    for (const { name, arguments: args = [] } of (await client.listPrompts()).prompts) {
      const given = Object.fromEntries(args.map((each) => [each.name, 'text']))
      await note(`prompts/get ${name}`, () => client.getPrompt({ name, arguments: given }))
    }
  return came
}

/** Its schema rules out every call that is made up from types alone. */
const RICH = 'json_schema_2020_12_tool'
const EXAMPLES: Readonly<Record<string, unknown>> = { number: 5, integer: 5, boolean: true, array: [], object: {} }

function argumentsOf({ inputSchema }: Tool, tools: readonly Tool[]): Record<string, unknown> {
  const properties = Object.entries((inputSchema.properties ?? {}) as Readonly<Record<string, { readonly type?: string }>>)
  // A tool that takes a schema gives back what became of the one beside it.
  const schema = tools.find(({ name }) => name === RICH)?.inputSchema
  return Object.fromEntries(
    properties.map(([key, { type = 'string' }]) => [key, key === 'schema' && schema !== undefined ? schema : (EXAMPLES[type] ?? 'text')]),
  )
}

/**
 * The server that the conformance suite asks, by the official SDK: over standard streams, and with a port as its argument
 * over Streamable HTTP. Both eras: sessions, and the stateless protocol.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import {
  createMcpHandler,
  createRequestStateCodec,
  type EventStore,
  hostHeaderValidationResponse,
  inputRequired,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { contentsOf, messagesOf, PROMPTS, RESOURCES, TEMPLATES } from './offered.ts'
import { DEFINITIONS, type Keep, TOOLS } from './tools.ts'

const INVALID_PARAMS = -32602
const HEADER_MISMATCH = -32020
const codec = createRequestStateCodec<{ step: number }>({ key: randomBytes(32), ttlSeconds: 300 })
let changed: Keep['changed'] = () => {}

function createServer(): Server {
  const server = new Server(
    { name: 'conformance-peer', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: DEFINITIONS }))
  server.setRequestHandler('tools/call', (request, context) => {
    const { name, arguments: args = {} } = request.params
    const run = TOOLS[name]
    if (run === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${name}`)
    return run(args, context, { mint: (step) => codec.mint({ step }, context), changed: (kind) => changed(kind) }) as never
  })
  offer(server)
  return server
}

function offer(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const contents = contentsOf(uri)
    if (contents === null) throw new ResourceNotFoundError(uri)
    return { contents: [contents] }
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, context) => {
    const messages = messagesOf(name, given)
    if (messages !== null) return { messages }
    if (name !== 'test_input_required_result_prompt') throw new ProtocolError(INVALID_PARAMS, `Unknown prompt: ${name}`)
    if (context.mcpReq.inputResponses !== undefined) return { messages: messagesOf('test_simple_prompt', {}) ?? [] }
    const requestedSchema = { type: 'object' as const, properties: { context: { type: 'string' as const } }, required: ['context'] }
    return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message: 'Which context?', requestedSchema }) } })
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
}

/** Events that a client may come back for. */
function eventStore(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: never }[] = []
  return {
    storeEvent: async (stream, message) => {
      const id = `${stream}_${events.length}`
      events.push({ id, stream, message: message as never })
      return id
    },
    getStreamIdForEventId: async (id) => events.find((each) => each.id === id)?.stream,
    replayEventsAfter: async (last, { send }) => {
      const from = events.findIndex((each) => each.id === last)
      const stream = events[from]?.stream ?? ''
      for (const each of events.slice(from + 1))
        if (each.stream === stream && Object.keys(each.message).length > 0) await send(each.id, each.message)
      return stream
    },
  }
}

/** The server of the SDK leaves headers that repeat arguments to whoever lists the tools by hand. */
async function misheard(request: Request): Promise<Response | null> {
  const {
    id = null,
    method,
    params,
  } = (await request.json().catch(() => ({}))) as {
    readonly id?: unknown
    readonly method?: string
    readonly params?: { readonly name?: string; readonly arguments?: { readonly region?: unknown } }
  }
  const said = params?.arguments?.region
  if (method !== 'tools/call' || params?.name !== 'test_header_param' || typeof said !== 'string') return null
  const given = request.headers.get('mcp-param-region') ?? ''
  const coded = /^=\?base64\?(.*)\?=$/s.exec(given)?.[1]
  const heard = coded === undefined ? given : Buffer.from(coded, 'base64').toString('utf8')
  if (heard === said && (coded === undefined || Buffer.from(heard, 'utf8').toString('base64') === coded)) return null
  return Response.json(
    { jsonrpc: '2.0', id, error: { code: HEADER_MISMATCH, message: 'Mcp-Param-Region says something else' } },
    { status: 400 },
  )
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

async function ofSession(request: Request): Promise<Response> {
  const known = request.headers.get('mcp-session-id')
  const transport = known === null ? await begin() : sessions.get(known)
  if (transport !== undefined) return transport.handleRequest(request)
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, { status: 404 })
}

async function begin(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: eventStore(),
    retryInterval: 500,
    onsessioninitialized: (id) => {
      sessions.set(id, transport)
    },
    onsessionclosed: (id) => {
      sessions.delete(id)
    },
  })
  await createServer().connect(transport)
  return transport
}

const port = process.argv[2]
if (port === undefined)
  serveStdio(() => {
    const server = createServer()
    changed = (kind) => void (kind === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged())
    return server
  })
else {
  const modern = createMcpHandler(createServer, { legacy: 'reject' })
  changed = (kind) => (kind === 'tools' ? modern.notify.toolsChanged() : modern.notify.promptsChanged())
  const fetch = async (request: Request): Promise<Response> => {
    const foreign =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? originValidationResponse(request, localhostAllowedOrigins())
    if (foreign !== undefined) return foreign
    if (await isLegacyRequest(request.clone() as Request)) return ofSession(request)
    return (request.method === 'POST' ? await misheard(request.clone() as Request) : null) ?? modern.fetch(request)
  }
  serve({ fetch, port: Number(port), hostname: '127.0.0.1' }, (at) => process.stderr.write(`listening on port ${at.port}\n`))
}

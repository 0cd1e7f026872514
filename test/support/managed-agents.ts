/** A server that speaks the wire of Claude Managed Agents for one session: events, their stream, confirmations. Its calls run here. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../src/core/json.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly beta: unknown
  readonly key: unknown
  readonly body: unknown
}

export interface ManagedSession {
  readonly url: string
  readonly id: string
  readonly requests: Asked[]
  /** Ids of calls that ran, in order. */
  readonly ran: string[]
  /** What was said of each call: `allow`, or the message of a denial. */
  readonly said: Map<string, string>
  /** The agent proposes calls, and stands still for those that are asked about. */
  readonly propose: (...calls: readonly JsonObject[]) => void
  readonly emit: (...events: readonly JsonObject[]) => void
  /** Puts an event into the history alone: nobody hears it on the stream. */
  readonly past: (...events: readonly JsonObject[]) => void
  /** Ends every stream that is open. */
  readonly hangUp: () => void
  /** Answers of the next requests with this method, in the place of what they ask for. */
  readonly failing: { readonly GET: number[]; readonly POST: number[] }
  readonly streams: () => number
  readonly close: () => void
}

const TOOLS: readonly JsonObject[] = [
  { type: 'agent_toolset_20260401', configs: [], default_config: { enabled: true, permission_policy: { type: 'always_ask' } } },
]

let made = 0

export async function startManagedSession(tools: readonly JsonObject[] = TOOLS): Promise<ManagedSession> {
  const id = 'sesn_01'
  const [events, requests, ran]: [JsonObject[], Asked[], string[]] = [[], [], []]
  const said = new Map<string, string>()
  const streams = new Set<ServerResponse>()
  const failing = { GET: [] as number[], POST: [] as number[] }
  const write = (stream: ServerResponse, event: JsonObject) =>
    stream.write(`event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`)
  const past = (...more: readonly JsonObject[]): void => {
    for (const event of more) events.push({ id: `evt_${++made}`, processed_at: '2026-04-01T00:00:00Z', ...event })
  }
  const emit = (...more: readonly JsonObject[]): void => {
    const from = events.length
    past(...more)
    for (const event of events.slice(from)) for (const stream of streams) write(stream, event)
  }
  const waiting: JsonObject[] = []
  const idle = (): void =>
    emit({ type: 'session.status_idle', stop_reason: { type: 'requires_action', event_ids: waiting.map((each) => String(each.id)) } })
  const confirmed = ({ tool_use_id: call, result, deny_message: message }: JsonObject): number => {
    const at = waiting.findIndex((each) => each.id === call)
    if (at < 0) return 400
    const [use = {}] = waiting.splice(at, 1)
    said.set(String(call), result === 'allow' ? 'allow' : String(message))
    emit({ type: 'user.tool_confirmation', tool_use_id: String(call), result: String(result) })
    if (result === 'allow') ran.push(String(call))
    const content = [{ type: 'text', text: result === 'allow' ? 'it ran' : String(message) }]
    const isMcp = use.type === 'agent.mcp_tool_use'
    emit({
      ...(isMcp
        ? { type: 'agent.mcp_tool_result', mcp_tool_use_id: String(call) }
        : { type: 'agent.tool_result', tool_use_id: String(call) }),
      ...{ content, is_error: result !== 'allow' },
    })
    if (waiting.length > 0) idle()
    else emit({ type: 'session.status_running' })
    return 200
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const body = text === '' ? null : (JSON.parse(text) as { events: JsonObject[] })
      const { method = '', url: path = '', headers } = request
      requests.push({ method, path, beta: headers['anthropic-beta'], key: headers['x-api-key'], body })
      const status = failing[method as 'GET' | 'POST'].shift()
      const json = (value: unknown, code = 200) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (status !== undefined) return json({ type: 'error', error: { type: 'api_error', message: 'later' } }, status)
      if (path.startsWith(`/v1/sessions/${id}/events/stream`)) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
        streams.add(response)
        response.on('close', () => streams.delete(response))
        return
      }
      if (path.startsWith(`/v1/sessions/${id}/events`)) {
        // Two pages, so that whoever reads one alone misses what came last.
        const from = Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? -1)
        if (method === 'GET' && from >= 0) return json({ data: events.slice(from), next_page: null })
        const half = Math.ceil(events.length / 2)
        if (method === 'GET') return json({ data: events.slice(0, half), next_page: String(half) })
        const codes = (body?.events ?? []).map(confirmed)
        return json({ data: [] }, codes.find((code) => code !== 200) ?? 200)
      }
      const session = { id, type: 'session', status: 'idle', archived_at: null, agent: { name: 'helper', tools, multiagent: null } }
      if (path.startsWith(`/v1/sessions/${id}`)) return json(session)
      if (path.startsWith('/v1/sessions'))
        return json({ data: [session, { ...session, id: 'sesn_02', status: 'terminated' }], next_page: null })
      json({}, 404)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, id, requests, ran, said, emit, past, failing },
    propose: (...calls) => {
      emit(...calls)
      waiting.push(...calls)
      idle()
    },
    hangUp: () => {
      for (const stream of streams) stream.destroy()
    },
    streams: () => streams.size,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const use = (id: string, name: string, input: JsonObject, more: JsonObject = {}): JsonObject => {
  return { type: 'agent.tool_use', id, name, input, evaluated_permission: 'ask', ...more }
}

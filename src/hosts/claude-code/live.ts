/** Runs the real Claude Code once, headless, against a scripted model on loopback: nothing it says leaves this machine. */
import { spawn } from 'node:child_process'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'

export interface LiveCall {
  readonly name: string
  readonly input: JsonObject
}

export interface LiveOptions {
  /** The client's program. */
  readonly client: string
  /** What the model asks for, one call a turn. */
  readonly calls: readonly LiveCall[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** More arguments of the client. */
  readonly args?: readonly string[]
  readonly prompt?: string
  readonly timeoutMs?: number
}

export interface LiveRun {
  /** Null where it was killed. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** What the model was told of each call, in order. */
  readonly results: readonly string[]
  /** Requests to the model. */
  readonly requests: number
}

const NOTHING_ELSE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_AUTH_TOKEN: undefined,
}

export async function runLive(options: LiveOptions): Promise<LiveRun> {
  const { client, calls, cwd, environment, args = [], prompt = 'Go on.', timeoutMs = 60_000 } = options
  const seen = { results: [] as string[], requests: 0 }
  const server = await serveModel(calls, seen)
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Variables in the user's settings win over those of the process; these arguments win over both.
  const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: 'none' } })
  const env = { ...environment, ...NOTHING_ELSE, ANTHROPIC_BASE_URL: base }
  const all = ['-p', prompt, '--settings', settings, '--output-format', 'json', '--model', 'scripted', ...args]
  try {
    const child = spawn(client, all, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' })
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    return { status, stdout: await stdout, stderr: await stderr, ...seen }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function serveModel(calls: readonly LiveCall[], seen: { results: string[]; requests: number }): Promise<Server> {
  let turn = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const read = readJson(Buffer.concat(chunks), { maxBytes: 64 * 1024 * 1024, maxDepth: 64 })
      const body = read.ok && isJsonObject(read.value) ? read.value : {}
      seen.requests++
      const main = Array.isArray(own(body, 'tools')) && (own(body, 'tools') as readonly Json[]).length > 0
      if (main) seen.results.splice(0, Infinity, ...toolResults(body))
      const call = main ? calls[turn++] : undefined
      sendMessage(response, own(body, 'stream') === true, call === undefined ? TEXT : { ...call, type: 'tool_use', id: `toolu_${turn}` })
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

const TEXT: JsonObject = { type: 'text', text: 'Done.' }

function sendMessage(response: ServerResponse, streamed: boolean, block: JsonObject): void {
  const stop = block.type === 'tool_use' ? 'tool_use' : 'end_turn'
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  if (!streamed) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...message, content: [block], stop_reason: stop }))
    return
  }
  const empty = block.type === 'tool_use' ? { ...block, input: {} } : { ...block, text: '' }
  const delta =
    block.type === 'tool_use'
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text: block.text ?? '' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ])
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}

/** All results of calls in the conversation so far. */
function toolResults(body: JsonObject): readonly string[] {
  return objects(own(body, 'messages')).flatMap((message) =>
    objects(own(message, 'content'))
      .filter((block) => own(block, 'type') === 'tool_result')
      .map((block) => {
        const content = own(block, 'content')
        return typeof content === 'string'
          ? content
          : objects(content)
              .map((part) => String(own(part, 'text') ?? ''))
              .join('')
      }),
  )
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk.toString()
  return text
}

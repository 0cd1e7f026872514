/** A scripted model on loopback, in the four wire forms that the clients speak: it asks for one call of the client's shell tool, then says that it is done. */
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Body = Record<string, unknown>

export interface Model {
  readonly url: string
  /** What the client sent back for the call; empty where it never did. */
  readonly told: () => string
  /** How often it asked for the call: never, where the client did not reach it. */
  readonly asked: () => number
  readonly close: () => void
}

/** Tools that run a command, as the clients name them, each with the arguments it takes. */
const SHELLS: Readonly<Record<string, (command: string) => Body>> = {
  Bash: (command) => ({ command, description: 'as asked' }),
  run_commands: (command) => ({ commands: [command] }),
  bash: (command) => ({ command, description: 'as asked' }),
  run_shell_command: (command) => ({ command, description: 'as asked', is_background: false }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
}

/** `times`: how often it asks for the call; `between` is told, before each further one, how many there were. */
export async function startModel(command: string, times = 1, between: (calls: number) => void = () => {}): Promise<Model> {
  let calls = 0
  let told = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const body = text.startsWith('{') ? (JSON.parse(text) as Body) : {}
      const path = request.url ?? ''
      const tool = shellIn(text)
      if (calls > 0 && tool !== null) {
        told = text
        between(calls)
      }
      const call =
        calls < times && tool !== null ? { name: tool, args: SHELLS[tool]?.(command) ?? {}, id: `call_${randomUUID().slice(0, 8)}` } : null
      if (call !== null) calls++
      const said = tool === null ? ROUTED : 'Done.'
      const wire = WIRES.find(({ at }) => at.test(path))
      if (wire === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}')
      else wire.answer(response, call ?? said, body.stream === true || path.includes('alt=sse'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: () => told,
    asked: () => calls,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The first of the shell tools that the request offers. */
function shellIn(text: string): string | null {
  return Object.keys(SHELLS).find((name) => text.includes(`"name":"${name}"`)) ?? null
}

/** For a client that asks how hard the work is before it begins. */
const ROUTED = '{"complexity_reasoning":"none","complexity_score":1}'

interface Call {
  readonly id: string
  readonly name: string
  readonly args: Body
}

interface Wire {
  readonly at: RegExp
  readonly answer: (response: ServerResponse, call: Call | string, streamed: boolean) => void
}

function sse(response: ServerResponse, events: readonly (readonly [string | null, unknown])[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of events) response.write(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
  response.end(end)
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

const anthropic: Wire = {
  at: /\/v1\/messages(?:\?|$)/,
  answer: (response, call, streamed) => {
    const block =
      typeof call === 'string' ? { type: 'text', text: call } : { type: 'tool_use', id: call.id, name: call.name, input: call.args }
    const stop = typeof call === 'string' ? 'end_turn' : 'tool_use'
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null, usage: USAGE }
    if (!streamed) return json(response, { ...message, content: [block], stop_reason: stop })
    const delta =
      typeof call === 'string' ? { type: 'text_delta', text: call } : { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
    const empty = typeof call === 'string' ? { ...block, text: '' } : { ...block, input: {} }
    sse(response, [
      ['message_start', { type: 'message_start', message: { ...message, content: [], stop_reason: null } }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: empty }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } }],
      ['message_stop', { type: 'message_stop' }],
    ])
  },
}

const responses: Wire = {
  at: /\/responses(?:\?|$)/,
  answer: (response, call) => {
    const item =
      typeof call === 'string'
        ? { type: 'message', role: 'assistant', id: 'm_1', content: [{ type: 'output_text', text: call }] }
        : { type: 'function_call', id: 'fc_1', call_id: call.id, name: call.name, arguments: JSON.stringify(call.args) }
    const usage = { ...USAGE, total_tokens: 2, input_tokens_details: null, output_tokens_details: null }
    sse(response, [
      ['response.created', { type: 'response.created', response: { id: 'r_1' } }],
      ['response.output_item.done', { type: 'response.output_item.done', item }],
      ['response.completed', { type: 'response.completed', response: { id: 'r_1', usage } }],
    ])
  },
}

const chat: Wire = {
  at: /\/chat\/completions(?:\?|$)/,
  answer: (response, call, streamed) => {
    const called =
      typeof call === 'string'
        ? []
        : [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }]
    const message =
      typeof call === 'string' ? { role: 'assistant', content: call } : { role: 'assistant', content: null, tool_calls: called }
    const finish = typeof call === 'string' ? 'stop' : 'tool_calls'
    const base = { id: 'c_1', created: 1, model: 'fake-model' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    if (!streamed)
      return json(response, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage })
    const chunk = (delta: unknown, reason: string | null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
    sse(
      response,
      [
        [null, chunk(message, null)],
        [null, { ...chunk({}, finish), usage }],
      ],
      'data: [DONE]\n\n',
    )
  },
}

const google: Wire = {
  at: /:(?:streamG|g)enerateContent/,
  answer: (response, call, streamed) => {
    const part = typeof call === 'string' ? { text: call } : { functionCall: { name: call.name, args: call.args } }
    const body = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    }
    if (streamed) sse(response, [[null, body]])
    else json(response, body)
  },
}

const WIRES: readonly Wire[] = [anthropic, responses, chat, google]

/** A scripted model server on loopback that speaks the wire protocols of Anthropic and OpenAI, and an HTTP judge's own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
  /** The body as JSON; null where there was none. */
  readonly body: Record<string, unknown> | null
}

/** What the model says to a request; a function may also write the response itself and answer undefined. */
export type Script = (seen: Seen, response: ServerResponse) => string | undefined

export interface ModelServer {
  readonly url: string
  readonly seen: Seen[]
  readonly close: () => Promise<void>
}

/** Answers `POST /v1/messages` and `POST /v1/chat/completions` in their protocols, and every other path with the bare text. */
export async function modelServer(script: Script): Promise<ModelServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const one: Seen = {
        path: request.url ?? '',
        method: request.method ?? '',
        headers: request.headers,
        body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>),
      }
      seen.push(one)
      const said = script(one, response)
      if (said === undefined) return
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(framed(one.path, said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function framed(path: string, text: string): string {
  if (path === '/v1/messages') return anthropicMessage(text)
  return path === '/v1/chat/completions' ? openAiCompletion(text) : text
}

export function anthropicMessage(text: string, stop = 'end_turn'): string {
  return JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [{ type: 'text', text }],
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 321, output_tokens: 45 },
  })
}

export function openAiCompletion(text: string, finish = 'stop', refusal: string | null = null): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: text, refusal }, logprobs: null, finish_reason: finish }],
    usage: { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 },
  })
}

/** The system prompt of a request of either protocol. */
export function systemOf({ body }: Seen): string {
  if (typeof body?.system === 'string') return body.system
  const messages = body?.messages
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined
  return typeof first === 'object' && first !== null && 'content' in first ? String(first.content) : ''
}

/** An answer between the marks that the question asked for. */
export function marked(seen: Seen, answer: string): string {
  const mark = /<(answer-[0-9a-f]+)>/.exec(systemOf(seen))?.[1] ?? 'answer-none'
  return `<${mark}>${answer}</${mark}>`
}

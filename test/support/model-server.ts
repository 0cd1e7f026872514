/** A scripted model server on loopback that speaks the wire protocols of Anthropic, OpenAI and Google, and an HTTP judge's own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { protocolOf, type Said, streamOf, whole } from './model-wire.ts'

export { anthropicMessage, googleContent, openAiCompletion } from './model-wire.ts'

export interface Seen {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
  /** The body as JSON; null where there was none. */
  readonly body: Record<string, unknown> | null
}

/** What the model says to a request; a function may also write the response itself and answer undefined. */
export type Script = (seen: Seen, response: ServerResponse) => Said | undefined

export interface ModelServer {
  readonly url: string
  readonly seen: Seen[]
  readonly close: () => Promise<void>
}

/** Answers in the protocol of the path, whole or as a stream, as the request asks; any other path with the bare text. */
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
      answer(one, said, response)
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

function isStreamed({ path, body }: Seen): boolean {
  return body?.stream === true || path.endsWith('?alt=sse')
}

function answer(seen: Seen, said: Said, response: ServerResponse): void {
  const protocol = protocolOf(seen.path)
  if (protocol !== null && isStreamed(seen)) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of streamOf(protocol, said)) response.write(piece)
    response.end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(protocol === null ? String(said) : whole(protocol, said))
}

/** The system prompt of a request of either protocol. */
export function systemOf({ body }: Seen): string {
  if (typeof body?.system === 'string') return body.system
  if (body?.systemInstruction !== undefined) return JSON.stringify(body.systemInstruction)
  const messages = body?.messages
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined
  return typeof first === 'object' && first !== null && 'content' in first ? String(first.content) : ''
}

/** An answer between the marks that the question asked for. */
export function marked(seen: Seen, answer: string): string {
  const mark = /<(answer-[0-9a-f]+)>/.exec(systemOf(seen))?.[1] ?? 'answer-none'
  return `<${mark}>${answer}</${mark}>`
}

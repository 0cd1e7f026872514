/** Asks a server what it offers, as a client of our own: for drafts, locks and whatever else is made before any call. */
import { PassThrough } from 'node:stream'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { errorAnswer, INTERNAL_ERROR } from './answers.ts'
import { toolsOf } from './catalog.ts'
import { runHttpClient } from './http/bridge.ts'
import type { HttpServer } from './http/upstream.ts'
import { createLineReader } from './lines.ts'
import { idKey, MAX_MESSAGE, type Response, readMessage } from './message.ts'
import { runStdio, type StdioServer } from './stdio.ts'
import type { Traffic } from './traffic.ts'

/** The server did not say what it offers. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export type Reached = { readonly kind: 'command'; readonly server: StdioServer } | { readonly kind: 'url'; readonly server: HttpServer }

const CLIENT = { name: 'countersign', version: '1' }
const SESSION_VERSION = '2025-11-25'
const STATELESS_VERSION = '2026-07-28'
const PATIENCE_MS = 30_000
const MAX_PAGES = 200

/** Every tool of the server, as it describes them. @throws {NoAnswer} */
export async function listTools(reached: Reached): Promise<readonly JsonObject[]> {
  const { send, ask, close } = open(reached)
  try {
    const begun = await ask('initialize', { protocolVersion: SESSION_VERSION, capabilities: {}, clientInfo: CLIENT })
    const meta = begun.result === undefined ? STATELESS : {}
    if (begun.result !== undefined) send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const tools: JsonObject[] = []
    let cursor: Json | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await ask('tools/list', { ...meta, ...(cursor === undefined ? {} : { cursor }) })
      if (answer.result === undefined) throw new NoAnswer(`the server lists no tools: ${errorIn(answer)}`)
      tools.push(...toolsOf(answer.result))
      cursor = isJsonObject(answer.result) ? own(answer.result, 'nextCursor') : undefined
      if (typeof cursor !== 'string') return tools
    }
    throw new NoAnswer('the list of tools has no end')
  } finally {
    await close()
  }
}

const STATELESS = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

function errorIn({ value }: Response): string {
  const error = own(value, 'error')
  const message = isJsonObject(error) ? own(error, 'message') : undefined
  return typeof message === 'string' ? message : 'it answers with an error'
}

interface Connection {
  readonly send: (message: JsonObject) => void
  readonly ask: (method: string, params: JsonObject) => Promise<Response>
  readonly close: () => Promise<void>
}

function open(reached: Reached): Connection {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const waiting = new Map<string, (answer: Response) => void>()
  let ended: string | null = null
  let count = 0
  const fail = new Set<(why: NoAnswer) => void>()
  const end = (why: string): void => {
    ended = why
    for (const each of fail) each(new NoAnswer(why))
  }
  const reader = createLineReader((bytes) => {
    const message = readMessage(bytes)
    if (message.kind === 'response' && message.id !== null) waiting.get(idKey(message.id))?.(message)
  }, MAX_MESSAGE)
  output.on('data', (chunk: Uint8Array) => reader.push(chunk))
  const ends = { input, output }
  const run = reached.kind === 'url' ? runHttpClient(reached.server, ends, PLAIN) : runStdio(reached.server, ends, PLAIN)
  const over = run.then(
    () => end('the server ended before it answered'),
    (error: unknown) => end(`the server cannot be started: ${error instanceof Error ? error.message : String(error)}`),
  )
  const send = (message: JsonObject): void => void input.write(`${JSON.stringify(message)}\n`)
  return {
    send,
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended !== null) return reject(new NoAnswer(ended))
        count += 1
        const id = count
        const done = (): void => {
          clearTimeout(timer)
          waiting.delete(idKey(id))
          fail.delete(refuse)
        }
        const refuse = (why: NoAnswer): void => {
          done()
          reject(why)
        }
        const timer = setTimeout(() => refuse(new NoAnswer(`the server did not answer within ${PATIENCE_MS / 1_000} seconds`)), PATIENCE_MS)
        fail.add(refuse)
        waiting.set(idKey(id), (answer) => {
          done()
          resolve(answer)
        })
        send({ jsonrpc: '2.0', id, method, params })
      }),
    close: async () => {
      input.end()
      await over
    },
  }
}

/** Everything goes on: nothing is called. */
const PLAIN: Traffic = {
  fromClient: (bytes) => ({ kind: 'forward', bytes }),
  fromServer: (bytes) => [bytes],
  cancel: () => {},
  serverGone: () => [],
  waits: () => false,
  unanswered: (id, _scope, why) => errorAnswer(id, INTERNAL_ERROR, why),
  client: () => ({ name: null, capabilities: {} }),
  headersOf: () => [],
}

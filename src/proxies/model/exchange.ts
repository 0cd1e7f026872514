/** One answer on its way: events as they come, whole bodies once they are there. What is not decided does not leave. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Judge, ModelApi, Output, StreamRewriter } from './api.ts'
import { unknownStream, unknownWhole } from './generic.ts'
import { locate } from './json.ts'
import type { Reply, ReplyHead } from './reply.ts'
import { type Frame, FrameReader, FrameTooLong } from './sse.ts'
import { type Headers, responseHeaders } from './upstream.ts'

/** Bytes of a whole answer. */
export const MAX_ANSWER = 64 * 1024 * 1024

export interface Exchange {
  readonly reply: Reply
  /** Null: an API that is not known. */
  readonly api: ModelApi | null
  readonly judge: Judge
  /** What takes the place of the answer because of what was decided, as in strict mode; null: nothing does. */
  readonly instead: () => Promise<Instead | null>
  /** Headers of ours, as of now. */
  readonly headers: () => Headers
}

export interface Instead {
  /** For an answer that has not begun. */
  readonly whole: { readonly status: number; readonly headers: Headers; readonly body: string }
  /** For a stream that has. */
  readonly stream: Buffer
}

export interface Answer {
  readonly head: Pick<IncomingMessage, 'statusCode' | 'headers'>
  readonly body: Readable
}

/** Sends the answer on event by event. */
export async function answerStream({ head, body }: Answer, exchange: Exchange): Promise<void> {
  const { reply, api, judge } = exchange
  reply.begin(headOf(head, exchange))
  const rewriter = api === null ? unknownStream(judge) : api.stream(judge)
  const reader = new FrameReader()
  const pump = new Pump(rewriter, exchange)
  try {
    for await (const chunk of body) if (!(await pump.frames(reader.push(chunk as Buffer)))) return
    const rest = reader.rest()
    if (rest !== null && !(await pump.frames([rest]))) return
  } catch (error) {
    if (reply.finished) return
    await pump.cut(error)
    return
  }
  await pump.ended()
}

class Pump {
  private readonly rewriter: StreamRewriter
  private readonly exchange: Exchange

  constructor(rewriter: StreamRewriter, exchange: Exchange) {
    this.rewriter = rewriter
    this.exchange = exchange
  }

  /** False: the answer is over. */
  async frames(frames: readonly Frame[]): Promise<boolean> {
    const { reply } = this.exchange
    let ready: (Buffer | string)[] = []
    for (const frame of frames) {
      const out = this.rewriter.frame(frame)
      if (!(out instanceof Promise)) {
        ready.push(...out)
        continue
      }
      // Nothing that may go on waits for a decision.
      await this.send(ready)
      ready = []
      const late = await out
      if (reply.finished || (await this.stopped())) return false
      ready.push(...late)
    }
    await this.send(ready)
    return !reply.finished
  }

  async ended(): Promise<void> {
    const out = await this.rewriter.end('ended')
    if (await this.stopped()) return
    await this.send(out)
    this.exchange.reply.end()
  }

  /** A call that was cut is not sent on; without one the connection breaks as the upstream's did. */
  async cut(error: unknown): Promise<void> {
    if (error instanceof FrameTooLong)
      await this.exchange.judge.unjudged({ why: 'uninspected', what: error.message, name: null, sample: '' })
    const out = await this.rewriter.end('cut')
    if (await this.stopped()) return
    await this.send(out)
    if (out.length === 0) this.exchange.reply.destroy()
    else this.exchange.reply.end()
  }

  private async stopped(): Promise<boolean> {
    const instead = await this.exchange.instead()
    if (instead === null) return false
    const { reply } = this.exchange
    if (!reply.finished) {
      reply.write(instead.stream)
      reply.end()
    }
    return true
  }

  private async send(out: Output): Promise<void> {
    if (out.length === 0) return
    const [first] = out
    const bytes = out.length === 1 && first !== undefined ? first : Buffer.concat(out.map((each) => Buffer.from(each)))
    await this.exchange.reply.write(bytes)
  }
}

/** Sends the answer on once all of it is there and decided. */
export async function answerWhole({ head, body }: Answer, exchange: Exchange): Promise<void> {
  const { reply, judge } = exchange
  const bytes = await collected(body)
  if (reply.finished) return
  if (bytes === 'broken') return fault(exchange, 502, 'The model API broke the connection.')
  if (bytes === 'too long') {
    await judge.unjudged({ why: 'uninspected', what: `an answer of more than ${MAX_ANSWER} bytes`, name: null, sample: '' })
    return fault(exchange, 502, 'The answer of the model API is too long to be looked into.')
  }
  const text = await inspected(bytes, exchange)
  if (reply.finished) return
  const instead = await exchange.instead()
  if (instead !== null) return finish(reply, { ...instead.whole, headers: { ...instead.whole.headers, ...exchange.headers() } })
  if (text === null) return fault(exchange, 403, WITHHELD)
  const { status, headers } = headOf(head, exchange)
  finish(reply, { status, headers, body: text })
}

const WITHHELD = 'The answer of the model could not be checked for tool calls, so it was withheld by policy.'

/** The very bytes where nothing is changed. */
async function inspected(bytes: Buffer, { api, judge }: Exchange): Promise<Buffer | string | null> {
  if (bytes.length === 0) return bytes
  const text = decode(bytes)
  if (text !== null && api === null) return (await unknownWhole(text, judge)) === null ? null : bytes
  const located = text === null ? null : locate(text)
  const result = located === null || api === null ? null : await api.whole(located, judge)
  if (result !== null) return result === text ? bytes : result
  const ruling = await judge.unjudged({ why: 'uninspected', what: 'an answer that cannot be read', name: null, sample: text ?? '' })
  return ruling.kind === 'run' ? bytes : null
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

async function collected(body: Readable): Promise<Buffer | 'broken' | 'too long'> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > MAX_ANSWER) return 'too long'
    }
  } catch {
    return 'broken'
  }
  return Buffer.concat(chunks)
}

export function headOf({ statusCode = 502, headers }: Answer['head'], exchange: Pick<Exchange, 'headers'>): ReplyHead {
  return { status: statusCode, headers: { ...responseHeaders(headers), ...exchange.headers() } }
}

/** An error of ours in the words of the API. */
export function fault({ reply, api, headers }: Pick<Exchange, 'reply' | 'api' | 'headers'>, status: number, message: string): void {
  const body = JSON.stringify(api === null ? { error: { message } } : api.fault(status, message))
  finish(reply, { status, headers: { 'content-type': 'application/json', ...headers() }, body })
}

/** Where signs of life went out already the head did, too: then only the body is left to say. */
export function finish(
  reply: Reply,
  { status, headers, body }: { status: number; headers: ReplyHead['headers']; body: Buffer | string },
): void {
  const bytes = Buffer.from(body)
  reply.begin({ status, headers: { ...headers, 'content-length': String(bytes.length) } })
  reply.write(bytes)
  reply.end()
}

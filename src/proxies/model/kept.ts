/**
 * Answers that wait for people while their client does not: who sends the same request again gets that answer, decided anew, and
 * not another one of the model.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Answer } from './exchange.ts'

/** Bytes of one answer that is kept. */
const MAX_BYTES = 1024 * 1024

export interface KeptAnswer {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** Keeps the bytes of an answer as it is read. */
export class Keeper {
  private readonly chunks: Buffer[] = []
  private size = 0
  private readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }

  /** The same answer; who stops reading it leaves it open. */
  get reading(): Answer {
    return { head: this.answer.head, body: Readable.from(this.chunksOf()) }
  }

  /** All of it, what nobody read included; null where it is too long or broke off. */
  async rest(until: number): Promise<KeptAnswer | null> {
    try {
      for await (const chunk of this.answer.body.iterator({ destroyOnReturn: false })) this.add(chunk as Buffer)
    } catch {
      return null
    }
    if (this.size > MAX_BYTES) return null
    const { 'content-encoding': _encoding, ...headers } = this.answer.head.headers
    return { statusCode: this.answer.head.statusCode ?? 200, headers, bytes: Buffer.concat(this.chunks), until }
  }

  private async *chunksOf(): AsyncGenerator<Buffer> {
    for await (const chunk of this.answer.body.iterator({ destroyOnReturn: false })) {
      this.add(chunk as Buffer)
      yield chunk as Buffer
    }
  }

  private add(chunk: Buffer): void {
    this.size += chunk.length
    if (this.size <= MAX_BYTES) this.chunks.push(chunk)
  }
}

export function answerOf({ statusCode, headers, bytes }: KeptAnswer): Answer {
  return { head: { statusCode, headers }, body: Readable.from([bytes]) }
}

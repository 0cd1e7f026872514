/**
 * Answers to the requests of a session as streams of numbered events (MCP 2025-11-25): a client that lost its line asks for the rest. What it
 * may ask for is kept for a while, and within bounds.
 */
import type { ServerResponse } from 'node:http'
import { errorAnswer, INTERNAL_ERROR } from '../answers.ts'
import type { Id } from '../message.ts'
import { createReply, EVENT_STREAM, eventOf, type Reply } from './reply.ts'

/** Where an answer goes. */
export interface Line {
  readonly reply: Reply
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** The line of a client that cannot come back. */
export function plainLine(response: ServerResponse, events: boolean): Line {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return { reply: createReply(response, events), signal: gone.signal }
}

export interface Streams {
  /** The line of a request; it becomes a stream once its answer takes a moment. */
  readonly open: (id: Id, response: ServerResponse) => Line
  /** Goes on with a stream behind the event of this id; false: there is no such stream. */
  readonly resume: (last: string, response: ServerResponse) => boolean
  /** The session is over. */
  readonly end: () => void
}

export interface StreamLimits {
  /** Milliseconds that a stream waits for its client, and that its answer is kept. */
  readonly patience: number
  /** Bytes of all events that are kept. */
  readonly room: number
}

export const STREAM_LIMITS: StreamLimits = { patience: 30_000, room: 64 * 1024 * 1024 }

/** Milliseconds after which a client is told how to come back: most answers are there before. */
const SOON_MS = 20
/** Milliseconds after which it should. */
const RETRY_MS = 1_000
/** Events beside its answer that are kept of a stream: the newest. */
const MAX_TOLD = 100
/** What an event takes beside its bytes. */
const OVERHEAD = 500

const NOT_KEPT = 'the answer came while nobody listened, and there was no room to keep it; the call may have run'

/** Room for what all sessions keep; where it is short, what was answered the longest ago goes first: it was most likely heard. */
export interface Room {
  readonly take: (size: number) => boolean
  readonly free: (size: number) => void
  readonly answered: Set<{ readonly shrink: () => void }>
}

export function createRoom(max: number): Room {
  let kept = 0
  const answered: Room['answered'] = new Set()
  return {
    answered,
    take: (size) => {
      if (size > max) return false
      for (const oldest of answered) {
        if (kept + size <= max) break
        oldest.shrink()
      }
      if (kept + size > max) return false
      kept += size
      return true
    },
    free: (size) => {
      kept -= size
    },
  }
}

export function createStreams({ patience }: StreamLimits, room: Room): Streams {
  const streams = new Map<string, Stream>()
  let count = 0
  return {
    open: (id, response) => {
      count += 1
      const name = String(count)
      const stream = new Stream({ id, name, patience, room, forgotten: () => streams.delete(name) })
      streams.set(name, stream)
      return stream.opened(response)
    },
    resume: (last, response) => {
      const [, name = '', number = ''] = /^(\d{1,15})-(\d{1,15})$/.exec(last) ?? []
      return streams.get(name)?.resumed(response, Number(number)) ?? false
    },
    end: () => {
      for (const stream of streams.values()) stream.forget()
    },
  }
}

interface StreamParts {
  /** Of the request. */
  readonly id: Id
  readonly name: string
  readonly patience: number
  readonly room: Room
  readonly forgotten: () => void
}

interface Kept {
  readonly number: number
  /** As it is sent. */
  readonly event: Buffer
  /** Bytes of room that it takes. */
  readonly size: number
}

class Stream {
  private readonly parts: StreamParts
  private readonly gone = new AbortController()
  private kept: Kept[] = []
  /** Of the last event; null: nothing was numbered yet. */
  private number: number | null = null
  private line: ServerResponse | null = null
  private timer: NodeJS.Timeout | null = null
  private over = false

  constructor(parts: StreamParts) {
    this.parts = parts
  }

  opened(response: ServerResponse): Line {
    const plain = createReply(response, true)
    this.attach(response)
    this.wait(SOON_MS, () => this.begin(response))
    const answer = (bytes: Uint8Array): void => {
      if (this.over) return
      this.send(bytes)
      this.finish()
    }
    const begun = (): boolean => this.number !== null
    const reply: Reply = {
      response,
      streaming: begun,
      tell: (bytes) => {
        this.begin(response)
        if (!this.over) this.send(bytes)
      },
      answer: (bytes, status, headers) => {
        if (begun()) return answer(bytes)
        this.forget()
        plain.answer(bytes, status, headers)
      },
      answerAsEvent: (bytes) => {
        this.begin(response)
        answer(bytes)
      },
      end: (status, headers) => {
        const { line } = this
        this.forget()
        if (begun()) line?.end()
        else plain.end(status, headers)
      },
    }
    return { reply, signal: this.gone.signal }
  }

  /** False where the client cannot have seen this event. */
  resumed(response: ServerResponse, last: number): boolean {
    if (this.number === null || last > this.number) return false
    // The client knows better than we that the old line is dead.
    const before = this.line
    this.attach(response)
    before?.destroy()
    response.writeHead(200, EVENT_STREAM)
    response.flushHeaders()
    for (const { number, event } of this.kept) if (number > last) response.write(event)
    if (this.over) this.finish()
    else this.wait(null)
    return true
  }

  /** Of an answer, only that there was one. */
  shrink(): void {
    const number = this.number ?? 0
    this.empty()
    const event = this.numbered(number, errorAnswer(this.parts.id, INTERNAL_ERROR, NOT_KEPT))
    this.kept = [{ number, event, size: 0 }]
  }

  /** Nobody can come back to it. */
  forget(): void {
    this.over = true
    this.wait(null)
    this.empty()
    this.parts.forgotten()
  }

  private empty(): void {
    for (const { size } of this.kept) this.parts.room.free(size)
    this.kept = []
    this.parts.room.answered.delete(this)
  }

  private attach(response: ServerResponse): void {
    this.line = response
    response.once('close', () => {
      if (this.line !== response) return
      this.line = null
      if (this.over) return
      if (this.number === null) this.leave()
      else this.wait(this.parts.patience, () => this.leave())
    })
  }

  /** The client did not come back, or cannot. */
  private leave(): void {
    this.forget()
    this.gone.abort()
  }

  private begin(response: ServerResponse): void {
    if (this.number !== null || this.over) return
    this.wait(null)
    this.number = 0
    response.writeHead(200, EVENT_STREAM)
    response.write(`id: ${this.parts.name}-0\nretry: ${RETRY_MS}\ndata: \n\n`)
  }

  private send(bytes: Uint8Array): void {
    this.number = (this.number ?? 0) + 1
    const { number } = this
    const event = this.numbered(number, bytes)
    this.line?.write(event)
    const size = event.length + OVERHEAD
    if (this.parts.room.take(size)) this.kept.push({ number, event, size })
    if (this.kept.length > MAX_TOLD + 1) this.parts.room.free(this.kept.shift()?.size ?? 0)
  }

  private numbered(number: number, bytes: Uint8Array): Buffer {
    return Buffer.concat([Buffer.from(`id: ${this.parts.name}-${number}\n`), eventOf(bytes)])
  }

  /** Everything was said; it is kept for who may not have heard it. */
  private finish(): void {
    this.over = true
    this.line?.end()
    if (this.kept.at(-1)?.number === this.number) this.parts.room.answered.add(this)
    else this.shrink()
    this.wait(this.parts.patience, () => this.forget())
  }

  /** Acts once this time is over, and not at what was waited for before. */
  private wait(time: number | null, act: () => void = () => {}): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = time === null ? null : setTimeout(act, time).unref()
  }
}

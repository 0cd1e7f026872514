/**
 * The answer to a client that may be away for a while. Clients give up on a silent answer and send their request again: while a
 * call waits for people the answer is kept, and whoever sends the same request gets that one, from its first byte.
 */
import type { ServerResponse } from 'node:http'

/** Bytes of an answer that are kept for a client that comes back; of a longer one nothing is. */
const MAX_KEPT = 4 * 1024 * 1024

export interface ReplyHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
}

export class Reply {
  private response: ServerResponse | null = null
  private head: ReplyHead | null = null
  private kept: Buffer[] | null = []
  private size = 0
  private over = false
  private holds = 0
  private readonly backs = new Set<() => void>()
  /** Told once nobody waits for the answer any more. */
  onGone: () => void = () => {}
  /** Told when the client left while a call waits. */
  onAway: () => void = () => {}

  constructor(response: ServerResponse) {
    this.take(response)
  }

  get attached(): boolean {
    return this.response !== null
  }

  get begun(): boolean {
    return this.head !== null
  }

  get finished(): boolean {
    return this.over
  }

  /** Another request for the same answer. False where it cannot be given again. */
  attach(response: ServerResponse): boolean {
    if (this.attached || this.over || this.kept === null) return false
    this.take(response)
    if (this.head !== null) response.writeHead(this.head.status, { ...this.head.headers })
    for (const bytes of this.kept) response.write(bytes)
    for (const back of this.backs) back()
    return true
  }

  begin(head: ReplyHead): void {
    if (this.head !== null) return
    this.head = head
    this.response?.writeHead(head.status, { ...head.headers })
    // A client that sees the head waits on.
    this.response?.flushHeaders()
  }

  /** Resolves once there is room for more. */
  write(bytes: Buffer | string): Promise<void> | undefined {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    if (buffer.length === 0) return undefined
    this.keep(buffer)
    const { response } = this
    if (response === null || response.write(buffer)) return undefined
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done)
        response.off('close', done)
        resolve()
      }
      response.once('drain', done)
      response.once('close', done)
    })
  }

  end(): void {
    this.over = true
    this.kept = null
    this.response?.end()
  }

  /** The connection breaks, as that of the upstream did. */
  destroy(): void {
    this.over = true
    this.kept = null
    this.response?.destroy()
  }

  /** While this is on the answer outlives its client. */
  hold(on: boolean): void {
    this.holds += on ? 1 : -1
    if (this.holds === 0 && !this.attached && !this.over) this.leave()
  }

  /** True once a client waits for the answer; false where none came within this time. */
  back(milliseconds: number): Promise<boolean> {
    if (this.attached) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (there: boolean): void => {
        clearTimeout(timer)
        this.backs.delete(back)
        resolve(there)
      }
      const back = (): void => end(true)
      const timer = setTimeout(() => end(false), milliseconds)
      this.backs.add(back)
    })
  }

  private take(response: ServerResponse): void {
    this.response = response
    response.once('close', () => {
      if (this.response !== response) return
      this.response = null
      if (this.over) return
      if (this.holds > 0 && this.kept !== null) this.onAway()
      else this.leave()
    })
  }

  private leave(): void {
    this.over = true
    this.kept = null
    this.onGone()
  }

  private keep(bytes: Buffer): void {
    if (this.kept === null) return
    this.size += bytes.length
    if (this.size > MAX_KEPT) this.kept = null
    else this.kept.push(bytes)
  }
}

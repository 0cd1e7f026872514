/** The beginning and the end of an output, however long it is: the middle of a long log says least. */

export class Output {
  readonly #half: number
  readonly #head: Buffer[] = []
  #tail: Buffer = Buffer.alloc(0)
  #headSize = 0
  #left = 0

  /** @param most bytes to keep. */
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  add(chunk: Buffer): void {
    const room = this.#half - this.#headSize
    const first = chunk.subarray(0, Math.max(0, room))
    if (first.length > 0) {
      this.#head.push(first)
      this.#headSize += first.length
    }
    const rest = chunk.subarray(first.length)
    if (rest.length === 0) return
    const joined = Buffer.concat([this.#tail, rest.subarray(-this.#half)])
    const kept = joined.subarray(-this.#half)
    this.#left += this.#tail.length + rest.length - kept.length
    this.#tail = Buffer.from(kept)
  }

  /** True where something was left out. */
  get cut(): boolean {
    return this.#left > 0
  }

  /**
   * As text; bytes that are none are shown as replacement characters. Where something is left out, the lines beside the gap go with it:
   * half of a secret would look like none.
   */
  text(): string {
    if (this.#left === 0) return Buffer.concat([...this.#head, this.#tail]).toString('utf8')
    const head = Buffer.concat(this.#head)
    const before = head.subarray(0, head.lastIndexOf(NEWLINE) + 1)
    const after = this.#tail.subarray(this.#tail.indexOf(NEWLINE) + 1)
    const whole = after.length === this.#tail.length ? Buffer.alloc(0) : after
    const left = this.#left + head.length - before.length + this.#tail.length - whole.length
    return `${before.toString('utf8')}[${left} bytes left out]\n${whole.toString('utf8')}`
  }
}

const NEWLINE = 10

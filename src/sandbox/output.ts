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

  /** As text; bytes that are none are shown as replacement characters. */
  text(): string {
    const head = Buffer.concat(this.#head).toString('utf8')
    const tail = this.#tail.toString('utf8')
    return this.#left === 0
      ? Buffer.concat([...this.#head, this.#tail]).toString('utf8')
      : `${head}\n[${this.#left} bytes left out]\n${tail}`
  }
}

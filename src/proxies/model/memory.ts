/** What is remembered for a while: of so many things the latest. */
export class Memory<T> {
  private readonly known = new Map<string, T>()
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get(key: string): T | undefined {
    return this.known.get(key)
  }

  set(key: string, value: T): void {
    this.known.delete(key)
    this.known.set(key, value)
    const [oldest] = this.known.keys()
    if (this.known.size > this.most && oldest !== undefined) this.known.delete(oldest)
  }

  delete(key: string): void {
    this.known.delete(key)
  }
}

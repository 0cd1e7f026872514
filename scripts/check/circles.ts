/** Circles in a graph of imports: groups of files each of which leads to every other (Tarjan). */
export function circles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const search = new Search(graph)
  for (const path of graph.keys()) search.visit(path)
  return search.found
}

class Search {
  readonly found: string[][] = []
  private readonly graph: ReadonlyMap<string, readonly string[]>
  private readonly order = new Map<string, number>()
  private readonly stack: string[] = []

  constructor(graph: ReadonlyMap<string, readonly string[]>) {
    this.graph = graph
  }

  /** The lowest number of a file that can be reached and has no group yet. */
  visit(path: string): number {
    const seen = this.order.get(path)
    if (seen !== undefined) return this.stack.includes(path) ? seen : Number.POSITIVE_INFINITY
    const number = this.order.size
    this.order.set(path, number)
    this.stack.push(path)
    const lowest = Math.min(number, ...(this.graph.get(path) ?? []).map((next) => this.reach(next)))
    if (lowest === number) this.close(path)
    return lowest
  }

  private reach(path: string): number {
    return this.graph.has(path) ? this.visit(path) : Number.POSITIVE_INFINITY
  }

  /** Everything above it on the stack is its group. */
  private close(path: string): void {
    const group = this.stack.splice(this.stack.indexOf(path))
    if (group.length > 1 || this.graph.get(path)?.includes(path) === true) this.found.push(group)
  }
}

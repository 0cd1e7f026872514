import { either, type Value } from './value.ts'

/** Variables while code is followed. A branch writes into a layer of its own, which is merged when it ends. */
export class Environment {
  private readonly variables = new Map<string, Value>()
  readonly parent: Environment | null
  /** Assignments of a branch stay in it until they are merged. */
  private readonly branch: boolean

  constructor(parent: Environment | null = null, branch = false) {
    this.parent = parent
    this.branch = branch
  }

  get(name: string): Value | undefined {
    let scope: Environment | null = this
    while (scope !== null) {
      const value = scope.variables.get(name)
      if (value !== undefined) return value
      scope = scope.parent
    }
    return undefined
  }

  set(name: string, value: Value): void {
    this.variables.set(name, value)
  }

  /** Assigns to an enclosing function's variable where one is known, as closures do. */
  assign(name: string, value: Value): void {
    let scope: Environment | null = this
    while (scope !== null) {
      if (scope.variables.has(name) || scope.branch) break
      scope = scope.parent
    }
    ;(scope ?? this).variables.set(name, value)
  }

  /** Takes over what branches left behind: each variable may be what any of them made it, or what it was before. */
  merge(branches: readonly Environment[], before: boolean): void {
    const names = new Set(branches.flatMap((b) => [...b.variables.keys()]))
    for (const name of names) {
      const values = branches.map((b) => b.variables.get(name)).filter((v) => v !== undefined)
      const old = this.get(name)
      const kept = old !== undefined && (before || values.length < branches.length)
      this.set(name, either(kept ? [old, ...values] : values))
    }
  }

  names(): readonly string[] {
    return [...this.variables.keys()]
  }
}

import { either, options, UNKNOWN, type Value } from './value.ts'

/** Variables while code is followed. A branch writes into a layer of its own, which is merged when it ends. */
export class Environment {
  private readonly variables = new Map<string, Value>()
  /** How often a function changed what is outside of it. */
  changes = 0
  readonly parent: Environment | null
  /** Assignments of a branch stay in it until they are merged; those of a function are its own. */
  private readonly kind: 'plain' | 'branch' | 'function'

  constructor(parent: Environment | null = null, kind: 'plain' | 'branch' | 'function' = 'plain') {
    this.parent = parent
    this.kind = kind
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

  /** Assigns where the name is known; a variable outside the function may then be either. */
  assign(name: string, value: Value): void {
    // Ruby's instance variables outlive the method.
    if (name.startsWith('@')) {
      this.keep(name, value)
      return
    }
    let scope: Environment = this
    while (!scope.variables.has(name) && scope.kind === 'plain' && scope.parent !== null) scope = scope.parent
    if (scope.kind === 'function' && !scope.variables.has(name)) scope.parent?.weaken(name, value)
    scope.variables.set(name, value)
  }

  private keep(name: string, value: Value): void {
    let scope: Environment = this
    while (scope.parent !== null) scope = scope.parent
    const old = scope.variables.get(name)
    scope.variables.set(name, old === undefined ? value : either([old, value]))
  }

  private weaken(name: string, value: Value): void {
    let scope: Environment | null = this
    while (scope !== null) {
      const old = scope.variables.get(name)
      if (old !== undefined) {
        scope.variables.set(name, either([old, value]))
        this.root().changes++
        return
      }
      scope = scope.parent
    }
  }

  root(): Environment {
    let scope: Environment = this
    while (scope.parent !== null) scope = scope.parent
    return scope
  }

  /** Each variable for which this holds may be anything from now on, wherever it stands. */
  blur(concerns: (name: string, value: Value) => boolean): void {
    for (let scope: Environment | null = this; scope !== null; scope = scope.parent)
      for (const [name, value] of scope.variables) if (concerns(name, value)) scope.variables.set(name, either([value, UNKNOWN]))
  }

  /** Whether one of the variables of this branch is something else than it was outside, such as the next round of a loop finds. */
  differs(): boolean {
    for (const [name, value] of this.variables) {
      const before = this.parent?.get(name)
      if (before === undefined || before === value || value.kind === 'number' || value.kind === 'list' || value.kind === 'dict') continue
      if (either([before, value]).kind === 'any') return true
    }
    return false
  }

  /** Texts that this branch assigned are anything from now on where it came from, as behind many more rounds of a loop. */
  loosen(): void {
    for (const name of this.variables.keys()) {
      const before = this.parent?.get(name)
      if (before !== undefined && options(before).some(({ kind }) => kind === 'text')) this.parent?.set(name, UNKNOWN)
    }
  }

  /** Takes over what branches left behind: each variable may be what any of them made it, or what it was before. */
  merge(branches: readonly Environment[], before: boolean): void {
    if (branches.every((b) => b.variables.size === 0)) return
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

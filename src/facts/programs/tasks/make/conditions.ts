import { isKnown } from './expand.ts'
import { type Conditional, conditionalOf } from './lines.ts'

/** `ifeq … else … endif`: which lines of a makefile count. Where a condition is not known, each reading takes another of its branches. */

interface Open {
  /** It stands in a branch that does not count. */
  readonly ignored: boolean
  /** One of its branches was taken, and its condition known. */
  settled: boolean
  /** The branch that this reading takes, where a condition is not known; else null. */
  chosen: number | null
  branch: number
  active: boolean
}

/** How many branches each chain has, the one that is not written included; by the index of its first line. */
export function branchesOf(lines: readonly string[]): ReadonlyMap<number, number> {
  const totals = new Map<number, number>()
  const open: { readonly start: number; count: number; closed: boolean }[] = []
  for (const [at, line] of lines.entries()) {
    const found = conditionalOf(line)
    if (found === null) continue
    const chain = open.at(-1)
    if (found === 'endif') {
      const ended = open.pop()
      if (ended !== undefined) totals.set(ended.start, ended.count + (ended.closed ? 0 : 1))
    } else if (found.kind === 'if') open.push({ start: at, count: 1, closed: false })
    else if (chain !== undefined) {
      chain.count += 1
      if (found.test === null) chain.closed = true
    }
  }
  return totals
}

export class Conditions {
  /** Readings that there are, of the chain that has most. */
  readings = 1
  readonly #reading: number
  readonly #holds: (test: string) => boolean | null
  readonly #open: Open[] = []

  /** @param holds whether a condition holds; null where that is not known */
  constructor(reading: number, holds: (test: string) => boolean | null) {
    this.#reading = reading
    this.#holds = holds
  }

  /** The lines that follow count. */
  get active(): boolean {
    return this.#open.at(-1)?.active ?? true
  }

  /** @param total branches of the chain that begins here */
  enter(found: Conditional | 'endif', total: number): void {
    if (found === 'endif') this.#open.pop()
    else if (found.kind === 'if') this.#begin(found.test, total)
    else this.#next(found.test, total)
  }

  #begin(test: string, total: number): void {
    const ignored = !this.active
    const holds = ignored ? false : this.#holds(test)
    const chosen = holds === null ? this.#choose(total) : null
    this.#open.push({ ignored, settled: holds === true, chosen, branch: 0, active: chosen === null ? holds === true : chosen === 0 })
  }

  #next(test: string | null, total: number): void {
    const chain = this.#open.at(-1)
    if (chain === undefined || chain.ignored) return
    chain.branch += 1
    if (chain.chosen !== null) chain.active = chain.branch === chain.chosen
    else if (chain.settled) chain.active = false
    else {
      const holds = test === null ? true : this.#holds(test)
      if (holds === null) chain.chosen = chain.branch + this.#choose(Math.max(1, total - chain.branch))
      chain.settled = holds === true
      chain.active = chain.chosen === null ? chain.settled : chain.chosen === chain.branch
    }
  }

  #choose(total: number): number {
    this.readings = Math.max(this.readings, total)
    return this.#reading % Math.max(1, total)
  }
}

/** What `ifeq` and `ifdef` compare: two texts, or a name. */
export type Test = { readonly negated: boolean } & ({ readonly left: string; readonly right: string } | { readonly name: string })

/** Null for what make does not read. */
export function testOf(text: string): Test | null {
  const [, word = '', behind = ''] = /^if(n?eq|n?def)([\s\S]*)/.exec(text) ?? []
  const rest = behind.trim()
  const negated = word.startsWith('n')
  if (word.endsWith('def')) return rest === '' ? null : { negated, name: rest }
  const quoted = /^(?:"([^"]*)"|'([^']*)')\s*(?:"([^"]*)"|'([^']*)')\s*$/.exec(rest)
  if (quoted !== null) return { negated, left: quoted[1] ?? quoted[2] ?? '', right: quoted[3] ?? quoted[4] ?? '' }
  if (!rest.startsWith('(')) return null
  const inside = rest.slice(1, rest.lastIndexOf(')') < 1 ? undefined : rest.lastIndexOf(')'))
  const comma = commaOf(inside)
  return comma < 0 ? null : { negated, left: inside.slice(0, comma).trim(), right: inside.slice(comma + 1).trim() }
}

function commaOf(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at]
    if (c === '(' || c === '{') depth += 1
    else if (c === ')' || c === '}') depth -= 1
    else if (c === ',' && depth === 0) return at
  }
  return -1
}

/** Whether two expanded texts are equal; null where that is not known. */
export function areEqual(left: string, right: string): boolean | null {
  return isKnown(left) && isKnown(right) ? left.trim() === right.trim() : null
}

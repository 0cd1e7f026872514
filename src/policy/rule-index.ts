/** Which rules a tool can meet: exact names in a map, patterns matched once per tool name, so that 10,000 rules cost what 10 do. */
import type { ToolPattern } from './glob.ts'
import { made } from './keep/recipes.ts'
import type { CompiledRule } from './policy.ts'

export interface IndexedRule {
  readonly rule: CompiledRule
  /** Null: every tool. */
  readonly pattern: ToolPattern | null
}

/** Tool names come from outside, so the memory of them is bounded. */
const MAX_REMEMBERED = 4_096

/** A lookup by tool over these rules; the answer keeps their order. */
export function indexRules(rules: readonly IndexedRule[]): (server: string | null, name: string) => readonly CompiledRule[] {
  const exact = new Map<string, number[]>()
  const wide: number[] = []
  for (const [place, { pattern }] of rules.entries()) {
    if (pattern?.exact == null) wide.push(place)
    else {
      const places = exact.get(pattern.exact)
      if (places === undefined) exact.set(pattern.exact, [place])
      else places.push(place)
    }
  }
  const find = (server: string | null, name: string): readonly CompiledRule[] => {
    const places = wide.filter((place) => rules[place]?.pattern?.matches(server, name) ?? true)
    const all = [...(exact.get(name) ?? []), ...places].toSorted((a, b) => a - b)
    return all.flatMap((place) => rules[place]?.rule ?? [])
  }
  return made(remembering(find), 'rule-index', rules)
}

type Find = (server: string | null, name: string) => readonly CompiledRule[]

function remembering(find: Find): Find {
  const byServer = new Map<string | null, Map<string, readonly CompiledRule[]>>()
  let remembered = 0
  return (server, name) => {
    const known = byServer.get(server)?.get(name)
    if (known !== undefined) return known
    const found = find(server, name)
    if (remembered >= MAX_REMEMBERED) {
      byServer.clear()
      remembered = 0
    }
    const names = byServer.get(server) ?? new Map<string, readonly CompiledRule[]>()
    byServer.set(server, names.set(name, found))
    remembered++
    return found
  }
}

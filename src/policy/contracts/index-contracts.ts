/** Which contracts a tool has: exact names in a map, patterns matched once per tool name, `server/name` as `mcp__server__name`. */
import { spellingsOf } from '../../core/tool-name.ts'
import { compileToolPattern, type ToolPattern } from '../glob.ts'
import { made } from '../keep/recipes.ts'
import type { Contract } from './model.ts'

type Find = (server: string | null, name: string) => readonly Contract[]

const NONE: readonly Contract[] = []
/** Tool names come from outside, so the memory of them is bounded. */
const MAX_REMEMBERED = 4_096

/**
 * A lookup by tool; constant time. A bare name holds for that name on every server, and a key with `*` or `?` for every name
 * that it matches: contracts only raise, so that one more can take nothing away.
 */
export function indexContracts(contracts: readonly Contract[]): Find {
  return made(contracts.length === 0 ? () => NONE : lookup(contracts), 'contract-index', contracts)
}

function lookup(contracts: readonly Contract[]): Find {
  const exact = new Map<string, Contract[]>()
  const wide: { readonly contract: Contract; readonly pattern: ToolPattern }[] = []
  for (const contract of contracts) {
    if (isPattern(contract.tool)) wide.push({ contract, pattern: compileToolPattern(contract.tool, { strict: false }) })
    else exact.set(contract.tool, [...(exact.get(contract.tool) ?? []), contract])
  }
  const named: Find = (server, name) => {
    const bare = exact.get(name) ?? NONE
    if (server === null) return bare
    const [qualified = NONE, prefixed = NONE] = spellingsOf({ server, name }).map((each) => exact.get(each))
    return qualified.length + prefixed.length === 0 ? bare : [...qualified, ...prefixed, ...bare]
  }
  if (wide.length === 0) return named
  return remembering((server, name) => [
    ...named(server, name),
    ...wide.flatMap(({ contract, pattern }) => (pattern.matches(server, name) ? [contract] : [])),
  ])
}

/** True for a key that stands for several tools. */
export function isPattern(tool: string): boolean {
  return /[*?]/.test(tool)
}

function remembering(find: Find): Find {
  const known = new Map<string, readonly Contract[]>()
  return (server, name) => {
    const key = JSON.stringify([server, name])
    const found = known.get(key) ?? find(server, name)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(key, found)
    return found
  }
}

/** Which contracts a tool has: `server/name` and `mcp__server__name` are one tool, and nobody borrows the contract of another. */
import type { Contract } from './model.ts'

const NONE: readonly Contract[] = []

/** A lookup by tool; constant time. A bare name holds for that name on every server. */
export function indexContracts(contracts: readonly Contract[]): (server: string | null, name: string) => readonly Contract[] {
  const byName = new Map<string, Contract[]>()
  for (const contract of contracts) {
    const known = byName.get(contract.tool)
    if (known === undefined) byName.set(contract.tool, [contract])
    else known.push(contract)
  }
  if (byName.size === 0) return () => NONE
  return (server, name) => {
    const bare = byName.get(name) ?? NONE
    if (server === null) return bare
    const qualified = [byName.get(`${server}/${name}`), byName.get(`mcp__${server}__${name}`)]
    const found = qualified.flatMap((each) => each ?? [])
    return found.length === 0 ? bare : [...found, ...bare]
  }
}

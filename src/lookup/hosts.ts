/** Looks host names up before a call is judged. `resolve` is handed in: this room opens nothing by itself. */

/** Every address of a name; rejects where it has none or nobody answers. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Longer, and the names of this call are not known. */
const LONGEST_MS = 1_000
const MAX_ADDRESSES = 32

/**
 * The addresses of each name, looked up once: what the decision sees is what it keeps. A name without an answer has none, so
 * that a guard which wants to know the address does not find a public one. Never rejects.
 */
export async function lookUpHosts(names: readonly string[], resolve: Resolve): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await Promise.all(names.map(async (name) => [name, await addressesOf(name, resolve)] as const))
  return new Map(found)
}

async function addressesOf(name: string, resolve: Resolve): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly string[]>((done) => {
    timer = setTimeout(() => done([]), LONGEST_MS)
  })
  try {
    return (await Promise.race([resolve(name), late])).slice(0, MAX_ADDRESSES)
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

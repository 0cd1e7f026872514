/** Which entry of the policy a tool goes by. */
import type { ToolCall } from '../core/call.ts'
import type { RegistrySection } from './policy.ts'

/**
 * Tries `server/name`, then the bare name. A server cannot borrow the entry of another one: its own name must not hold a slash,
 * and a bare entry with a slash is never its tool's.
 */
export function named<T>({ tool: { server, name } }: ToolCall, find: (key: string) => T | undefined | false): T | null {
  const qualified = server === null || server.includes('/') ? undefined : find(`${server}/${name}`)
  if (qualified !== undefined && qualified !== false) return qualified
  const bare = server !== null && name.includes('/') ? undefined : find(name)
  return bare === undefined || bare === false ? null : bare
}

/** Whether the policy itself says how grave the tool is. Families of known tools do not count. */
export function isRegistered(call: ToolCall, { tools }: RegistrySection): boolean {
  return named(call, (name) => tools.get(name)) !== null
}

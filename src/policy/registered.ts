/** Which entry of the policy a tool goes by. */
import type { ToolCall } from '../core/call.ts'
import type { Policy } from './policy.ts'

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

/** Whether the policy itself speaks of the tool: how grave it is, or what its arguments must be. Families of known tools do not count. */
export function isRegistered(call: ToolCall, { registry, contracts }: Pick<Policy, 'registry' | 'contracts'>): boolean {
  const { server, name } = call.tool
  return named(call, (key) => registry.tools.get(key)) !== null || contracts.forTool(server, name).length > 0
}

/** The same, or a rule names the tool, and no pattern, to let it run or to ask about it. */
export function isSpokenOf(call: ToolCall, policy: Pick<Policy, 'registry' | 'contracts' | 'rules'>): boolean {
  const rules = policy.rules.forTool(call.tool.server, call.tool.name)
  return rules.some(({ kind, filters }) => kind !== 'deny' && /^[^*?[{]+$/.test(filters.tool ?? '*')) || isRegistered(call, policy)
}

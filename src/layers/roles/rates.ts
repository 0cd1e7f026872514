/** Rates and calls in flight, counted in the store by every process (PIT-17). The layer looks, the record counts. */
import type { ToolCall } from '../../core/call.ts'
import type { Policy, RoleLimits } from '../../policy/policy.ts'
import type { LayerInput } from '../layer.ts'
import type { Breach } from './limits.ts'

/** The counter of a rate in the window that `now` falls into. */
export function rateCounter(limits: RoleLimits, call: ToolCall, now: number): readonly [string, ...string[]] {
  const window = limits.rate?.window ?? 1
  return [call.principal.tenant ?? '', 'rate', limits.id, String(Math.floor(now / window))]
}

type Counter = readonly [string, ...string[]]

/** The counter of calls of a tool that were let through and have not answered yet. */
export function flightCounter({ principal, tool }: Pick<ToolCall, 'principal' | 'tool'>): Counter {
  return [principal.tenant ?? '', 'flight', principal.role ?? '', tool.server ?? '', tool.name]
}

/** Those of every name that the tool has. */
export function flightCounters(call: ToolCall): readonly Counter[] {
  const others = (call.alsoNamed ?? []).map((name) => ({ ...call, tool: { ...call.tool, ...name } }))
  return [call, ...others].map(flightCounter)
}

export function overRate(limits: RoleLimits, { call, state }: LayerInput): Breach | null {
  if (limits.rate !== null) {
    const used = state.count(rateCounter(limits, call, state.now))
    if (used >= limits.rate.limit) {
      return { code: 'roles.rate', message: `${used} calls within ${limits.rate.window} ms, ${limits.rate.limit} are allowed` }
    }
  }
  if (limits.maxConcurrent !== null) {
    const running = state.count(flightCounter(call))
    if (running >= limits.maxConcurrent) {
      return { code: 'roles.concurrency', message: `${running} calls are running, ${limits.maxConcurrent} are allowed` }
    }
  }
  return null
}

/** Limits of the call's roles that name its tool. */
export function limitsOf({ roles }: Pick<Policy, 'roles'>, call: ToolCall): readonly RoleLimits[] {
  const { principal, tool, alsoNamed = [] } = call
  if (roles.size === 0) return []
  const own = principal.role === null ? [] : [roles.get(principal.role)]
  return [roles.get('*'), ...own]
    .flatMap((role) => [...(role?.policies ?? []), ...(role?.capabilities ?? [])])
    .filter((limits) => [tool, ...alsoNamed].some(({ server, name }) => limits.tool.matches(server, name)))
}

/** Those that count calls. */
export function countedLimits(policy: Pick<Policy, 'roles'>, call: ToolCall): readonly RoleLimits[] {
  return limitsOf(policy, call).filter((limits) => limits.rate !== null || limits.maxConcurrent !== null)
}

/** Asks the state providers of a policy before a call is judged. What does not answer in time is not known; nothing is permitted by it. */
import type { ToolCall } from '../core/call.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { ProviderBinding } from '../policy/contracts/model.ts'
import type { Policy } from '../policy/policy.ts'
import { type Fetch, lookUpHttp } from './http.ts'

/** A provider of the host program: answers what is known for these arguments, or undefined. */
export type StateProvider = (args: JsonObject, signal: AbortSignal) => Promise<Json | undefined>

export interface LookupParts {
  /** By the name under which the policy binds them. */
  readonly providers: ReadonlyMap<string, StateProvider>
  readonly fetch: Fetch
}

export type Answers = ReadonlyMap<string, Json>

const NOTHING: Answers = new Map()

/** Everything that the policy's providers know for this call, by provider. Never rejects. */
export async function lookUp({ tool, args }: ToolCall, policy: Policy, parts: LookupParts): Promise<Answers> {
  const names = tool.server === null ? [tool.name] : [`${tool.server}/${tool.name}`, `mcp__${tool.server}__${tool.name}`, tool.name]
  const bound = policy.contracts.providers.filter((provider) => provider.tools.some((name) => names.includes(name)))
  if (bound.length === 0) return NOTHING
  const answers = await Promise.all(bound.map(async (provider) => [provider.name, await ask(provider, args, parts)] as const))
  return new Map(answers.filter((answer): answer is readonly [string, Json] => answer[1] !== undefined))
}

async function ask(
  { name, http, timeoutMs }: ProviderBinding,
  args: JsonObject,
  { providers, fetch }: LookupParts,
): Promise<Json | undefined> {
  const provider = providers.get(name)
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
  const answer = async (): Promise<Json | undefined> => {
    if (provider !== undefined) return provider(args, signal)
    return http === null ? undefined : lookUpHttp(http, args, { fetch, signal })
  }
  try {
    return await Promise.race([answer(), late])
  } catch {
    return undefined
  }
}

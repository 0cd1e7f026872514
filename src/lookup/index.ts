/** Asks the state providers of a policy before a call is judged. What does not answer in time is not known; nothing is permitted by it. */
import type { ToolCall } from '../core/call.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { spellingsOf } from '../core/tool-name.ts'
import type { Unanswered } from '../core/unanswered.ts'
import type { ProviderBinding } from '../policy/contracts/model.ts'
import type { Policy } from '../policy/policy.ts'
import { type Fetch, lookUpHttp } from './http.ts'
import { NothingFound } from './nothing.ts'
import { lookUpSql, type SqlReaders } from './sql.ts'

/** A provider of the host program: answers what is known for these arguments, or undefined. */
export type StateProvider = (args: JsonObject, signal: AbortSignal) => Promise<Json | undefined>

export interface LookupParts {
  /** By the name under which the policy binds them. */
  readonly providers: ReadonlyMap<string, StateProvider>
  readonly fetch: Fetch
  /** Absent: no database is read. */
  readonly sql?: { readonly readers: SqlReaders; readonly resolve: (file: string) => string }
  /** Told what became of a provider without an answer. */
  readonly unanswered?: (provider: string, what: Unanswered) => void
}

export type Answers = ReadonlyMap<string, Json>

const NOTHING: Answers = new Map()

/** Everything that the policy's providers know for this call, by provider. Never rejects. */
export async function lookUp({ tool, alsoNamed = [], args }: ToolCall, policy: Policy, parts: LookupParts): Promise<Answers> {
  const names = [tool, ...alsoNamed].flatMap(spellingsOf)
  const bound = policy.contracts.providers.filter((provider) => provider.tools.some((name) => names.includes(name)))
  if (bound.length === 0) return NOTHING
  const answers = await Promise.all(bound.map(async (provider) => [provider.name, await ask(provider, args, parts)] as const))
  return new Map(answers.filter((answer): answer is readonly [string, Json] => answer[1] !== undefined))
}

async function ask(
  { name, http, sql, timeoutMs }: ProviderBinding,
  args: JsonObject,
  { providers, fetch, sql: databases, unanswered }: LookupParts,
): Promise<Json | undefined> {
  const provider = providers.get(name)
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error(`there was no answer within ${timeoutMs} ms`)), { once: true }),
  )
  const answer = async (): Promise<Json | undefined> => {
    if (provider !== undefined) return provider(args, signal)
    if (sql !== null && databases !== undefined) return lookUpSql(sql, args, { ...databases, signal, timeoutMs })
    if (http !== null) return lookUpHttp(http, args, { fetch, signal })
    throw new Error(sql === null ? 'the program that runs the gate does not provide it' : 'databases are not read here')
  }
  try {
    const found = await Promise.race([answer(), late])
    if (found === undefined) unanswered?.(name, { why: 'there is no answer', failed: false })
    return found
  } catch (error) {
    unanswered?.(name, { why: error instanceof Error ? error.message : 'it failed', failed: !(error instanceof NothingFound) })
    return undefined
  }
}

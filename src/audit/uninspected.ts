/** What proxies could not look into, as they tell the log of it. */
import { isJsonObject, type Json, own } from '../core/json.ts'

export const PROXIES = ['mcp', 'model', 'acp', 'agents'] as const

export interface Uninspected {
  /** One of `PROXIES`. */
  readonly proxy: string
  readonly upstream: string
  readonly what: string
  /** It went on all the same, as the policy says. */
  readonly passed: boolean
  readonly count: number
}

/** Null: the body of the note tells of something else. */
export function uninspectedIn(body: Json): Uninspected | null {
  if (!isJsonObject(body) || own(body, 'event') !== 'uninspected') return null
  const { proxy, upstream, what, passed } = body
  // Older records have only how often it had been by then, one for each minute at most.
  const count = Number(own(body, 'count') ?? 1)
  return { proxy: String(proxy), upstream: String(upstream), what: String(what), passed: passed === true, count }
}

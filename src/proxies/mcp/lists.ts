/** Lists of tools: what a server says of a tool is known before a call of it is judged, whether its client asked for it or not. */
import type { ToolDefinition } from '../../core/call.ts'
import { type JsonObject, own } from '../../core/json.ts'
import { metaOf } from './answers.ts'
import type { Request } from './message.ts'
import type { Exchange, Shared } from './shared.ts'

/** Milliseconds that the server has for its list, and pages of it. */
const PATIENCE_MS = 10_000
const MAX_PAGES = 100

export interface Lists {
  /** The definition of the tool that is called; asks the server for its list where none is known. */
  readonly definitionOf: (name: string, call: Request, exchange: Exchange) => ToolDefinition | Promise<ToolDefinition>
}

export function createLists({ catalog, askServer }: Pick<Shared, 'catalog' | 'askServer'>): Lists {
  let fetching: Promise<void> | null = null
  const fetchAll = async (call: Request, exchange: Exchange): Promise<void> => {
    const signal = AbortSignal.any([exchange.signal, AbortSignal.timeout(PATIENCE_MS)])
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params: JsonObject = { ...(cursor === null ? {} : { cursor }), ...introduced(call) }
      const answer = await askServer('tools/list', params, { send: exchange.ask, signal })
      if (answer?.result === undefined) return
      cursor = catalog.learn(answer.result, page === 0)
      if (cursor === null) return
    }
  }
  return {
    definitionOf: (name, call, exchange) => {
      const known = catalog.definitionOf(name)
      if (known !== null) return known
      fetching ??= fetchAll(call, exchange).finally(() => {
        fetching = null
      })
      return fetching.then(() => catalog.definitionOf(name) ?? catalog.unlisted)
    },
  }
}

/** The stateless protocol has the client introduce itself in each request; where the call came from says it for ours, too. */
export function introduced({ params }: Request): JsonObject {
  const meta = metaOf(params)
  const kept = ['protocolVersion', 'clientInfo', 'clientCapabilities'].flatMap((name) => {
    const key = `io.modelcontextprotocol/${name}`
    const value = own(meta, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }
}

/** What servers offer, asked by ourselves. */
import type { JsonObject } from '../../core/json.ts'
import { listTools, NoAnswer } from '../../proxies/mcp/ask.ts'
import { UsageError } from '../terminal.ts'
import type { ServerEntry } from './config.ts'
import { lowered, startOf } from './start.ts'

export interface Offers {
  readonly name: string
  readonly server: ServerEntry
  readonly tools: readonly JsonObject[]
}

/** @throws {UsageError} where one of them does not answer. */
export function offersOf(servers: readonly ServerEntry[]): Promise<readonly Offers[]> {
  return Promise.all(
    servers.map(async (server) => {
      const reached =
        server.kind === 'url'
          ? ({ kind: 'url', server: { url: server.url, headers: lowered(server.headers) } } as const)
          : ({ kind: 'command', server: startOf(server) } as const)
      try {
        return { name: server.name, server, tools: await listTools(reached) }
      } catch (error) {
        if (error instanceof NoAnswer) throw new UsageError(`\`${server.name}\`: ${error.message}`)
        throw error
      }
    }),
  )
}

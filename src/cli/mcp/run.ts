import { isJsonObject, parseJson } from '../../core/json.ts'
import { sessionName } from '../../core/session-name.ts'
import { stateDirectory } from '../../open.ts'
import { runHttpClient } from '../../proxies/mcp/http/bridge.ts'
import { createChildren } from '../../proxies/mcp/http/children.ts'
import type { Behind } from '../../proxies/mcp/http/incoming.ts'
import { createReverse } from '../../proxies/mcp/http/reverse.ts'
import { createMcpServer } from '../../proxies/mcp/http/server.ts'
import { createSessions, type HttpCaller } from '../../proxies/mcp/http/sessions.ts'
import type { ClientFacts } from '../../proxies/mcp/shared.ts'
import { runStdio } from '../../proxies/mcp/stdio.ts'
import { type Address, addressText, isLoopback, reachable } from '../../server/daemon.ts'
import { listening, listeningOf, siteOf, stopped } from '../proxies/serving.ts'
import { EXIT, UsageError, visible, warn } from '../terminal.ts'
import { callersOf } from './callers.ts'
import { HEADERS_VARIABLE } from './clients/entry.ts'
import { expanded, readServers, type ServerEntry, urlOf } from './config.ts'
import { draft } from './draft.ts'
import { hostSession } from './host-process.ts'
import { compareLock } from './lock.ts'
import { openNeighbours } from './neighbours.ts'
import { entryOfCommand, entryOfUrl, type McpGate, openMcpGate } from './parts.ts'
import { lowered, startOf } from './start.ts'

export interface McpOptions {
  readonly policy?: string
  readonly session?: string
  readonly role?: string
  readonly agent?: string
  readonly name?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly config?: string
  readonly server?: string
  readonly listen?: string
  readonly draft?: boolean
  readonly out?: string
  readonly lock?: string
  readonly check?: boolean
  readonly write?: boolean
}

/** `countersign mcp`: stands between clients and servers until the client is gone, or until it is told to stop. */
export async function mcp(command: readonly string[], options: McpOptions): Promise<number> {
  const servers = serversOf(command, options)
  if (options.draft === true) return draft(servers, options.out ?? null)
  if (options.check === true || options.write === true) {
    if (options.lock === undefined) throw new UsageError('`--check` and `--write` are about a lock: name it with `--lock FILE`')
    return compareLock(options.lock, servers, options.write === true)
  }
  const house = openMcpGate(
    options,
    servers.map(({ name }) => name),
  )
  try {
    return options.listen === undefined ? await overStreams(servers, house, options) : await overHttp(servers, house, options)
  } finally {
    await house.close()
  }
}

function serversOf(command: readonly string[], options: McpOptions): readonly ServerEntry[] {
  const { url, header = [], config, server, name } = options
  const ways = [command.length > 0, url !== undefined, config !== undefined].filter(Boolean).length
  if (ways !== 1)
    throw new UsageError('name one server: `countersign mcp -- npx -y @modelcontextprotocol/server-filesystem .`, `--url` or `--config`')
  if (url !== undefined)
    return [entryOfUrl(urlOf(url, '`--url`'), { ...givenHeaders(), ...Object.fromEntries(header.map(headerOf)) }, name)]
  if (config === undefined) return [entryOfCommand(command, name)]
  // A proxy in front of a server stays in front of it, but where one only looks at what the server says.
  const { draft: drafts, check, write } = options
  const all = readServers(config, { behind: [drafts, check, write].includes(true) })
  if (server === undefined) return all
  const found = all.filter((each) => each.name === server)
  if (found.length === 0)
    throw new UsageError(`\`${config}\` names no server \`${server}\`; it names ${all.map((each) => each.name).join(', ')}`)
  return found
}

/** Headers of a server that was taken over: not on the command line, which everybody on the machine can read. */
function givenHeaders(): Record<string, string> {
  const value = parseJson(process.env[HEADERS_VARIABLE] ?? '{}')
  if (!isJsonObject(value)) throw new UsageError(`\`${HEADERS_VARIABLE}\` holds no JSON object of headers`)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toLowerCase(), expanded(String(each))]))
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()]
  if (colon < 0 || !/^[A-Za-z0-9-]{1,100}$/.test(name))
    throw new UsageError(`\`${line}\` is no header; write it as 'Authorization: Bearer \${TOKEN}'`)
  return [name.toLowerCase(), expanded(value)]
}

async function overStreams(servers: readonly ServerEntry[], house: McpGate, { session, config }: McpOptions): Promise<number> {
  const [server, ...others] = servers
  if (server === undefined || others.length > 0) {
    const names = servers.map(({ name }) => name).join(', ')
    throw new UsageError(`\`${config}\` names several servers (${names}); choose one with \`--server\`, or serve all with \`--listen\``)
  }
  const named = session ?? hostSession()
  const neighbours = named === null ? null : openNeighbours(stateDirectory(), named)
  const whose = {
    principal: house.principal,
    session: named ?? `mcp-${crypto.randomUUID()}`,
    ...(neighbours === null ? {} : { shares: neighbours.any }),
  }
  const traffic = house.trafficFor(server, whose)
  const ends = { input: process.stdin, output: process.stdout, note: (line: string) => warn(`countersign: ${visible(line)}`) }
  try {
    if (server.kind === 'url') return await runHttpClient({ url: server.url, headers: lowered(server.headers) }, ends, traffic)
    return await runStdio(startOf(server), ends, traffic)
  } finally {
    neighbours?.close()
  }
}

const USUAL: Address = { host: '127.0.0.1', port: 7435 }

async function overHttp(servers: readonly ServerEntry[], house: McpGate, options: McpOptions): Promise<number> {
  const listen = listeningOf(options.listen ?? '', USUAL)
  const behind = new Map(
    servers.map((server) => [pathOf(server, servers), answered(behindOf(server, house, options), server, house)] as const),
  )
  const server = createMcpServer({
    servers: behind,
    metrics: house.metrics.text,
    callerOf: callersOf({ ...house, exposed: !isLoopback(listen.host) }),
    siteFault: siteOf(listen, () => house.policy()?.server.hosts ?? []),
    note: (line) => warn(`countersign: ${line}`),
  })
  const address = await listening(server, listen)
  for (const path of behind.keys()) warn(`countersign: the MCP proxy answers at http://${addressText(reachable(address))}${path}`)
  await stopped()
  server.close()
  await Promise.all([...behind.values()].map((each) => each.close()))
  server.closeAllConnections()
  return EXIT.ok
}

/** What it answers is counted. */
function answered(behind: Behind, { name }: ServerEntry, { metrics }: McpGate): Behind {
  const handle: Behind['handle'] = (incoming) => {
    const { response } = incoming
    response.once('finish', () => metrics.answered(name, response.statusCode))
    return behind.handle(incoming)
  }
  return { ...behind, handle }
}

/** One server is at `/mcp`, several at their names. */
function pathOf({ name }: ServerEntry, servers: readonly ServerEntry[]): string {
  return servers.length === 1 ? '/mcp' : `/${name}/mcp`
}

function behindOf(server: ServerEntry, house: McpGate, { session = null }: { readonly session?: string | null }): Behind {
  if (server.kind === 'url') {
    const sessions = createSessions({
      session,
      create: (principal, name, facts) => house.trafficFor(server, { principal, session: name }, facts),
    })
    return createReverse({ server: { url: server.url, headers: lowered(server.headers) }, sessions })
  }
  const run = crypto.randomUUID()
  return createChildren({
    server: startOf(server),
    create: (caller: HttpCaller, id: string | null, facts?: ClientFacts) => {
      const name = session ?? sessionName({ name: caller.session ?? `mcp-${id ?? run}`, owner: caller.owner })
      return house.trafficFor(server, { principal: caller.principal, session: name }, facts)
    },
  })
}

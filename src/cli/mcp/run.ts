import { redactJson } from '../../audit/redact.ts'
import type { Principal } from '../../core/call.ts'
import { bytesDigest, digester, type OpenedGate, openGate, stateDirectory } from '../../open.ts'
import { nameOfCommand } from '../../proxies/mcp/name.ts'
import type { TrafficParts, TrafficSide } from '../../proxies/mcp/shared.ts'
import { runStdio } from '../../proxies/mcp/stdio.ts'
import { createTraffic } from '../../proxies/mcp/traffic.ts'
import { createUninspected } from '../../proxies/uninspected.ts'
import { keepResult } from '../results.ts'
import { withWords } from '../session-words.ts'
import { UsageError, warn } from '../terminal.ts'
import { userName } from '../user.ts'
import { watchInForce } from '../watch.ts'

export interface McpOptions {
  readonly policy?: string
  readonly session?: string
  readonly role?: string
  readonly agent?: string
  readonly name?: string
}

/** `countersign mcp -- CMD…`: stands between a client and the server that it would have started. */
export async function mcp(command: readonly string[], options: McpOptions): Promise<number> {
  const [program, ...args] = command
  if (program === undefined) throw new UsageError('name the server: `countersign mcp -- npx -y @modelcontextprotocol/server-filesystem .`')
  const watched = watchInForce(options.policy ?? null, (line) => warn(`countersign: ${line}`))
  const opened = openGate({ home: stateDirectory(), policy: watched.current })
  try {
    const side = sideOf(command, options)
    const parts = partsOf(opened, side, () => watched.current(side.cwd).policy)
    return await runStdio(
      { command: program, args, env: environment() },
      { input: process.stdin, output: process.stdout },
      createTraffic(parts, side),
    )
  } finally {
    watched.stop()
    opened.close()
  }
}

/** UTF-16 units of a command line that are kept as they are. */
const MAX_ORIGIN = 4_000

function sideOf(command: readonly string[], { name, session, role, agent }: McpOptions): TrafficSide {
  const line = String(redactJson(command.join(' ')).value)
  const principal: Principal = { agent: agent ?? null, role: role ?? null, user: userName(), tenant: null, chain: [] }
  return {
    server: name ?? nameOfCommand(command),
    origin: line.length <= MAX_ORIGIN ? line : bytesDigest(new TextEncoder().encode(line)),
    principal,
    session: session ?? `mcp-${crypto.randomUUID()}`,
    cwd: process.cwd(),
  }
}

function partsOf(opened: OpenedGate, side: TrafficSide, policy: TrafficParts['policy']): TrafficParts {
  const uninspected = createUninspected({ store: opened.store, proxy: 'mcp', upstream: side.server, session: side.session })
  return {
    gate: opened.gate,
    queue: opened.queue,
    digester,
    bytesDigest,
    policy,
    keep: (call, response, failed) => keepResult(opened, { call, response, failed }),
    withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
    redact: (value) => redactJson(value).value,
    uninspected: uninspected.count,
  }
}

/** Nothing of ours reaches the server. */
function environment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')))
}

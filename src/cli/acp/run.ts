import { createAcpTraffic } from '../../proxies/acp/traffic.ts'
import { nameOfCommand } from '../../proxies/mcp/name.ts'
import { runStdio } from '../../proxies/mcp/stdio.ts'
import { entryOfCommand, openMcpGate } from '../mcp/parts.ts'
import { startOf } from '../mcp/start.ts'
import { sessionParts } from '../proxies/session-parts.ts'
import { UsageError } from '../terminal.ts'

export interface AcpOptions {
  readonly policy?: string
  readonly role?: string
  readonly agent?: string
  readonly unattended?: boolean
}

/** `countersign acp -- AGENT`: starts the agent and stands between it and the editor until either is gone. */
export async function acp(command: readonly string[], options: AcpOptions): Promise<number> {
  if (command.length === 0) throw new UsageError('name the agent: `countersign acp -- gemini --experimental-acp`')
  const agent = options.agent ?? nameOfCommand(command)
  const house = openMcpGate({ ...options, agent })
  const { opened, principal } = house
  const parts = sessionParts(opened, { proxy: 'acp', upstream: agent }, house)
  const side = { principal, cwd: process.cwd(), prefix: 'acp-', attended: options.unattended !== true }
  try {
    const ends = { input: process.stdin, output: process.stdout }
    return await runStdio(startOf(startable(entryOfCommand(command, agent))), ends, createAcpTraffic(parts, side))
  } finally {
    await house.close()
  }
}

function startable(entry: ReturnType<typeof entryOfCommand>): Parameters<typeof startOf>[0] {
  if (entry.kind !== 'command') throw new UsageError('an agent is a program that is started')
  return entry
}

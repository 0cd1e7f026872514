import { bytesDigest, digester } from '../../open.ts'
import type { AcpParts } from '../../proxies/acp/parts.ts'
import { createAcpTraffic } from '../../proxies/acp/traffic.ts'
import { nameOfCommand } from '../../proxies/mcp/name.ts'
import { runStdio } from '../../proxies/mcp/stdio.ts'
import { createUninspected } from '../../proxies/uninspected.ts'
import { entryOfCommand, openMcpGate } from '../mcp/parts.ts'
import { startOf } from '../mcp/start.ts'
import { keepResult } from '../results.ts'
import { recordPrompt, withWords } from '../session-words.ts'
import { UsageError, visible, warn } from '../terminal.ts'

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
  const uninspected = createUninspected({ store: opened.store, proxy: 'acp', upstream: agent, session: null })
  const parts: AcpParts = {
    gate: opened.gate,
    queue: opened.queue,
    digester,
    bytesDigest,
    keep: (call, response, failed) => keepResult(opened, { call, response, failed }),
    withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
    prompt: (session, text) => recordPrompt(opened, { kind: 'prompt', session, text }),
    uninspected: uninspected.count,
    note: (line) => warn(`countersign: ${visible(line)}`),
  }
  const side = { principal, cwd: process.cwd(), prefix: 'acp-', attended: options.unattended !== true }
  try {
    const ends = { input: process.stdin, output: process.stdout }
    return await runStdio(startOf(startable(entryOfCommand(command, agent))), ends, createAcpTraffic(parts, side))
  } finally {
    house.close()
  }
}

function startable(entry: ReturnType<typeof entryOfCommand>): Parameters<typeof startOf>[0] {
  if (entry.kind !== 'command') throw new UsageError('an agent is a program that is started')
  return entry
}

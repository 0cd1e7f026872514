/** VS Code's agent hooks: Claude Code's form, under names of its own. It reads Claude Code's settings, so its events come to that hook, too. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import type { HookContext, HookEvent, Speaker } from '../adapter.ts'
import { denial, NO_OPINION, noted, replyTo } from '../claude-code/reply.ts'
import { claudeEvent } from '../claude-form.ts'
import { type NativeCall, parserOf } from '../event.ts'
import { identified, joinedBy, type ServerSettings } from '../server-names.ts'

/** An editor has somebody at it. */
const parse = parserOf('vscode', (input) => {
  const event = isVscode(input) ? claudeEvent(input, () => false) : null
  return event?.kind === 'call' || event?.kind === 'result' ? { ...event, call: ofServer(event.call) } : event
})

/** The editor writes `mcp_server_tool`. */
function ofServer(call: NativeCall): NativeCall {
  const fits = joinedBy(call.tool.name, { prefix: 'mcp_', separator: '_', written: (server) => server.replaceAll(/[^\w-]/g, '_') })
  return { ...call, ...identified(call.tool, fits, { settings: SERVERS, cwd: call.cwd }) }
}

const SERVERS: ServerSettings = {
  user: () => [join(homedir(), process.platform === 'darwin' ? 'Library/Application Support' : '.config', 'Code/User/mcp.json')],
  project: ['.vscode/mcp.json', '.mcp.json'],
  fields: ['servers', 'mcpServers'],
}

/** It is answered in the form of Claude Code, whoever's settings named the hook. */
const SPEAKER: Speaker = { name: 'vscode', rewrites: true, reply: replyTo, noted, noOpinion: NO_OPINION, denial }

export function parseVscode(bytes: Uint8Array, context: HookContext): HookEvent {
  return { ...parse(bytes, context), speaker: SPEAKER }
}

/** The same for a hook of another host: what is no event of VS Code is refused as that host's own. */
export function parseBorrowed(bytes: Uint8Array, context: HookContext): HookEvent {
  const event = parse(bytes, context)
  return event.kind === 'refused' && event.refused.code === 'ingress.unknown_event' ? event : { ...event, speaker: SPEAKER }
}

/** True of an event that VS Code sent: Claude Code's names of these fields have other letters. */
export function isVscode(input: JsonObject): boolean {
  return own(input, 'hook_event_name') === undefined && typeof own(input, 'hookEventName') === 'string'
}
